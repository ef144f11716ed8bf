// npm test: installs, then lint, types, unit, server, engine and browser tests. Its last line counts them all.
import { getBrowser } from './browser.mjs';
import { build, install } from './steps.mjs';
import { asOne, browser, conclude, format, generated, lint, seventhTool, twoAtATime, types, unit } from './suites.mjs';

await install();
await build();
const path = getBrowser();
if (path === undefined) {
  console.error(
    'No Chromium was found, so the browser tests cannot run. Install one (Debian: apt-get install chromium) or set CHROMIUM_PATH.',
  );
}
const journeys = () => (path === undefined ? asOne('browser', 1) : browser(path));
// The longest first. Three test files at a time and two browsers on two cores: many of these tests only wait.
const units = () => unit(['contract', 'server', 'web', 'engine'], 3);
process.exitCode = conclude(await twoAtATime([units, journeys, lint, seventhTool, types, generated, format]));
