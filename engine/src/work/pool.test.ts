import { spawnSync } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import sharp from 'sharp';
import { afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
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
import { makeNetwork } from '../../test/tiny-network.ts';
import { systemClock } from '../clock.ts';
import { makePoolLimits, type PoolLimits } from './limits.ts';
import { Pool } from './pool.ts';

/** What the pool owes the other jobs: whoever takes too much dies alone, and the engine goes on. */

let small: string;
let middling: string;
let huge: string;
const started: Engine[] = [];

beforeAll(async () => {
  const product = await readProduct('mug');
  small = toDataUrl(await sharp(product).resize(300).jpeg().toBuffer());
  middling = toDataUrl(await sharp(product).resize(1000).jpeg().toBuffer());
  huge = toDataUrl(await sharp(product).resize(7000, 7000, { fit: 'fill' }).jpeg({ quality: 60 }).toBuffer());
});

afterEach(async () => {
  for (const engine of started.splice(0)) {
    if (engine.child.exitCode === null && engine.child.signalCode === null) await engine.kill();
    await removeFolder(engine);
  }
});

async function start(env: Record<string, string>): Promise<Engine> {
  const engine = await startEngine(env);
  started.push(engine);
  return engine;
}

describe('a job that takes too much', () => {
  it.each([
    ['memory', { ENGINE_WORKER_MEGABYTES: '420' }, { error_type: 'internal_error' }],
    ['time', { ENGINE_STILL_SECONDS: '3' }, { error_type: 'generation_timeout' }],
  ])('(%s) ends alone; the one beside it and the next are served', { timeout: 120_000 }, async (_, env, failure) => {
    const engine = await start({ ENGINE_WORKERS: '2', ...env });
    const greedy = await submit(engine, REPLACE, { image_url: huge, prompt: 'marble' });
    const beside = await submit(engine, REMOVE, { image_url: small });
    expect((await waitForStatus(engine, beside, 'COMPLETED')).error).toBeUndefined();
    expect(await waitForStatus(engine, greedy, 'COMPLETED')).toMatchObject(failure);
    const next = await submit(engine, REMOVE, { image_url: small });
    expect((await waitForStatus(engine, next, 'COMPLETED')).error).toBeUndefined();
  });

  it('is gone two seconds after it is cancelled, with its process', async () => {
    const engine = await start({ ENGINE_WORKERS: '1' });
    const id = await submit(engine, REPLACE, { image_url: huge, prompt: 'marble' });
    await waitFor(async () => ((await readStatus(engine, id)).logs?.length ?? 0) > 0);
    const [worker] = workersOf(engine);
    await engine.call('PUT', `/queue/fal-ai/bria/requests/${id}/cancel`);
    const ended = await waitFor(async () => {
      const status = await readStatus(engine, id);
      return status.status === 'COMPLETED' && status;
    }, 2000);
    expect(ended.error_type).toBe('client_cancelled');
    expect(worker && isAlive(worker)).toBe(false);
    const next = await submit(engine, REMOVE, { image_url: small });
    expect((await waitForStatus(engine, next, 'COMPLETED')).error).toBeUndefined();
  });
});

describe('a worker that says nothing', { timeout: 120_000 }, () => {
  const SILENCE_MS = 2200; // a little more than from beat to beat
  let folder: string;
  let pool: Pool | undefined;
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'engine-pool-'));
  });
  afterEach(async () => {
    await pool?.close();
    await rm(folder, { recursive: true, force: true });
  });

  const soonHeld = { taskMs: 100_000, silenceMs: SILENCE_MS };

  async function begin(
    dataUrl: string,
    { taskMs, ...limits }: { taskMs: number } & Partial<PoolLimits>,
    onProgress = () => {},
  ) {
    const size = { workers: 1, taskMs, videoMs: taskMs };
    pool = new Pool({ ...makePoolLimits(size, 1024), ...limits }, systemClock);
    await pool.whenReady();
    const path = join(folder, 'upload');
    await writeFile(path, Buffer.from(dataUrl.split(',')[1] ?? '', 'base64'));
    const task = { jobId: 'one', app: REMOVE, input: {}, pictures: { image_url: path }, folder, isRepeated: false };
    return pool.start(task, onProgress).end;
  }

  it('because it computes is left to its work', async () => {
    // It comes back to its messages only after a second and more.
    expect((await begin(huge, { ...soonHeld, silenceMs: 700 })).kind).toBe('done');
  });

  it('because others have the processor is not held to the clock', async () => {
    let isHalted = false;
    const halt = () => {
      if (isHalted) return;
      isHalted = true;
      signalChildren('SIGSTOP');
      setTimeout(() => signalChildren('SIGCONT'), 10_000);
    };
    expect((await begin(small, { taskMs: 8000 }, halt)).kind).toBe('done');
    expect(isHalted).toBe(true);
  });

  it('because it hangs is ended, so that another can try', async () => {
    const end = await begin(small, soonHeld, () => signalChildren('SIGSTOP'));
    expect(end).toEqual({ kind: 'crashed', reason: 'silent' });
  });
});

