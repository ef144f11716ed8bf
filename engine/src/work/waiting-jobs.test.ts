import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { Files } from './files.ts';
import { JobStore } from './job-store.ts';
import { Jobs, makeTmp, type Submission } from './jobs.ts';
import { makePoolLimits } from './limits.ts';
import { Pool } from './pool.ts';

/** Jobs that no worker has room for: their order, their end without a start, and what is left of them on disk. */

const TTL_MS = 60_000;
let folder: string;
let nowMs: number;
let jobs: Jobs;
let fullPool: Pool;

beforeAll(async () => {
  fullPool = new Pool(makePoolLimits({ workers: 1, taskMs: 1000, videoMs: 1000 }, 512), () => 0);
  await fullPool.close(); // from now on it has no room
});
afterAll(() => fullPool.close());

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'engine-waiting-'));
  nowMs = 5_000_000;
  jobs = await openJobs();
});
afterEach(() => rm(folder, { recursive: true, force: true }));

/** As the engine does when it starts. */
async function openJobs(): Promise<Jobs> {
  const clock = () => nowMs;
  const files = new Files(join(folder, 'files'), TTL_MS, clock);
  await files.open();
  const store = new JobStore(join(folder, 'jobs'));
  const opened = new Jobs({ store, files, pool: fullPool, clock, ttlMs: TTL_MS, tmpDir: join(folder, 'tmp') });
  await opened.open();
  return opened;
}

function submit(changes: Partial<Submission> = {}) {
  nowMs += 1; // no two arrive at the same moment
  const pictures = { image_url: Buffer.from('a picture') };
  return jobs.submit({
    app: 'any',
    input: { prompt: 'marble' },
    pictures,
    problems: [],
    isLowPriority: false,
    ...changes,
  });
}

const PROBLEM = { loc: ['body', 'image_url'], msg: 'too small', type: 'image_too_small' };
const listOf = (id: string) => readdir(join(folder, 'jobs', id));
const positionsOf = (ids: string[], own = jobs) => ids.map((id) => own.queuePosition(own.find(id)!));

describe('the queue', () => {
  it('is in the order of arrival, with what can wait behind what cannot', async () => {
    const ids: string[] = [];
    for (const isLowPriority of [false, true, false, true, false]) ids.push((await submit({ isLowPriority })).id);
    expect(positionsOf(ids)).toEqual([0, 3, 1, 4, 2]);
  });

  it('moves up when a job in it is cancelled, and tells those behind', async () => {
    const [first, second, third] = [await submit(), await submit(), await submit()];
    expect(await jobs.cancel(second.id)).toBe('requested');
    expect(positionsOf([first.id, third.id])).toEqual([0, 1]);
    expect(jobs.find(second.id)).toMatchObject({ outcome: { status: 499, body: { error_type: 'client_cancelled' } } });
  });

  it('is the same after a restart', async () => {
    const ids: string[] = [];
    for (const isLowPriority of [true, false, false, false, false]) ids.push((await submit({ isLowPriority })).id);
    await jobs.cancel(ids[1]!);
    const again = await openJobs();
    expect(positionsOf([ids[2]!, ids[3]!, ids[4]!, ids[0]!], again)).toEqual([0, 1, 2, 3]);
    expect(again.find(ids[1]!)?.outcome?.status).toBe(499);
    expect(again.find(ids[0]!)).toMatchObject({ input: { prompt: 'marble' }, pictures: ['image_url'] });
  });

  it('tells who asks of every change until they ask no more', async () => {
    const job = await submit();
    let changes = 0;
    const stop = jobs.onChange(job.id, () => (changes += 1));
    await submit();
    expect(changes).toBeGreaterThan(0);
    stop();
    const before = changes;
    await jobs.cancel(job.id);
    expect(changes).toBe(before);
  });
});

