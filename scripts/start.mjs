// npm start: installs, builds and runs everything in the foreground.
import { keepRunning } from './keep-running.mjs';
import { build, install, node } from './steps.mjs';

await install();
await build();
process.exitCode = await keepRunning(node, [
  '--disable-warning=ExperimentalWarning',
  // In MB. Pictures lie outside of V8's heap, and a quick look at few young objects lets go of them; with the usual
  // 16 MB it looks through the whole heap instead: a fifth more computing for each photo that is accepted.
  '--max-semi-space-size=4',
  // In percent. Without it V8 looks through the whole heap again for every 32 MB of buffers, which is with each large
  // photo: a fifth of all computing there.
  '--heap-growing-percent=200',
  'server/src/main.ts',
]);
