import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { startEngine } from './engine-process.ts';
import { createLog } from '../log.ts';

let dataDir: string;

beforeEach(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'engine-process-'));
});

afterEach(() => rm(dataDir, { recursive: true, force: true }));

const start = (environment: Record<string, string>, heartbeatMs = 5000) =>
  startEngine({
    heartbeatMs,
    repositoryDir: resolve(import.meta.dirname, '..', '..', '..', '..'),
    ownDir: join(dataDir, 'engine'),
    key: 'the-key',
    environment,
    log: createLog('error'),
  });

it("hands the operator's settings to the engine, but neither its place nor its key", async () => {
  const makeForm = () => {
    const form = new FormData();
    form.set('skill', 'none of this name');
    return form;
  };
  const engine = await start({ ENGINE_WORKERS: '1', ENGINE_KEY: 'other', ENGINE_HOST: '0.0.0.0', ENGINE_PORT: '1' });
  try {
    const ask = (key: string) =>
      fetch(`${engine.baseUrl}/tasks`, {
        method: 'POST',
        body: makeForm(),
        headers: { authorization: `Key ${key}` },
      });
    expect([(await ask('the-key')).status, (await ask('other')).status]).toEqual([404, 401]);
  } finally {
    await engine.stop();
  }
});

it('says that the engine did not start when a setting is wrong', async () => {
  await expect(start({ ENGINE_WORKERS: 'many' })).rejects.toThrow('while it was starting');
});

it('kills an engine that hangs, starts it again, and says so meanwhile', { timeout: 60_000 }, async () => {
  const engine = await start({ ENGINE_WORKERS: '1' }, 300);
  try {
    const hanging = engine.pid();
    expect(engine.isUp()).toBe(true);
    process.kill(hanging ?? 0, 'SIGSTOP');
    await expect.poll(engine.isUp, { timeout: 10_000 }).toBe(false);
    await expect.poll(() => engine.isUp() && engine.pid() !== hanging, { timeout: 40_000 }).toBe(true);
    expect((await fetch(`${engine.baseUrl}/health`)).status).toBe(200);
  } finally {
    await engine.stop();
  }
});
