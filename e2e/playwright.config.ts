import { existsSync } from 'node:fs';
import { defineConfig } from '@playwright/test';

// The shell has no windows of its own to draw: a fifth of the run's computing less.
const browsers = [
  process.env['CHROMIUM_PATH'],
  '/usr/bin/chromium-headless-shell',
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
];
const executablePath = browsers.find((path) => path !== undefined && existsSync(path));
if (executablePath === undefined) throw new Error('No Chromium was found. Set CHROMIUM_PATH to one.');

// A process for a page that may come is started, and thrown away, with each page that does. The last list of this
// switch counts: what Playwright turns off stands here as well.
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
  // Each journey has a person of its own; all of them share the one product.
  workers: 3,
  // A browser on a busy machine loses a key or a touch now and then. The run counts aloud what needed its second try.
  retries: 1,
  forbidOnly: true,
  timeout: 240_000,
  expect: { timeout: 20_000 },
  reporter: [['list'], ['json', { outputFile: 'test-results/results.json' }]],
  use: {
    viewport: { width: 1440, height: 900 },
    locale: 'en-US',
    // What moves is painted by the processor here, frame by frame; and nothing is pressed while it is on its way.
    contextOptions: { reducedMotion: 'reduce' },
    // Without snapshots of the page: their recorder fetches our blob pictures, which the page's policy forbids, loudly.
    // Without a film of it, which takes a quarter of the run's computing: the picture of the failure tells as much.
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
