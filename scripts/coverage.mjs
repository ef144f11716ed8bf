// npm run coverage: prints how much of the rooms that hold money and accounts the server's tests run. What they start
// as processes of its own, to kill it, is not counted.
import { install } from './steps.mjs';
import { conclude, unit } from './suites.mjs';

const ROOMS = ['auth', 'credits', 'generations', 'payments'];
/** Of their branches, in per cent. */
const LEAST = 95;

await install();
const result = await unit(['server'], 'all', [
  '--coverage.enabled',
  `--coverage.include=src/{${ROOMS.join(',')}}/**/*.ts`,
  '--coverage.reporter=text',
  '--coverage.reportOnFailure',
  `--coverage.thresholds.branches=${LEAST}`,
]);
process.exitCode = conclude([result]);
