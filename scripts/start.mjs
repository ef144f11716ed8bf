// npm start: installs, builds and runs everything in the foreground.
import { build, install, node, run } from './steps.mjs';

// Until the product runs, Ctrl-C and SIGTERM end this script; afterwards they are passed on to the product.
await install();
await build();
process.exitCode = await run(node, ['--disable-warning=ExperimentalWarning', 'server/src/main.ts']);