/** Halts this process's workers where they are, or lets them go on. */
function signalChildren(signal: 'SIGSTOP' | 'SIGCONT'): void {
  const { stdout } = spawnSync('pgrep', ['-P', String(process.pid), '-f', 'worker.ts'], { encoding: 'utf8' });
  for (const pid of stdout.split('\n').filter((line) => line !== '')) process.kill(Number(pid), signal);
}

describe("the operator's network", () => {
  async function startWith(bytes: Uint8Array, workers = '2'): Promise<{ engine: Engine; said: () => string }> {
    const dataDir = await mkdtemp(join(tmpdir(), 'engine-test-'));
    const path = join(dataDir, 'network.onnx');
    await writeFile(path, bytes);
    const network = {
      ENGINE_MATTING_MODEL: path,
      ENGINE_MATTING_SIZE: '128',
      ENGINE_MATTING_MEAN: '0.5,0.5,0.5',
      ENGINE_MATTING_DEVIATION: '0.02,0.02,0.02',
    };
    const engine = await startEngine({ ENGINE_WORKERS: workers, ...network }, dataDir);
    started.push(engine);
    let text = '';
    engine.child.stderr?.on('data', (chunk: Buffer) => (text += chunk.toString()));
    return { engine, said: () => text };
  }

  /** A dark disc on a bright ground: the tiny network takes the ground for the product, nothing else would. */
  async function alphaOfDisc(engine: Engine): Promise<{ middle: number; corner: number }> {
    const disc = Buffer.from(
      '<svg width="300" height="300"><rect width="300" height="300" fill="#eee"/><circle cx="150" cy="150" r="80" fill="#223"/></svg>',
    );
    const id = await submit(engine, REMOVE, { image_url: toDataUrl(await sharp(disc).png().toBuffer(), 'image/png') });
    await waitForStatus(engine, id, 'COMPLETED');
    const response = await engine.call('GET', `/queue/fal-ai/bria/requests/${id}`);
    const { image } = (await response.json()) as { image: { url: string } };
    const bytes = Buffer.from(await (await fetch(image.url)).arrayBuffer());
    const { data } = await sharp(bytes).extractChannel(3).raw().toBuffer({ resolveWithObject: true });
    return { middle: data[150 * 300 + 150] ?? -1, corner: data[5 * 300 + 5] ?? -1 };
  }

  it('tells product from background in every worker', async () => {
    const { engine, said } = await startWith(makeNetwork());
    expect(await Promise.all([alphaOfDisc(engine), alphaOfDisc(engine)])).toEqual([
      { middle: 0, corner: 255 },
      { middle: 0, corner: 255 },
    ]);
    expect(said()).not.toContain('matting_network_unusable');
  });

  it('is named once in the log when it is of no use, and the classical method serves', async () => {
    const { engine, said } = await startWith(Buffer.from('<html>not found</html>'));
    const alphas = await Promise.all([alphaOfDisc(engine), alphaOfDisc(engine)]);
    for (const alpha of alphas) expect(alpha).toEqual({ middle: 255, corner: 0 });
    expect(said().split('matting_network_unusable')).toHaveLength(2);
  });

  it('is given up when workers keep dying over it, and no job is lost', { timeout: 120_000 }, async () => {
    const { engine, said } = await startWith(makeNetwork(), '1');
    // A worker that dies while it still loads our own network says nothing about the operator's.
    for (let kills = 0; kills < 6 && !said().includes('using it ended 3 workers'); kills += 1) {
      const id = await submit(engine, REMOVE, { image_url: middling });
      await waitFor(async () => ((await readStatus(engine, id)).logs?.length ?? 0) > 2);
      for (const pid of workersOf(engine)) process.kill(pid, 'SIGKILL');
      expect((await waitForStatus(engine, id, 'COMPLETED')).error).toBeUndefined();
    }
    expect(said()).toContain('using it ended 3 workers');
    expect(await alphaOfDisc(engine)).toEqual({ middle: 255, corner: 0 });
  });
});
