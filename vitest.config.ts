import { defineConfig } from 'vitest/config';

/** Where `npm test` wants its counts; nobody else does. */
const tally = process.env['TALLY_PATH'];

/** One project per workspace with unit tests, and the engine's quality, which has a command of its own. */
export default defineConfig({
  test: {
    projects: ['contract', 'server', 'web', 'engine', 'engine/quality'],
    reporters: tally === undefined ? ['default'] : ['default', ['./scripts/tally.mjs', { path: tally }]],
  },
});
