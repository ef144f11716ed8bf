// npm start: installs, builds and runs everything in the foreground.
import { keepRunning } from './keep-running.mjs';
import { build, install, node } from './steps.mjs';

await install();
await build();
process.exitCode = await keepRunning(node, ['--disable-warning=ExperimentalWarning', 'server/src/main.ts']);
