import { spawnSync } from 'node:child_process';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import sharp from 'sharp';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { REMOVE, waitFor } from '../../test/engine.ts';
import { systemClock } from '../clock.ts';
import { Files } from './files.ts';
import { JobStore, type Job } from './job-store.ts';
import { Jobs, type Submission } from './jobs.ts';
import { makePoolLimits, type PoolLimits } from './limits.ts';
import { Pool } from './pool.ts';

/** How jobs end, each way once, with one real worker; small pictures with their own cut-out need no network. */

const TTL_MS = 60_000;
const LIMITS = makePoolLimits({ workers: 1, taskMs: 30_000, videoMs: 30_000 }, 1024);
const ID = /^[A-Za-z0-9_-]{22}$/;
let folder: string;
let picture: Buffer;
let pool: Pool;
let files: Files;

/** Without a network of our own to load: none is asked for here. */
const openPool = (changes: Partial<PoolLimits> = {}) =>
  new Pool({ ...LIMITS, ...changes }, systemClock, { threads: 1, card: '/none/cutout.json' });

beforeAll(async () => {
  const data = Buffer.alloc(96 * 80 * 4);
  for (let i = 0; i < 96 * 80; i += 1) {
    const isCup = i % 96 > 30 && i % 96 < 70 && i > 20 * 96 && i < 60 * 96;
    data.set([200, i % 96, 60, isCup ? 255 : 0], 4 * i);
  }
  picture = await sharp(data, { raw: { width: 96, height: 80, channels: 4 } })
    .png()
    .toBuffer();
  pool = openPool();
  await pool.whenReady();
});
afterAll(() => pool.close());

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'engine-endings-'));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

async function openJobs(by = pool): Promise<Jobs> {
  files = new Files(join(folder, 'files'), TTL_MS, systemClock);
  await files.open();
  const store = new JobStore(join(folder, 'jobs'));
  const jobs = new Jobs({ store, files, pool: by, clock: systemClock, ttlMs: TTL_MS, tmpDir: join(folder, 'tmp') });
  await jobs.open();
  return jobs;
}

const send = (jobs: Jobs, changes: Partial<Submission> = {}) =>
  jobs.submit({
    app: REMOVE,
    input: {},
    pictures: { image_url: picture },
    problems: [],
    isLowPriority: false,
    ...changes,
  });

/** Ended, and tidied up after. */
const endOf = (job: Job) =>
  waitFor(async () => job.outcome && (await readdir(join(folder, 'tmp')).catch(() => [])).length === 0 && job);

