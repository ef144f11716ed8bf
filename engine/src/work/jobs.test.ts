import { createHash } from 'node:crypto';
import { readdir, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import sharp from 'sharp';
import { afterEach, beforeAll, describe, expect, it } from 'vitest';
import {
  isAlive,
  readProduct,
  readStatus,
  REMOVE,
  removeFolder,
  REPLACE,
  startEngine,
  submit,
  toDataUrl,
  waitFor,
  waitForStatus,
  workersOf,
} from '../../test/engine.ts';
import type { Engine } from '../../test/engine.ts';

let mug: string;
let large: string;
const started: Engine[] = [];

beforeAll(async () => {
  mug = toDataUrl(
    await sharp(await readProduct('mug'))
      .resize(400)
      .jpeg()
      .toBuffer(),
  );
  large = toDataUrl(
    await sharp(await readProduct('mug'))
      .resize(2000)
      .jpeg({ quality: 85 })
      .toBuffer(),
  );
});

afterEach(async () => {
  for (const engine of started.splice(0)) {
    if (engine.child.exitCode === null && engine.child.signalCode === null) await engine.kill();
    await removeFolder(engine);
  }
});

async function start(env: Record<string, string> = {}, dataDir?: string): Promise<Engine> {
  const engine = await startEngine(env, dataDir);
  started.push(engine);
  return engine;
}

async function resultHash(engine: Engine, id: string): Promise<string> {
  const response = await engine.call('GET', `/queue/fal-ai/bria/requests/${id}`);
  const body = (await response.json()) as { image?: { url: string }; images?: { url: string }[] };
  const url = body.image?.url ?? body.images?.[0]?.url ?? '';
  const bytes = Buffer.from(await (await fetch(url)).arrayBuffer());
  return createHash('sha256').update(bytes).digest('hex');
}

describe('jobs outlive the engine', () => {
  it('runs what was queued and running when it was killed, and still answers what was finished', async () => {
    const first = await start({ ENGINE_WORKERS: '1' });
    const finished = await submit(first, REMOVE, { image_url: mug });
    await waitForStatus(first, finished, 'COMPLETED');
    const hash = await resultHash(first, finished);
    const running = await submit(first, REMOVE, { image_url: large });
    const queued = await submit(first, REPLACE, { image_url: mug, prompt: 'marble' });
    await waitFor(async () => ((await readStatus(first, running)).logs?.length ?? 0) > 2);
    expect(await readStatus(first, queued)).toMatchObject({ status: 'IN_QUEUE', queue_position: 0 });
    await first.kill();
    const second = await start({ ENGINE_WORKERS: '1' }, first.dataDir);
    expect(await resultHash(second, finished)).toBe(hash);
    expect((await waitForStatus(second, running, 'COMPLETED')).error).toBeUndefined();
    expect((await waitForStatus(second, queued, 'COMPLETED')).error).toBeUndefined();
    expect(await resultHash(second, queued)).toMatch(/^[0-9a-f]{64}$/);
  });

  it('gives the same bytes for the same request in two processes, and others for another seed', async () => {
    const [one, other] = await Promise.all([start({ ENGINE_WORKERS: '1' }), start({ ENGINE_WORKERS: '1' })]);
    const input = { image_url: mug, prompt: 'aurora', seed: 11 };
    const hashes = await Promise.all(
      [[one, input] as const, [other, input] as const, [one, { ...input, seed: 12 }] as const].map(
        async ([engine, body]) => {
          const id = await submit(engine, REPLACE, body);
          await waitForStatus(engine, id, 'COMPLETED');
          return resultHash(engine, id);
        },
      ),
    );
    expect(hashes[0]).toBe(hashes[1]);
    expect(hashes[2]).not.toBe(hashes[0]);
  });

  it('tries a job again in a fresh worker when the first one dies, and gives up after the second', async () => {
    const engine = await start({ ENGINE_WORKERS: '1' });
    const id = await submit(engine, REMOVE, { image_url: large });
    // One that is killed before it is given the job does not count, so there may be more than two.
    const killed = new Set<number>();
    const ended = await waitFor(async () => {
      const status = await readStatus(engine, id);
      if (status.status === 'COMPLETED') return status;
      for (const pid of workersOf(engine).filter((each) => !killed.has(each))) {
        killed.add(pid);
        process.kill(pid, 'SIGKILL');
      }
      return undefined;
    });
    expect(ended).toMatchObject({ error_type: 'internal_error' });
    expect(killed.size).toBeGreaterThan(1);
    expect((await engine.call('GET', `/queue/fal-ai/bria/requests/${id}`)).status).toBe(500);
    const next = await submit(engine, REMOVE, { image_url: mug });
    expect((await waitForStatus(engine, next, 'COMPLETED')).error).toBeUndefined();
  });

  it('ends a job that takes too long and goes on', async () => {
    const engine = await start({ ENGINE_WORKERS: '1', ENGINE_STILL_SECONDS: '1' });
    const id = await submit(engine, REMOVE, { image_url: large });
    expect(await waitForStatus(engine, id, 'COMPLETED')).toMatchObject({ error_type: 'generation_timeout' });
    const response = await engine.call('GET', `/queue/fal-ai/bria/requests/${id}`);
    expect(response.status).toBe(504);
    expect(await response.json()).toMatchObject({ detail: [{ loc: ['body'], type: 'generation_timeout' }] });
  });

  it('ends a job that could not start in the time its sender gave it', async () => {
    const engine = await start({ ENGINE_WORKERS: '1' });
    const busy = await submit(engine, REMOVE, { image_url: large });
    const id = await submit(engine, REMOVE, { image_url: mug }, { 'x-fal-request-timeout': '0.2' });
    expect(await waitForStatus(engine, id, 'COMPLETED')).toMatchObject({ error_type: 'request_timeout' });
    const response = await engine.call('GET', `/queue/fal-ai/bria/requests/${id}`);
    expect([response.status, response.headers.get('x-fal-request-timeout-type')]).toEqual([504, 'user']);
    await engine.call('PUT', `/queue/fal-ai/bria/requests/${busy}/cancel`);
  });
});

describe('nothing stays behind', () => {
  it('deletes pictures when the job ends, results and jobs when their time is over', async () => {
    const engine = await start({ ENGINE_WORKERS: '1', ENGINE_TTL_SECONDS: '3' });
    const id = await submit(engine, REMOVE, { image_url: mug });
    await waitForStatus(engine, id, 'COMPLETED');
    await waitFor(async () => (await readdir(join(engine.dataDir, 'jobs', id))).join() === 'job.json');
    expect(await readFile(join(engine.dataDir, 'jobs', id, 'job.json'), 'utf8')).not.toContain('base64');
    await waitFor(async () => (await engine.call('GET', `/queue/fal-ai/bria/requests/${id}`)).status === 404);
    await waitFor(async () => (await readdir(join(engine.dataDir, 'jobs'))).length === 0);
    await waitFor(async () => (await readdir(join(engine.dataDir, 'files'))).length === 0);
    expect((await stat(engine.dataDir)).mode & 0o077).toBe(0);
  });

  it('lets outputs live no longer than their sender wants', async () => {
    const engine = await start({ ENGINE_WORKERS: '1' });
    const headers = { 'x-fal-object-lifecycle-preference': '{"expiration_duration_seconds":1}' };
    const id = await submit(engine, REMOVE, { image_url: mug }, headers);
    await waitForStatus(engine, id, 'COMPLETED');
    const body = (await (await engine.call('GET', `/queue/fal-ai/bria/requests/${id}`)).json()) as {
      image: { url: string };
    };
    await waitFor(async () => (await fetch(body.image.url)).status === 404);
  });

  it('leaves no worker behind when it is killed, told to stop, or its starter goes', async () => {
    for (const end of ['SIGKILL', 'SIGTERM', 'stdin'] as const) {
      const engine = await start();
      await submit(engine, REMOVE, { image_url: large });
      await submit(engine, REMOVE, { image_url: large });
      const workers = await waitFor(async () => {
        const found = workersOf(engine);
        return found.length === 2 && found;
      });
      const gone = new Promise((resolve) => engine.child.once('exit', resolve));
      if (end === 'stdin') engine.child.stdin?.end();
      else engine.child.kill(end);
      const code = await gone;
      if (end !== 'SIGKILL') expect(code).toBe(0);
      await waitFor(async () => workers.every((pid) => !isAlive(pid)), 2000);
    }
  });
});
