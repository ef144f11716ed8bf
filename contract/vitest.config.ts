import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    name: 'contract',
    maxWorkers: 3,
    // A VM context per file instead of a process halves the CPU time. Native modules of other parts would fail.
    pool: 'vmThreads',
    include: ['**/*.test.{ts,tsx}'],
    exclude: ['**/node_modules/**', 'dist/**'],
  },
});
