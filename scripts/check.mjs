// npm run check: the checks before a commit. It is npm test without the browser and the engine's pictures.
import { install } from './steps.mjs';
import { conclude, format, lint, twoAtATime, types, unit } from './suites.mjs';

await install();
process.exitCode = conclude([
  ...(await twoAtATime([lint, types, format])),
  await unit(['contract', 'server', 'web'], 'quick'),
]);
