// npm start: installs, builds and runs everything in the foreground.
import { build, install, node, run } from './steps.mjs';

await install();
await build();
// The channel tells the product when this script is gone, however it ended.
process.exitCode = await run(node, ['--disable-warning=ExperimentalWarning', 'server/src/main.ts'], {
  stdio: ['inherit', 'inherit', 'inherit', 'ipc'],
});
