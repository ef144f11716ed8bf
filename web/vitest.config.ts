import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: { name: 'web', include: ['**/*.test.{ts,tsx}'], exclude: ['**/node_modules/**', 'dist/**'] },
});
