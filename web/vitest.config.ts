import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    name: 'web',
    testTimeout: 20_000,
    maxWorkers: 3,
    include: ['**/*.test.{ts,tsx}'],
    exclude: ['**/node_modules/**', 'dist/**'],
  },
});
