import { defineConfig } from 'vitest/config';
import { WORKER_SILENCE } from './src/work/worker-options.ts';

export default defineConfig({
  test: {
    name: 'engine',
    env: WORKER_SILENCE,
    testTimeout: 40_000,
    hookTimeout: 40_000,
    include: ['**/*.test.{ts,tsx}'],
    exclude: ['**/node_modules/**', 'dist/**'],
  },
});
