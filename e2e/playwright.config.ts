import { existsSync } from 'node:fs';
import { defineConfig } from '@playwright/test';

// The headless shell draws no window, which saves a fifth of the run's CPU time.
const browsers = [
  process.env['CHROMIUM_PATH'],
  '/usr/bin/chromium-headless-shell',
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
];
const executablePath = browsers.find((path) => path !== undefined && existsSync(path));
if (executablePath === undefined) throw new Error('No Chromium was found. Set CHROMIUM_PATH to one.');

// Chromium would start, and discard, a spare renderer process with each page. Only the last list of this switch
// counts, so it repeats the features that Playwright turns off.
const FEATURES_OFF = [
  'SpareRendererForSitePerProcess',
  'AimEnabled',
  'AvoidCorsURLLoaderRestartOnRedirect',
  'AvoidUnnecessaryBeforeUnloadCheckSync',
  'DestroyProfileOnBrowserClose',
  'HttpsFirstBalancedModeAutoEnable',
  'HttpsUpgrades',
  'LensOverlay',
  'MediaRouter',
  'NetworkTimeServiceQuerying',
  'OptimizationHints',
  'PaintHolding',
  'PreconnectToSearch',
  'ThirdPartyStoragePartitioning',
];

export default defineConfig({
  testDir: '.',
  outputDir: 'test-results/traces',
  globalSetup: './support/product.ts',
  // Each journey has its own user; all share one product.
  workers: 3,
  // On a busy machine a browser sometimes loses a key press or a touch. The run reports the retried journeys.
  retries: 1,
  forbidOnly: true,
  timeout: 240_000,
  expect: { timeout: 20_000 },
  reporter: [['list'], ['json', { outputFile: 'test-results/results.json' }]],
  use: {
    viewport: { width: 1440, height: 900 },
    locale: 'en-US',
    // Here the CPU paints each frame of an animation. Without motion, nothing is clicked while it moves.
    contextOptions: { reducedMotion: 'reduce' },
    // No snapshots: their recorder fetches our blob pictures, which the page's CSP blocks with a console error.
    // No screencast: it takes a quarter of the run's CPU time, and the screenshot of the failure shows as much.
    trace: { mode: 'on-first-retry', snapshots: false, screenshots: false },
    screenshot: 'only-on-failure',
    launchOptions: {
      executablePath,
      args: [
        '--no-sandbox',
        '--disable-gpu',
        '--disable-quic',
        '--disable-background-networking',
        '--disable-component-update',
        '--disable-sync',
        `--disable-features=${FEATURES_OFF.join(',')}`,
      ],
    },
  },
  projects: [
    { name: 'journeys', testMatch: 'journeys/*.spec.ts' },
    { name: 'shots', testMatch: 'shots.spec.ts' },
  ],
});
