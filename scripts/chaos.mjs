// npm run chaos: injects faults from a seed and checks the product's invariants.
import { install, node, run } from './steps.mjs';

await install();
process.exitCode = await run(node, [
  '--disable-warning=ExperimentalWarning',
  'server/chaos/run.ts',
  ...process.argv.slice(2),
]);
