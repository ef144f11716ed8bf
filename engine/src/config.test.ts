import { expect, it } from 'vitest';
import { readConfig } from './config.ts';

it('names every fault at once', () => {
  expect(() => readConfig({ ENGINE_PORT: 'x', ENGINE_WORKERS: '0' })).toThrow(
    /ENGINE_DATA_DIR.*|ENGINE_KEY.*ENGINE_PORT.*ENGINE_WORKERS/,
  );
});

it('has defaults for all but the folder and the key', () => {
  expect(readConfig({ ENGINE_DATA_DIR: '/tmp/x', ENGINE_KEY: 'k' })).toMatchObject({
    host: '127.0.0.1',
    port: 0,
    ttlSeconds: 3600,
    stillSeconds: 30,
  });
});
