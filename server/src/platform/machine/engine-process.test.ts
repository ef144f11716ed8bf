/** @module-tag slow */
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { modelCard, startEngine } from './engine-process.ts';
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
  await expect(start({ ENGINE_WORKERS: 'many' })).rejects.toThrow('does not start with these settings');
});

it('names to the engine the network that is installed, and none where none is, whatever the settings say', async () => {
  const program = `import { createServer } from 'node:http';
    createServer((_request, answer) => answer.end(process.env.ENGINE_CUTOUT_CARD ?? 'none'))
      .listen(process.env.ENGINE_PORT, '127.0.0.1', () => console.log('{"event":"listening"}'));`;
  await mkdir(join(dataDir, 'engine', 'src'), { recursive: true });
  await writeFile(join(dataDir, 'engine', 'src', 'main.ts'), program);
  const ask = async () => {
    const environment = { ENGINE_CUTOUT_CARD: '/elsewhere/card.json' };
    const options = { repositoryDir: dataDir, dataDir, key: 'the-key', environment, log: createLog('silent') };
    const engine = await startEngine(options);
    const card = await (await fetch(engine.baseUrl)).text();
    await engine.stop();
    return card;
  };
  expect(await ask()).toBe('none');
  await mkdir(dirname(modelCard(dataDir)));
  await writeFile(modelCard(dataDir), '{}');
  expect(await ask()).toBe(modelCard(dataDir));
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
  // The first and the third process hang; the second serves until it is killed.
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
