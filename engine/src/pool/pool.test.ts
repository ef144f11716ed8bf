import { spawnSync } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import sharp from 'sharp';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import {
  beginTask,
  doTask,
  type Engine,
  isAlive,
  makeTaskForm,
  readProduct,
  REMOVE,
  removeFolder,
  REPLACE,
  startEngine,
  waitFor,
  workersOf,
} from '../../test/engine.ts';
import { Pool, type PoolSettings } from './pool.ts';

/** A task over its limits ends alone, and the engine continues with the others. */

let small: Buffer;
let middling: Buffer;
const started: Engine[] = [];
/** One worker, shared by tests that do not change its state. */
let single: Engine;

beforeAll(async () => {
  const product = await readProduct('mug');
  small = await sharp(product).resize(300).jpeg().toBuffer();
  middling = await sharp(product).resize(1000).jpeg().toBuffer();
  single = await startEngine({ ENGINE_WORKERS: '1' });
});

afterEach(async () => {
  for (const engine of started.splice(0)) await end(engine);
});
afterAll(() => end(single));

async function end(engine: Engine): Promise<void> {
  if (engine.child.exitCode === null && engine.child.signalCode === null) await engine.kill();
  await removeFolder(engine);
}

async function start(env: Record<string, string>): Promise<Engine> {
  const engine = await startEngine(env);
  started.push(engine);
  return engine;
}

/** 49 megapixels, which take long to decode. */
const makeHuge = () => sharp(middling).resize(7000, 7000, { fit: 'fill' }).jpeg({ quality: 60 }).toBuffer();

const of = (picture: Buffer, input = {}) => ({ pictures: { image_url: picture }, input });
/** A task of many seconds. */
const FILM = 'basic-video';

describe('a task over its limits', () => {
  it.each([
    ['memory', { ENGINE_WORKER_MEGABYTES: '400' }, REPLACE, makeHuge, 'broke'],
    ['time', { ENGINE_VIDEO_SECONDS: '1' }, FILM, async () => small, 'time_limit'],
  ] as const)(
    '(%s) ends alone; concurrent and later ones succeed',
    { tags: ['slow'], timeout: 120_000 },
    async (_, env, skill, picture, reason) => {
      const engine = await start({ ENGINE_WORKERS: '2', ...env });
      const greedy = doTask(engine, skill, of(await picture(), { prompt: 'marble' }));
      expect((await doTask(engine, REMOVE, of(small))).end.kind).toBe('done');
      expect((await greedy).end).toEqual({ kind: 'failed', reason });
      expect((await doTask(engine, REMOVE, of(small))).end.kind).toBe('done');
    },
  );

  it('ends within two seconds after its caller disconnects, with its process', { tags: ['slow'] }, async () => {
    const { lines, end, abort: hangUp } = beginTask(single, FILM, of(small));
    await waitFor(async () => lines.length > 1);
    const [worker] = workersOf(single);
    hangUp();
    await expect(end).rejects.toThrow();
    await waitFor(async () => worker !== undefined && !isAlive(worker), 2000);
    expect((await doTask(single, REMOVE, of(small))).end.kind).toBe('done');
  });
});

describe('queued tasks', { timeout: 120_000 }, () => {
  it('run in order, and are skipped if their caller disconnects', { tags: ['slow'] }, async () => {
    const first = beginTask(single, FILM, of(small));
    await waitFor(async () => first.lines.length > 1);
    const order: string[] = [];
    const queue = async (name: string) => {
      const begun = beginTask(single, REMOVE, of(small));
      await waitFor(async () => begun.lines[0]?.kind === 'queued');
      return { ...begun, end: begun.end.then(() => order.push(name)) };
    };
    // Sequentially: each has its own connection, and a later one may be faster.
    const [one, second, last] = [await queue('a'), await queue('b'), await queue('c')];
    second.abort();
    await expect(second.end).rejects.toThrow();
    first.abort();
    await expect(first.end).rejects.toThrow();
    await Promise.all([one.end, last.end]);
    expect(order).toEqual(['a', 'c']);
    expect(second.lines).toEqual([{ kind: 'queued' }]);
  });

  it('are passed by one question about a photo, which has a worker of its own', { tags: ['slow'] }, async () => {
    const film = beginTask(single, FILM, of(small));
    await waitFor(async () => film.lines.length > 1);
    const waiting = beginTask(single, REMOVE, of(small));
    await waitFor(async () => waiting.lines.length > 0);
    expect((await doTask(single, 'find-subject', of(small))).end).toMatchObject({ kind: 'done', answer: {} });
    expect(film.lines.at(-1)?.kind).toBe('progress');
    expect(waiting.lines).toEqual([{ kind: 'queued' }]);
    for (const { abort, end } of [waiting, film]) {
      abort();
      await expect(end).rejects.toThrow();
    }
  });

  it('are not held back by questions that keep coming', { tags: ['slow'] }, async () => {
    const film = beginTask(single, FILM, of(small));
    await waitFor(async () => film.lines.length > 1);
    const waiting = beginTask(single, REMOVE, of(small));
    await waitFor(async () => waiting.lines.length > 0);
    const [huge, order]: [Buffer, string[]] = [await makeHuge(), []];
    const questions = Array.from({ length: 8 }, () =>
      doTask(single, 'find-subject', of(huge)).then(() => order.push('question')),
    );
    await Promise.race(questions);
    film.abort();
    await expect(film.end).rejects.toThrow();
    await Promise.all([waiting.end.then(() => order.push('cut-out')), ...questions]);
    expect(order.indexOf('cut-out')).toBeLessThan(7);
  });

  it('are limited in number: the next gets a retry-after before its picture is read', { tags: ['slow'] }, async () => {
    const begun = Array.from({ length: 17 }, () => beginTask(single, FILM, of(small)));
    await waitFor(async () => begun.every(({ lines }) => lines.length > 0));
    const answer = await single.call('POST', '/tasks', { body: makeTaskForm(REMOVE, of(small)) });
    expect([answer.status, answer.headers.get('retry-after')]).toEqual([503, '2']);
    for (const { abort: hangUp } of begun) hangUp();
    await Promise.allSettled(begun.map(({ end }) => end));
    await waitFor(async () => {
      const again = await single.call('POST', '/tasks', { body: makeTaskForm(REMOVE, of(small)) });
      return again.status === 200 && (await again.arrayBuffer());
    });
  });
});

