// npm run admin -- COMMAND: operator commands, beside the running product or alone.
import { install, node, run } from './steps.mjs';

await install();
process.exitCode = await run(node, [
  '--disable-warning=ExperimentalWarning',
  'server/src/commands/admin.ts',
  ...process.argv.slice(2),
]);
