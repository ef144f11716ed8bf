import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    name: 'contract',
    maxWorkers: 3,
    include: ['**/*.test.{ts,tsx}'],
    exclude: ['**/node_modules/**', 'dist/**'],
  },
});
