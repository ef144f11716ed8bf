import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { Files, type Place } from './files.ts';

const TTL_MS = 10_000;
let folder: string;
let root: string;
let nowMs: number;
let files: Files;
let drafts = 0;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'engine-files-'));
  root = join(folder, 'files');
  nowMs = 1_000_000;
  files = await openFiles();
});
afterEach(() => rm(folder, { recursive: true, force: true }));

/** As the engine does when it starts. */
async function openFiles(): Promise<Files> {
  const opened = new Files(root, TTL_MS, () => nowMs);
  await opened.open();
  return opened;
}

/** Bytes that have arrived and are nobody's yet. */
async function receive(text: string): Promise<string> {
  const path = join(folder, `draft-${(drafts += 1)}`);
  await writeFile(path, text);
  return path;
}

async function read(id: string, name: string): Promise<string | undefined> {
  const found = await files.findFile(id, name);
  return found && readFile(found.path, 'utf8');
}

describe('an upload', () => {
  it('is a file of its name and type as soon as its bytes are there, and not before', async () => {
    const { name, ...place } = await files.beginUpload('mug.png', 'image/png');
    expect(await files.findFile(place.id, name)).toBeUndefined();
    expect(await files.finishUpload(place, await receive('bytes'))).toBe('stored');
    expect(await files.findFile(place.id, name)).toMatchObject({ name, contentType: 'image/png', sizeBytes: 5 });
    expect(await read(place.id, name)).toBe('bytes');
  });

  it('is taken once: its address is good for one file', async () => {
    const { name, ...place } = await files.beginUpload('a.png', 'image/png');
    expect(await files.finishUpload(place, await receive('first'))).toBe('stored');
    expect(await files.finishUpload(place, await receive('second'))).toBe('used');
    expect(await read(place.id, name)).toBe('first');
  });

  it('that is sent several times at once is taken from one of them, whole', async () => {
    const { name, ...place } = await files.beginUpload('a.png', 'image/png');
    const texts = ['one', 'another', 'a third'];
    const sent = await Promise.all(texts.map(receive));
    const answers = await Promise.all(sent.map((path) => files.finishUpload(place, path)));
    expect(answers.toSorted()).toEqual(['stored', 'used', 'used']);
    expect(await read(place.id, name)).toBe(texts[answers.indexOf('stored')]);
  });

  it.each<[string, (place: Place) => Place, string]>([
    ['another token', (place) => ({ ...place, token: 'x'.repeat(22) }), 'used'],
    ['a part of the token', (place) => ({ ...place, token: place.token.slice(0, 21) }), 'used'],
    ['no token', (place) => ({ ...place, token: '' }), 'used'],
    ['another id', (place) => ({ ...place, id: 'A'.repeat(22) }), 'unknown'],
    ['an id that is a path', (place) => ({ ...place, id: `../files/${place.id}` }), 'unknown'],
    ['no id', (place) => ({ ...place, id: '' }), 'unknown'],
  ])('is not taken with %s', async (_, change, answer) => {
    const { name, ...place } = await files.beginUpload('a.png', 'image/png');
    expect(await files.finishUpload(change(place), await receive('bytes'))).toBe(answer);
    expect(await files.findFile(place.id, name)).toBeUndefined();
    expect(await files.finishUpload(place, await receive('right'))).toBe('stored');
  });

  it('does not keep its token', async () => {
    const { token, ...place } = await files.beginUpload('a.png', 'image/png');
    await files.finishUpload({ token, ...place }, await receive('bytes'));
    expect(await readFile(join(root, place.id, 'file.json'), 'utf8')).not.toContain(token);
  });

  it('is another one each time, though all is the same', async () => {
    const places = await Promise.all([1, 2, 3].map(() => files.beginUpload('a.png', 'image/png')));
    expect(new Set(places.flatMap(({ id, token }) => [id, token])).size).toBe(6);
  });
});

describe('an upload in parts', () => {
  const begin = () => files.beginUpload('large.png', 'image/png', { isInParts: true });
  const addPart = async (place: Place, partNumber: number, text: string) => {
    const kept = await files.addPart(place, partNumber, await receive(text));
    if (typeof kept === 'string') throw new Error(`the part was ${kept}`);
    return { partNumber, etag: kept.etag };
  };
  const draft = () => join(folder, `joined-${(drafts += 1)}`);

  it('is a file of all of them in their order, and the parts go', async () => {
    const { name, ...place } = await begin();
    const second = await addPart(place, 2, 'part two');
    const first = await addPart(place, 1, 'part one, ');
    expect(await files.completeUpload(place, [first, second], draft())).toBe('stored');
    expect(await read(place.id, name)).toBe('part one, part two');
    expect((await readdir(join(root, place.id))).toSorted()).toEqual(['content', 'file.json']);
  });

  it('stays open while the list is not what arrived', async () => {
    const { name, ...place } = await begin();
    const first = await addPart(place, 1, 'one');
    expect(await files.completeUpload(place, [first, { partNumber: 2, etag: first.etag }], draft())).toBe('mismatch');
    expect(await files.findFile(place.id, name)).toBeUndefined();
    const second = await addPart(place, 2, 'two');
    expect(await files.completeUpload(place, [first, second], draft())).toBe('stored');
    expect(await files.completeUpload(place, [first, second], draft())).toBe('used');
    expect(await files.addPart(place, 3, await receive('late'))).toBe('used');
  });

  it('and a whole one are not sent to each other’s addresses', async () => {
    const [whole, parts] = [await files.beginUpload('a.png', 'image/png'), await begin()];
    expect(await files.addPart(whole, 1, await receive('x'))).toBe('used');
    expect(await files.completeUpload(whole, [], draft())).toBe('used');
    expect(await files.finishUpload(parts, await receive('x'))).toBe('used');
  });

  it('is completed once, however often it is asked for at once', async () => {
    const place = await begin();
    const list = [await addPart(place, 1, 'one')];
    const answers = await Promise.all([1, 2, 3].map(() => files.completeUpload(place, list, draft())));
    expect(answers.filter((answer) => answer === 'stored')).toHaveLength(1);
    expect(answers.filter((answer) => answer === 'used')).toHaveLength(2);
    expect(await read(place.id, place.name)).toBe('one');
  });
});

