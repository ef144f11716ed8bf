// Finds a Chromium for the browser tests; in CI it installs Debian's.
import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';

const PLACES = [
  '/usr/bin/chromium-headless-shell',
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
  '/usr/bin/google-chrome-stable',
];

export function findBrowser() {
  return [process.env.CHROMIUM_PATH, ...PLACES].find((path) => path !== undefined && path !== '' && existsSync(path));
}

/** Returns the browser's path, or undefined if there is none and none could be installed. */
export function getBrowser() {
  const found = findBrowser();
  if (found !== undefined || process.env.CI !== 'true') return found;
  console.log("Installing Debian's Chromium for the browser tests.");
  try {
    execFileSync('apt-get', ['update', '-qq'], { stdio: 'inherit' });
    execFileSync('apt-get', ['install', '-y', '-qq', '--no-install-recommends', 'chromium-headless-shell'], {
      stdio: ['ignore', 'ignore', 'inherit'],
    });
  } catch (error) {
    console.error(`Chromium could not be installed: ${error.message}`);
  }
  return findBrowser();
}
