// npm test: installs, then runs lint, types, unit, server, engine and browser tests. npm run test:slow runs the tests
// tagged as slow, which npm test skips (ADR 020). The last line has the totals.
import { getBrowser } from './browser.mjs';
import { build, install } from './steps.mjs';
import {
  toResult,
  browser,
  conclude,
  format,
  generated,
  lint,
  seventhTool,
  twoAtATime,
  types,
  unit,
} from './suites.mjs';

const which = process.argv[2] === 'slow' ? 'slow' : 'quick';
await install();
// The longest first. The build has no result; if it fails, the script exits.
const parts = await twoAtATime(which === 'slow' ? [seventhTool, build] : [lint, types, build, format, generated]);
const results = parts.filter((result) => result !== undefined);
results.push(await unit(['contract', 'server', 'web', 'engine'], which));
const path = getBrowser();
if (path === undefined) {
  console.error(
    'No Chromium was found, so the browser tests cannot run. Install one (Debian: apt-get install chromium-headless-shell) or set CHROMIUM_PATH.',
  );
  results.push(toResult('browser', 1));
} else {
  results.push(await browser(path, which));
}
process.exitCode = conclude(results);
