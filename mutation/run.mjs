// npm run mutation [-- --mutate FILE]: changes what moves credits and ends generations in small ways, one at a time,
// and asks whether a test notices. Ends with 1 where more than a tenth of the changes pass unseen.
// Stryker is a fifth of all packages, so it has a lock file of its own and is installed by its first run.
import { join } from 'node:path';
import { must, node } from '../scripts/steps.mjs';

const stryker = join(import.meta.dirname, 'node_modules', '@stryker-mutator', 'core', 'bin', 'stryker.js');
await must('npm', ['ci', '--no-audit', '--no-fund', '--loglevel=error'], { cwd: import.meta.dirname });
await must(node, [stryker, 'run', 'mutation/stryker.config.json', ...process.argv.slice(2)]);