describe('a result', () => {
  const idOf = (path: string) => path.split('/')[2] ?? '';

  it('is served under a path that nobody can guess, and its draft is gone', async () => {
    const from = await receive('picture');
    const path = await files.addResult(from, 'cutout.png', 'image/png');
    expect(path).toMatch(/^\/files\/[A-Za-z0-9_-]{22}\/cutout\.png$/);
    expect(await read(idOf(path), 'cutout.png')).toBe('picture');
    await expect(readFile(from)).rejects.toThrow('ENOENT');
  });

  it('is found by its own name only', async () => {
    const id = idOf(await files.addResult(await receive('picture'), 'cutout.png', 'image/png'));
    for (const name of ['other.png', '', 'cutout.png/', '../cutout.png', 'file.json', 'content']) {
      expect(await files.findFile(id, name)).toBeUndefined();
    }
    expect(await files.findFile(`${id}/..`, 'cutout.png')).toBeUndefined();
  });

  it('takes no uploads', async () => {
    const id = idOf(await files.addResult(await receive('picture'), 'cutout.png', 'image/png'));
    expect(await files.finishUpload({ id, token: '' }, await receive('mine'))).toBe('used');
    expect(await read(id, 'cutout.png')).toBe('picture');
  });

  it.each([
    ['image/png', 'image/png'],
    ['video/mp4', 'video/mp4'],
    ['text/html', 'application/octet-stream'],
    ['image/svg+xml', 'application/octet-stream'],
    ['', 'application/octet-stream'],
  ])('sent as %s is served as %s: no page of a stranger’s is ours', async (sent, served) => {
    const id = idOf(await files.addResult(await receive('<script>'), 'x', sent));
    expect(await files.findFile(id, 'x')).toMatchObject({ contentType: served });
  });
});

describe('a file’s name', () => {
  it('is one that is safe in an address, whatever was sent', async () => {
    const names = fc.oneof(
      fc.string({ unit: 'binary', maxLength: 120 }),
      fc.array(fc.constantFrom('.', '-', '/', 'a', '%', 'ä', ' '), { maxLength: 120 }).map((signs) => signs.join('')),
    );
    await fc.assert(
      fc.asyncProperty(names, async (sent) => {
        const { name } = await files.beginUpload(sent, 'image/png');
        expect(name).toMatch(/^[A-Za-z0-9_][A-Za-z0-9._-]{0,79}$/);
      }),
      {
        numRuns: 10,
        endOnFailure: true,
        examples: [['../../etc/passwd'], [''], ['...'], [`a${'.'.repeat(90)}`], [`${'-'.repeat(90)}.png`]],
      },
    );
  });

  it.each([
    ['my mug (1).png', 'my-mug-1-.png'],
    ['../../mug.png', 'mug.png'],
    ['Tasse.JPG', 'Tasse.JPG'],
    ['杯子.png', 'png'],
    ['/', 'file'],
  ])('%j becomes %j', async (sent, name) => {
    expect((await files.beginUpload(sent, 'image/png')).name).toBe(name);
  });
});

describe('the life of a file', () => {
  it.each<[string, number | undefined, number]>([
    ['ends with the time of all files', undefined, TTL_MS],
    ['may be shorter', 3000, 3000],
    ['is never longer', 99_000, TTL_MS],
  ])('%s', async (_, livesMs, endsAfterMs) => {
    const place = await files.beginUpload('a.png', 'image/png', { livesMs });
    await files.finishUpload(place, await receive('bytes'));
    nowMs += endsAfterMs - 1;
    await files.deleteExpired();
    expect(await read(place.id, 'a.png')).toBe('bytes');
    nowMs += 1;
    expect(await files.findFile(place.id, 'a.png')).toBeUndefined();
    await files.deleteExpired();
    expect(await readdir(root)).toEqual([]);
  });

  it('is over for an address that nobody has used in time', async () => {
    const place = await files.beginUpload('a.png', 'image/png', { livesMs: 50 });
    nowMs += 50;
    expect(await files.finishUpload(place, await receive('late'))).toBe('unknown');
  });

  it('goes on after a restart, and so does an open upload', async () => {
    const [kept, open] = [await files.beginUpload('a.png', 'image/png'), await files.beginUpload('b.png', 'image/png')];
    await files.finishUpload(kept, await receive('kept'));
    files = await openFiles();
    expect(await read(kept.id, 'a.png')).toBe('kept');
    expect(await files.finishUpload(open, await receive('later'))).toBe('stored');
  });

  it('begins whole: what a crash left half made goes at the next start, and at no purge before', async () => {
    await mkdir(join(root, '.new-half'));
    await files.deleteExpired();
    expect(await readdir(root)).toEqual(['.new-half']);
    await openFiles();
    expect(await readdir(root)).toEqual([]);
  });

  it('ends where its record is damaged: what nobody can find is not kept', async () => {
    const place = await files.beginUpload('a.png', 'image/png');
    await writeFile(join(root, place.id, 'file.json'), '{"name":');
    await files.deleteExpired();
    expect(await readdir(root)).toEqual([]);
  });
});
