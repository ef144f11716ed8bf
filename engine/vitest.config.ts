import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    name: 'engine',
    // Left to `npm run test:slow` (ADR 020).
    tags: [{ name: 'slow' }],
    testTimeout: 40_000,
    hookTimeout: 40_000,
    maxWorkers: 3,
    include: ['**/*.test.{ts,tsx}'],
    exclude: ['**/node_modules/**', 'dist/**'],
    // One process for many files: each of them anew would load networks and plates again (ADR 020).
    isolate: false,
  },
});
