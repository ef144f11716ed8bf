// npm run check: what must be green before a commit. Everything of npm test but the browser and the engine's pictures.
import { install } from './steps.mjs';
import { format, lint, seventhTool, sum, types, unit } from './suites.mjs';

await install();
const { passed, failed } = sum('check', [
  await format(),
  await lint(),
  await types(),
  await seventhTool(),
  await unit(['contract', 'server', 'web'], 2),
]);
console.log(`${passed} passed, ${failed} failed`);
process.exitCode = failed === 0 ? 0 : 1;
