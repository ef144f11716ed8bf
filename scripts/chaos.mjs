// npm run chaos: breaks the product with a seed, and says whether what must always be true still was.
import { install, node, run } from './steps.mjs';

await install();
process.exitCode = await run(node, [
  '--disable-warning=ExperimentalWarning',
  'server/chaos/run.ts',
  ...process.argv.slice(2),
]);
