import { defineConfig } from 'vitest/config';

/** The tests that hold money and ends. Each change is shown to those that reach it. */
export default defineConfig({
  test: {
    root: 'server',
    include: ['test/{settle,money,payments,two-payments,statement}.test.ts'],
    globalSetup: ['./test/postgres-setup.ts'],
    testTimeout: 60_000,
    hookTimeout: 60_000,
  },
});
