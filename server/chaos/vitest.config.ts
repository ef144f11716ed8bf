import { defineConfig } from 'vitest/config';

// What fills a whole disk runs by itself: `npm run chaos -- disk`.
export default defineConfig({
  test: { name: 'disk', include: ['**/*.check.ts'], testTimeout: 60_000, hookTimeout: 60_000 },
});
