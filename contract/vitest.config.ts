import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    name: 'contract',
    isolate: false,
    include: ['**/*.test.{ts,tsx}'],
    exclude: ['**/node_modules/**', 'dist/**'],
  },
});
