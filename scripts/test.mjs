// npm test: installs, then lint, types, unit, server, engine and browser tests. Its last line counts them all.
import { getBrowser } from './browser.mjs';
import { build, install } from './steps.mjs';
import { asOne, browser, conclude, format, generated, lint, seventhTool, twoAtATime, types, unit } from './suites.mjs';

await install();
// The longest first. The build says nothing: without it nothing is tested.
const parts = await twoAtATime([lint, seventhTool, build, types, format, generated]);
const results = parts.filter((result) => result !== undefined);
// Three files at a time on two cores as well: many of these tests only wait.
results.push(await unit(['contract', 'server', 'web', 'engine'], 3));
const path = getBrowser();
if (path === undefined) {
  console.error(
    'No Chromium was found, so the browser tests cannot run. Install one (Debian: apt-get install chromium-headless-shell) or set CHROMIUM_PATH.',
  );
  results.push(asOne('browser', 1));
} else {
  results.push(await browser(path));
}
process.exitCode = conclude(results);
