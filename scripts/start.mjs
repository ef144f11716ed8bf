// npm start: installs, builds and runs the product in the foreground.
import { keepRunning } from './keep-running.mjs';
import { build, install, node } from './steps.mjs';

await install();
await build();
process.exitCode = await keepRunning(node, [
  '--disable-warning=ExperimentalWarning',
  // In MB. Pictures are outside V8's heap, and a scavenge of few young objects frees them. With the default 16 MB V8
  // does full collections instead, which cost a fifth more CPU time per accepted photo.
  '--max-semi-space-size=4',
  // In percent. Without it V8 does a full collection per 32 MB of buffers, which means per large photo. That takes a
  // fifth of the CPU time there.
  '--heap-growing-percent=200',
  'server/src/main.ts',
]);