describe('a job that never starts', () => {
  it('can be cancelled once, and only if there is one', async () => {
    const { id } = await submit();
    expect(await jobs.cancel(id)).toBe('requested');
    expect(await jobs.cancel(id)).toBe('completed');
    expect(await jobs.cancel('A'.repeat(22))).toBe('unknown');
  });

  it('ends when its sender has waited long enough, and not before', async () => {
    const { id } = await submit({ startWithinMs: 500 });
    const other = await submit();
    nowMs += 499;
    await jobs.tidy();
    expect(jobs.find(id)?.outcome).toBeUndefined();
    nowMs += 2;
    await jobs.tidy();
    expect(jobs.find(id)?.outcome).toMatchObject({ status: 504, body: { error_type: 'request_timeout' } });
    expect(jobs.find(other.id)?.outcome).toBeUndefined();
    expect(jobs.queuePosition(other)).toBe(0);
  });

  it('was refused: it ends at once, and nothing of it is kept', async () => {
    const { id } = await submit({ problems: [PROBLEM] });
    expect(jobs.find(id)?.outcome).toEqual({ status: 422, body: { detail: [PROBLEM] } });
    expect(await listOf(id)).toEqual(['job.json']);
    expect(await readFile(join(folder, 'jobs', id, 'job.json'), 'utf8')).not.toContain('marble');
    expect(await jobs.cancel(id)).toBe('completed');
  });

  it('is one end among all, whichever way it ended', async () => {
    let ends = 0;
    jobs.onEnd(() => (ends += 1));
    await submit({ problems: [PROBLEM] });
    await jobs.cancel((await submit()).id);
    await submit({ startWithinMs: 5 });
    nowMs += 10;
    await jobs.tidy();
    await submit();
    expect(ends).toBe(3);
  });
});

describe('the pictures of a job', () => {
  it('are on disk before the job is, so that a whole job has all of them', async () => {
    const { id } = await submit({ pictures: { face: Buffer.from('one'), target: Buffer.from('two') } });
    expect((await listOf(id)).toSorted()).toEqual(['face.picture', 'job.json', 'target.picture']);
    const store = new JobStore(join(folder, 'jobs'));
    const paths = store.picturePaths(jobs.find(id)!);
    expect(await readFile(paths['target']!, 'utf8')).toBe('two');
  });

  it('go when it ends', async () => {
    const { id } = await submit();
    await jobs.cancel(id);
    expect(await listOf(id)).toEqual(['job.json']);
  });

  it('go at the next start where the engine died between the end and that', async () => {
    const { id } = await submit();
    await jobs.cancel(id);
    await writeFile(join(folder, 'jobs', id, 'image_url.picture'), 'a picture');
    const again = await openJobs();
    expect(again.find(id)?.outcome?.status).toBe(499);
    expect(await listOf(id)).toEqual(['job.json']);
  });

  it('of a submit that was never answered go with it at the next start', async () => {
    const half = join(folder, 'jobs', 'B'.repeat(22));
    await mkdir(half);
    await writeFile(join(half, 'image_url.picture'), 'a picture');
    const { id } = await submit();
    await openJobs();
    expect(await readdir(join(folder, 'jobs'))).toEqual([id]);
  });
});

describe('an ended job', () => {
  it('answers until its time is over, then is forgotten with its folder', async () => {
    const ended = (await submit({ problems: [PROBLEM] })).id;
    const waiting = (await submit()).id;
    const endedAtMs = jobs.find(ended)!.finishedAtMs!;
    nowMs = endedAtMs + TTL_MS - 1;
    await jobs.tidy();
    expect(jobs.find(ended)).toBeDefined();
    nowMs += 1;
    await jobs.tidy();
    expect(jobs.find(ended)).toBeUndefined();
    expect(await readdir(join(folder, 'jobs'))).toEqual([waiting]);
  });

  it('has its sender told, also after a restart, until that is done', async () => {
    const webhookUrl = 'https://shop.example/hook';
    const { id } = await submit({ webhookUrl });
    await submit();
    expect(jobs.withOpenWebhook()).toEqual([]);
    await jobs.cancel(id);
    const [open] = jobs.withOpenWebhook();
    expect(open).toMatchObject({ id, webhook: { url: webhookUrl, tries: 0 } });
    await jobs.saveWebhook(open!, { url: webhookUrl, tries: 1, nextTryAtMs: nowMs + 9 });
    const again = await openJobs();
    const [kept] = again.withOpenWebhook();
    expect(kept?.webhook).toEqual({ url: webhookUrl, tries: 1, nextTryAtMs: nowMs + 9 });
    await again.saveWebhook(kept!, undefined);
    expect(again.withOpenWebhook()).toEqual([]);
    expect((await openJobs()).withOpenWebhook()).toEqual([]);
  });

  it('that was forgotten is not written again by a late delivery', async () => {
    const { id } = await submit({ problems: [PROBLEM], webhookUrl: 'https://shop.example/hook' });
    const [job] = jobs.withOpenWebhook();
    nowMs += TTL_MS;
    await jobs.tidy();
    await jobs.saveWebhook(job!, undefined);
    expect(await readdir(join(folder, 'jobs'))).not.toContain(id);
  });
});

describe('the folder for drafts', () => {
  it('is empty at every start', async () => {
    const tmp = join(folder, 'tmp');
    await mkdir(join(tmp, 'old', 'deep'), { recursive: true });
    await makeTmp(tmp);
    expect(await readdir(tmp)).toEqual([]);
  });
});
