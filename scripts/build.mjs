import { build, install } from './steps.mjs';

await install();
await build({ force: !process.argv.includes('--if-stale') });
