// npm run check: what must be green before a commit. Everything of npm test but the browser and the engine's pictures.
import { install } from './steps.mjs';
import { conclude, format, lint, seventhTool, twoAtATime, types, unit } from './suites.mjs';

await install();
process.exitCode = conclude([
  ...(await twoAtATime([lint, seventhTool, types, format])),
  await unit(['contract', 'server', 'web'], 3),
]);
