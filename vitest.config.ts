import { defineConfig } from 'vitest/config';

/** Where `npm test` wants its counts; nobody else does. */
const tally = process.env['TALLY_PATH'];

/** One project per workspace with unit tests. */
export default defineConfig({
  test: {
    projects: ['contract', 'server', 'web', 'engine'],
    reporters: tally === undefined ? ['default'] : ['default', ['./scripts/tally.mjs', { path: tally }]],
  },
});
