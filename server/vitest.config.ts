import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    name: 'server',
    // Left to `npm run test:slow` (ADR 020).
    tags: [{ name: 'slow' }],
    include: ['**/*.test.ts'],
    globalSetup: ['./test/postgres-setup.ts'],
    testTimeout: 60_000,
    hookTimeout: 60_000,
    // The same in every project: Vitest runs only those together that agree.
    maxWorkers: 3,
    maxConcurrency: 7,
    // One process for many files: each of them anew would load the whole server again (ADR 020).
    isolate: false,
  },
});
