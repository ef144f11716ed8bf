import { describe, expect, it } from 'vitest';
import { ConfigError, readConfig } from './config.ts';

const NEEDED = { ENGINE_DATA_DIR: '/tmp/x', ENGINE_KEY: 'k' };

describe('the settings', () => {
  it('report every fault at once', () => {
    const read = () => readConfig({ ENGINE_PORT: 'x', ENGINE_WORKERS: '0' });
    expect(read).toThrow(ConfigError);
    for (const name of ['DATA_DIR', 'KEY', 'PORT', 'WORKERS']) expect(read).toThrow(`ENGINE_${name} `);
  });

  it('have defaults except for the folder and the key', () => {
    expect(readConfig(NEEDED)).toMatchObject({ host: '127.0.0.1', port: 0, videoSeconds: 90, stillSeconds: 30 });
  });

  it.each([
    ['PORT', '65536'],
    ['PORT', '-1'],
    ['PORT', '1.5'],
    ['VIDEO_SECONDS', 'soon'],
    ['NETWORK_THREADS', '17'],
    ['WORKER_MEGABYTES', '64'],
  ])('reject ENGINE_%s=%s', (name, value) => {
    expect(() => readConfig({ ...NEEDED, [`ENGINE_${name}`]: value })).toThrow(`ENGINE_${name} `);
  });

  it('treat empty values as missing', () => {
    expect(readConfig({ ...NEEDED, ENGINE_PORT: ' ' })).toMatchObject({ port: 0 });
  });
});
