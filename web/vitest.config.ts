import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    name: 'web',
    testTimeout: 20_000,
    maxWorkers: 3,
    // A context for each file instead of a process: half the computing. Native parts of others would not bear it.
    pool: 'vmThreads',
    include: ['**/*.test.{ts,tsx}'],
    setupFiles: ['test/stores.ts'],
    exclude: ['**/node_modules/**', 'dist/**'],
  },
});
