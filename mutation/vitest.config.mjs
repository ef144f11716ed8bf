import { defineConfig } from 'vitest/config';

/** One test file for each that is changed: it asks that one directly, so that a change costs seconds. */
export default defineConfig({
  test: {
    root: 'server',
    include: ['test/{ledger,settle,fulfil}.test.ts'],
    globalSetup: ['./test/postgres-setup.ts'],
    testTimeout: 60_000,
    hookTimeout: 60_000,
  },
});
