import { createHash } from 'node:crypto';
import { mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { adoptDurably, findJson, makePrivateFolder, writeDurably } from './durable.ts';
import { isOverdue, makePoolLimits } from './limits.ts';
import { areAllParts, joinParts, keepPart, type Part } from './parts.ts';

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'engine-parts-'));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

async function keep(partNumber: number, text: string): Promise<Part> {
  const sent = join(folder, `sent-${partNumber}-${text}`);
  await writeFile(sent, text);
  return { partNumber, etag: await keepPart(join(folder, 'parts'), partNumber, sent) };
}

describe('the parts of an upload', () => {
  it('are named by the hash of their bytes, and join in their order', async () => {
    const parts = [await keep(1, 'abc'), await keep(2, 'de')];
    expect(parts[0]!.etag).toBe(createHash('sha256').update('abc').digest('hex'));
    expect(await areAllParts(join(folder, 'parts'), parts)).toBe(true);
    await joinParts(join(folder, 'parts'), parts, join(folder, 'whole'));
    expect(await readFile(join(folder, 'whole'), 'utf8')).toBe('abcde');
  });

  it('may come in any order, and again: the later one counts', async () => {
    const second = await keep(2, 'de');
    await keep(1, 'old');
    const first = await keep(1, 'new');
    expect(await readdir(join(folder, 'parts'))).toHaveLength(2);
    expect(await areAllParts(join(folder, 'parts'), [first, second])).toBe(true);
  });

  it('of ten are not those of one', async () => {
    const parts: Part[] = [];
    for (let n = 1; n <= 10; n += 1) parts.push(await keep(n, `part ${n}`));
    const again = await keep(1, 'another');
    expect(await areAllParts(join(folder, 'parts'), [again, ...parts.slice(1)])).toBe(true);
  });

  it('are not all there when one is left out, turned round, wrongly tagged or made up', async () => {
    const [one, two] = [await keep(1, 'abc'), await keep(2, 'de')];
    const held = join(folder, 'parts');
    for (const list of [
      [],
      [one],
      [two, one],
      [one, { ...two, etag: one.etag }],
      [one, two, { ...two, partNumber: 3 }],
    ]) {
      expect(await areAllParts(held, list)).toBe(false);
    }
    expect(await areAllParts(held, [one, { partNumber: 2, etag: '../../etc/passwd' }])).toBe(false);
    expect(await areAllParts(join(folder, 'nowhere'), [one])).toBe(false);
  });

  it('never write over a file that is there', async () => {
    const parts = [await keep(1, 'abc')];
    await writeFile(join(folder, 'whole'), 'mine');
    await expect(joinParts(join(folder, 'parts'), parts, join(folder, 'whole'))).rejects.toThrow('EEXIST');
    expect(await readFile(join(folder, 'whole'), 'utf8')).toBe('mine');
  });
});

describe('a durable file', () => {
  it('is replaced as a whole, for its owner only, and leaves no draft', async () => {
    const path = join(folder, 'state.json');
    await writeDurably(path, '{"n":1}');
    await writeDurably(path, '{"n":2}');
    expect(await findJson(path)).toEqual({ n: 2 });
    expect(await readdir(folder)).toEqual(['state.json']);
    expect((await stat(path)).mode & 0o777).toBe(0o600);
  });

  it('that cannot be written leaves nothing behind', async () => {
    await makePrivateFolder(join(folder, 'taken'));
    await expect(writeDurably(join(folder, 'taken'), 'x')).rejects.toThrow();
    expect(await readdir(folder)).toEqual(['taken']);
  });

  it('may be one that was written already', async () => {
    await writeFile(join(folder, 'draft'), 'bytes');
    await adoptDurably(join(folder, 'draft'), join(folder, 'kept'));
    expect(await readdir(folder)).toEqual(['kept']);
  });

  it('is nothing where it is missing or half written', async () => {
    expect(await findJson(join(folder, 'missing'))).toBeUndefined();
    await writeFile(join(folder, 'half'), '{"n":');
    expect(await findJson(join(folder, 'half'))).toBeUndefined();
    expect(await findJson(join(folder, 'half', 'below'))).toBeUndefined();
  });
});

describe('the time of a task', () => {
  const limits = makePoolLimits({ workers: 1, taskMs: 1000, videoMs: 5000 }, 512);
  const run = (app: string) => ({
    task: { jobId: '', app, input: {}, pictures: {}, folder: '', isRepeated: false },
    startedAtMs: 100,
    startedAtCpuMs: 50,
  });
  const still = run('fal-ai/bria/background/remove');
  const video = run('fal-ai/ltx-video/image-to-video');
  const used = (cpuMs: number) => ({ rssBytes: 0, cpuMs });

  it('is counted in processor time, so that a busy machine fails nobody', () => {
    expect(isOverdue(limits, still, used(1050), 2500)).toBe(false);
    expect(isOverdue(limits, still, used(1051), 1200)).toBe(true);
  });

  it('by the clock is three times as long, for who waits without working', () => {
    expect(isOverdue(limits, still, used(60), 3100)).toBe(false);
    expect(isOverdue(limits, still, used(60), 3101)).toBe(true);
  });

  it('of a video is its own, and of an unknown skill that of a still', () => {
    expect(isOverdue(limits, video, used(4000), 4000)).toBe(false);
    expect(isOverdue(limits, video, used(5051), 6000)).toBe(true);
    expect(isOverdue(limits, run('nobody/knows'), used(1051), 1200)).toBe(true);
  });

  it('is the clock’s alone where the system does not tell', () => {
    expect(isOverdue(limits, still, undefined, 1100)).toBe(false);
    expect(isOverdue(limits, still, undefined, 1101)).toBe(true);
  });

  it('comes with a memory below whose ceiling a worker is replaced', () => {
    expect(limits.maxRssBytes).toBe(512 * 1024 * 1024);
    expect(limits.recycleRssBytes).toBeLessThan(limits.maxRssBytes);
  });
});
