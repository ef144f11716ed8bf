import { defineConfig } from 'vitest/config';

/** How good the pictures are: `npm run engine:quality` runs these, and `npm test` only asks whether something broke. */
export default defineConfig({
  test: {
    name: 'quality',
    testTimeout: 40_000,
    hookTimeout: 40_000,
    maxWorkers: 3,
    include: ['**/*.test.ts'],
  },
});
