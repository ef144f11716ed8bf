/** npm run quality: the tests of how good the pictures are, then the figures; fails when either does. */
import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../..', import.meta.url));
const vitest = fileURLToPath(new URL('../../node_modules/vitest/vitest.mjs', import.meta.url));
const figures = fileURLToPath(new URL('figures.ts', import.meta.url));

const people = fileURLToPath(new URL('people-judge.ts', import.meta.url));

const codes = [[vitest, 'run', '--project', 'quality'], [figures], [people]].map(
  (parameters) => spawnSync(process.execPath, parameters, { cwd: root, stdio: 'inherit' }).status,
);
process.exitCode = codes.every((code) => code === 0) ? 0 : 1;