describe('a job', () => {
  it('that is done has its pictures served, and leaves nothing else behind', async () => {
    const jobs = await openJobs();
    const job = await endOf(await send(jobs));
    expect(job.outcome?.status).toBe(200);
    const { image } = job.outcome!.body as { image: Record<string, unknown> & { url: string } };
    expect(image).toMatchObject({ content_type: 'image/png', width: 96, height: 80 });
    expect(image).not.toHaveProperty('local_path');
    const [, , id, name] = image.url.split('/');
    expect(id).toMatch(ID);
    const served = await files.findFile(id!, name!);
    expect(served?.sizeBytes).toBe(image['file_size']);
    const { channels } = await sharp(served!.path).stats();
    expect([channels[3]!.min, channels[3]!.max]).toEqual([0, 255]);
    expect(await readdir(join(folder, 'jobs', job.id))).toEqual(['job.json']);
  });

  it('tells how far it is: forward, never all, each with its time', async () => {
    const job = await endOf(await send(await openJobs()));
    const percents = job.logs.map(({ message }) => Number(/^\d+/.exec(message)?.[0]));
    expect(percents.length).toBeGreaterThan(2);
    expect(percents).toEqual(percents.toSorted((one, other) => one - other));
    expect(percents.at(-1)).toBeLessThan(100);
    expect(job.logs.every(({ timestamp }) => Math.abs(Date.parse(timestamp) - systemClock()) < 60_000)).toBe(true);
  });

  it('that its skill refuses says which field and why', async () => {
    const job = await endOf(await send(await openJobs(), { pictures: { image_url: Buffer.from('<html>no picture') } }));
    expect(job.outcome).toMatchObject({
      status: 422,
      body: { detail: [{ loc: ['body', 'image_url'], type: 'unsupported_image_format' }] },
    });
  });

  it('that breaks says no more than that, and the worker goes on', async () => {
    const jobs = await openJobs();
    const broken = await endOf(await send(jobs, { app: 'nobody/knows' }));
    expect(broken.outcome).toEqual({
      status: 500,
      body: { detail: 'The engine failed on this request.', error_type: 'internal_error' },
    });
    expect(broken.crashes).toBe(0);
    expect((await endOf(await send(jobs))).outcome?.status).toBe(200);
  });

  it('gives the same bytes each time', async () => {
    const jobs = await openJobs();
    const read = async () => {
      const { outcome } = await endOf(await send(jobs));
      const { url } = (outcome!.body as { image: { url: string } }).image;
      const [, , id, name] = url.split('/');
      return readFile((await files.findFile(id!, name!))!.path);
    };
    expect(Buffer.compare(await read(), await read())).toBe(0);
  });

  it('may be one of many: all end, in the order of arrival', async () => {
    const jobs = await openJobs();
    const sent: Job[] = [];
    for (let n = 0; n < 4; n += 1) sent.push(await send(jobs));
    for (const job of sent) await endOf(job);
    const times = sent.map(({ finishedAtMs }) => finishedAtMs!);
    expect(times).toEqual(times.toSorted((one, other) => one - other));
    expect(new Set(sent.map(({ outcome }) => JSON.stringify(outcome))).size).toBe(4); // each has a file of its own
  });
});

describe('a job under way', () => {
  it('that is cancelled ends as cancelled, though its worker dies of it, and the next one is served', async () => {
    const jobs = await openJobs();
    const job = await send(jobs);
    expect(await jobs.cancel(job.id)).toBe('requested');
    expect((await endOf(job)).outcome).toMatchObject({ status: 499 });
    expect(job.crashes).toBe(0);
    expect(await jobs.cancel(job.id)).toBe('completed');
    expect((await endOf(await send(jobs))).outcome?.status).toBe(200);
  });

  it('when the engine closes has no end: it starts over at the next start, under the same id', async () => {
    const own = openPool();
    const first = await openJobs(own);
    const job = await send(first);
    first.close();
    await own.close();
    expect(job.outcome).toBeUndefined();
    const second = await openJobs();
    const again = second.find(job.id)!;
    expect((await endOf(again)).outcome?.status).toBe(200);
    expect(again.crashes).toBe(0);
  });
});

/** Process ids of the workers that this test has started. */
function findWorkers(): number[] {
  const { stdout } = spawnSync('pgrep', ['-P', String(process.pid), '-f', 'worker.ts'], { encoding: 'utf8' });
  return stdout.split('\n').filter(Boolean).map(Number);
}

describe('a pool', () => {
  const run = (by: Pool) =>
    by.start({ jobId: 'one', app: 'nobody/knows', input: {}, pictures: {}, folder, isRepeated: false }, () => {}).end;

  it('has room for as many tasks as it has workers', async () => {
    expect(pool.hasRoom()).toBe(true);
    const end = run(pool);
    expect(pool.hasRoom()).toBe(false);
    expect(await end).toMatchObject({ kind: 'broke' });
    expect(pool.hasRoom()).toBe(true);
  });

  it('replaces a worker that has done enough', async () => {
    const seen = findWorkers();
    const own = openPool({ recycleAfterTasks: 1 });
    const findNew = () => waitFor(async () => findWorkers().find((pid) => !seen.includes(pid)));
    seen.push(await findNew());
    expect(await run(own)).toMatchObject({ kind: 'broke' });
    expect(await findNew()).toBeGreaterThan(0);
    await own.close();
    expect(own.hasRoom()).toBe(false);
  });
});
