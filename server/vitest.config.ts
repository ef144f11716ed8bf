import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    name: 'server',
    include: ['**/*.test.ts'],
    globalSetup: ['./test/postgres-setup.ts'],
    testTimeout: 60_000,
    hookTimeout: 60_000,
    maxWorkers: 3,
    maxConcurrency: 4,
    // Files that run one after the other in a process find its modules loaded: that took 6 % of the time. What a test
    // sets up, it takes down.
    isolate: false,
  },
});