describe('a silent worker', { tags: ['slow'], timeout: 120_000 }, () => {
  const SILENCE_MS = 2200; // slightly longer than the heartbeat interval
  let folder: string;
  let pool: Pool | undefined;
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'engine-pool-'));
  });
  afterEach(async () => {
    await pool?.close();
    await rm(folder, { recursive: true, force: true });
  });

  const soonHeld = { stillSeconds: 100, silenceMs: SILENCE_MS };
  const SETTINGS: PoolSettings = {
    workers: 1,
    stillSeconds: 60,
    videoSeconds: 60,
    workerMegabytes: 1024,
    networkThreads: 1,
  };

  async function run(
    picture: Buffer,
    { stillSeconds, ...limits }: { stillSeconds: number } & Partial<PoolSettings>,
    onProgress = () => {},
  ) {
    const held = { ...SETTINGS, stillSeconds };
    pool = new Pool(held);
    await pool.whenReady();
    // Only now, because a starting worker is silent as well, longer on a busy machine.
    Object.assign(held, limits);
    const path = join(folder, 'upload');
    await writeFile(path, picture);
    const task = { id: 'one', skill: REMOVE, input: {}, pictures: { image_url: path }, folder };
    return pool.run(task, onProgress, new AbortController().signal);
  }

  it('that never started returns its task', async () => {
    const { execPath } = process;
    process.execPath = join(folder, 'no-such-program');
    const starting = new Pool(SETTINGS);
    const task = { id: 'one', skill: REMOVE, input: {}, pictures: {}, folder };
    try {
      expect((await starting.run(task, () => {}, new AbortController().signal)).kind).toBe('broke');
    } finally {
      process.execPath = execPath;
      await starting.close();
    }
  });

  it('that computes is not killed', async () => {
    // It handles its messages only after more than a second.
    expect((await run(await makeHuge(), { ...soonHeld, silenceMs: 700 })).kind).toBe('done');
  });

  it('that lacks CPU time is not held to wall time', async () => {
    let isHalted = false;
    const halt = () => {
      if (isHalted) return;
      isHalted = true;
      signalChildren('SIGSTOP');
      setTimeout(() => signalChildren('SIGCONT'), 10_000);
    };
    expect((await run(small, { stillSeconds: 8 }, halt)).kind).toBe('done');
    expect(isHalted).toBe(true);
  });

  it('that hangs is killed, and another one runs its task, even if the clock is set back', async () => {
    const now = Date.now();
    const clock = vi.spyOn(Date, 'now').mockReturnValue(now - 3_600_000);
    const halted: number[] = [];
    const haltFirst = () => {
      if (halted.length === 0) halted.push(...signalChildren('SIGSTOP'));
    };
    const { kind } = await run(small, soonHeld, haltFirst).finally(() => clock.mockRestore());
    expect(kind).toBe('done');
    expect(halted.map(isAlive)).toEqual([false]);
  });

  it('twice in a row fails its task', async () => {
    const end = await run(small, soonHeld, () => signalChildren('SIGSTOP'));
    expect(end).toEqual({ kind: 'broke', reason: 'silent' });
  });
});

/** Pauses or resumes this process's workers. */
function signalChildren(signal: 'SIGSTOP' | 'SIGCONT'): number[] {
  const { stdout } = spawnSync('pgrep', ['-P', String(process.pid), '-f', 'worker.ts'], { encoding: 'utf8' });
  const pids = stdout.split('\n').filter(Boolean).map(Number);
  for (const pid of pids) process.kill(pid, signal);
  return pids;
}
