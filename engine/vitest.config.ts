import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    name: 'engine',
    testTimeout: 40_000,
    hookTimeout: 40_000,
    maxWorkers: 3,
    include: ['**/*.test.{ts,tsx}'],
    exclude: ['**/node_modules/**', 'dist/**', 'quality/**'],
    // One process for many files: each of them anew would load the same parts again (ADR 020).
    isolate: false,
  },
});
