// npm run admin -- COMMAND: operator commands, with or without a running product.
import { install, node, run } from './steps.mjs';

await install();
process.exitCode = await run(node, [
  '--disable-warning=ExperimentalWarning',
  'server/src/commands/admin.ts',
  ...process.argv.slice(2),
]);
