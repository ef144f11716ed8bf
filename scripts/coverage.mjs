// npm run coverage: prints how much of the rooms that hold money and accounts the server's tests run. What they start
// as processes of its own, to kill it, is not counted.
import { join } from 'node:path';
import { install, node, root, run } from './steps.mjs';

const ROOMS = ['auth', 'credits', 'generations', 'payments'];
/** Of their branches, in per cent. */
const LEAST = 95;

await install();
process.exitCode = await run(node, [
  join(root, 'node_modules', '.bin', 'vitest'),
  'run',
  '--project=server',
  '--retry=1',
  '--coverage.enabled',
  `--coverage.include=src/{${ROOMS.join(',')}}/**/*.ts`,
  '--coverage.reporter=text',
  `--coverage.thresholds.branches=${LEAST}`,
]);
