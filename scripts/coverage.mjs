// npm run coverage: prints the test coverage of the server's rooms for money and accounts. Processes that the tests
// start in order to kill them do not count.
import { install } from './steps.mjs';
import { conclude, unit } from './suites.mjs';

const ROOMS = ['auth', 'credits', 'generations', 'payments'];
/** Minimum branch coverage in percent. */
const MIN_BRANCHES = 95;

await install();
const result = await unit(['server'], 'all', [
  '--coverage.enabled',
  `--coverage.include=src/{${ROOMS.join(',')}}/**/*.ts`,
  '--coverage.reporter=text',
  '--coverage.reportOnFailure',
  `--coverage.thresholds.branches=${MIN_BRANCHES}`,
]);
process.exitCode = conclude([result]);
