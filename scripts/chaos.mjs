// npm run chaos: breaks the product with a seed, and says whether what must always be true still was. `disk` fills its disk.
import { install, node, run } from './steps.mjs';

await install();
const [what, ...rest] = process.argv.slice(2);
process.exitCode =
  what === 'disk'
    ? await run('npx', ['vitest', 'run', '--root', 'server/chaos', ...rest])
    : await run(node, ['--disable-warning=ExperimentalWarning', 'server/chaos/run.ts', ...process.argv.slice(2)]);
