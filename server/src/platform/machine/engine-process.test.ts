/** @module-tag slow */
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { saveEngineModel } from './engine-model.ts';
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
    dataDir,
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

it("hands over what the network's workers need, unless the operator allows them more", async () => {
  const sha256 = 'a'.repeat(64);
  const note = { sha256, source: 'x', installedAt: '2026-01-01T00:00:00Z' };
  const tooLittleToStart = 100;
  saveEngineModel(dataDir, { ...note, workerMegabytes: tooLittleToStart });
  await expect(start({})).rejects.toThrow('while it was starting');
  await expect(start({ ENGINE_WORKER_MEGABYTES: '90' })).rejects.toThrow('while it was starting');
  const engine = await start({ ENGINE_WORKER_MEGABYTES: '900' });
  await engine.stop();
});

it('does not start the engine on a note about a network that somebody has changed', async () => {
  await writeFile(join(dataDir, 'engine-model.json'), '{"file":"../../etc/passwd"}');
  await expect(start({})).rejects.toThrow('sha256');
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

it('kills an engine that hangs while it starts: says so the first time, and starts another one later', async () => {
  // The first and the third of its lives hang; the second serves until it is killed.
  const program = `import { appendFileSync, readFileSync } from 'node:fs';
    import { createServer } from 'node:http';
    appendFileSync('lives', 'x');
    if (readFileSync('lives', 'utf8').length % 2 === 1) setInterval(() => undefined, 1000);
    else createServer((_request, answer) => answer.end()).listen(process.env.ENGINE_PORT, '127.0.0.1',
      () => console.log('{"event":"listening"}'));`.replaceAll("'lives'", JSON.stringify(join(dataDir, 'lives')));
  await mkdir(join(dataDir, 'engine', 'src'), { recursive: true });
  await writeFile(join(dataDir, 'engine', 'src', 'main.ts'), program);
  const options = { repositoryDir: dataDir, dataDir, key: 'the-key', environment: {}, log: createLog('silent') };
  await expect(startEngine({ ...options, startMs: 1500 })).rejects.toThrow('does not serve after 1.5 seconds');
  const engine = await startEngine({ ...options, startMs: 1500 });
  try {
    const first = engine.pid();
    process.kill(first ?? 0, 'SIGKILL');
    await expect.poll(() => engine.isUp() && engine.pid() !== first, { timeout: 20_000 }).toBe(true);
  } finally {
    await engine.stop();
  }
});
