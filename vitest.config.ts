import { defineConfig } from 'vitest/config';

/** One project per workspace with unit tests; `npm test` runs them all. */
export default defineConfig({ test: { projects: ['contract', 'server', 'web', 'engine'] } });
