import { existsSync, mkdirSync, readdirSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Media } from '@plinth/contract/media';
import { sql } from 'kysely';
import sharp from 'sharp';
import { newToken } from '../src/platform/ids.ts';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { startTestApp, type TestApp } from './app.ts';
import { makeGeneration, makeUser, type TestUser, waitForEnd, waitUntil } from './makers.ts';
import { expectProblem, filesBelow, listen, makeManualClock, type ManualClock, sendRaw } from './wire.ts';

const DAY = 86_400;
let clock: ManualClock;
let app: TestApp;
let user: TestUser;
beforeAll(async () => {
  clock = makeManualClock();
  // The sweep runs once at the start, then never.
  app = await startTestApp({ SWEEP_INTERVAL_SECONDS: '100000' }, clock);
  user = await makeUser(app, { credits: 50 });
});
afterAll(() => app.close());

const MEDIA = '/api/v1/media';
type List = { items: Media[]; nextCursor: string | null };

async function makeMedia(owner = user, tool = 'remover'): Promise<Media> {
  const prompt = tool === 'remover' ? {} : { prompt: 'on a table' };
  const generation = await waitForEnd(owner, (await makeGeneration(owner, { tool, ...prompt })).id);
  const { items } = await owner.get<List>(`${MEDIA}?limit=100`);
  const media = items.find((item) => item.generationId === generation.id);
  if (media === undefined) throw new Error(`no media for ${JSON.stringify(generation)}`);
  return media;
}

async function pathOf(mediaId: string): Promise<string> {
  const found = await sql<{
    key: string;
  }>`select storage_path as key from generated_media where id = ${mediaId}`.execute(app.db);
  return join(app.dataDir, 'files', found.rows[0]?.key ?? 'none');
}

describe('the history', () => {
  it('lists results exactly', async () => {
    const owner = await makeUser(app, { credits: 5 });
    expect(await owner.get(MEDIA)).toEqual({ items: [], nextCursor: null });
    const media = await makeMedia(owner, 'text-to-image');
    expect(media).toEqual({
      id: expect.stringMatching(/^med_/),
      mediaType: 'product_image',
      contentType: 'image/png',
      bytes: expect.any(Number),
      width: 64,
      height: 48,
      tool: 'text-to-image',
      input: { prompt: 'on a table' },
      photoName: expect.stringMatching(/\.(png|jpe?g)$/),
      originalFilename: expect.stringMatching(/^product-shot-\d{13}\.png$/),
      generationId: expect.stringMatching(/^gen_/),
      createdAt: expect.any(String),
      expiresAt: expect.any(String),
      contentUrl: `${MEDIA}/${media.id}/content`,
      downloadUrl: `${MEDIA}/${media.id}/download`,
    });
    expect(Date.parse(media.expiresAt) - Date.parse(media.createdAt)).toBe(2 * DAY * 1000);
    expect(media.originalFilename).toContain(String(Date.parse(media.createdAt)));
    const { result } = await owner.get<{ result: object }>(`/api/v1/generations/${media.generationId}`);
    const { id: mediaId, mediaType, contentType, contentUrl, downloadUrl, originalFilename } = media;
    expect(result).toEqual({ mediaId, mediaType, contentType, contentUrl, downloadUrl, originalFilename });
  });

  it('is read page by page, newest first', async () => {
    const owner = await makeUser(app, { credits: 5 });
    const made: string[] = [];
    for (let count = 0; count < 5; count += 1) made.unshift((await makeMedia(owner)).id);
    const read: string[] = [];
    let query = '';
    for (;;) {
      const page: List = await owner.get<List>(`${MEDIA}?limit=2${query}`);
      read.push(...page.items.map((item) => item.id));
      if (page.nextCursor === null) break;
      query = `&cursor=${page.nextCursor}`;
    }
    expect(read).toEqual(made);
  });
});

describe('the bytes of an item', () => {
  let media: Media;
  let bytes: Buffer;
  beforeAll(async () => {
    media = await makeMedia();
    bytes = Buffer.from(await (await user.fetch(media.contentUrl)).arrayBuffer());
  });

  const EXPECTED = {
    'content-type': 'image/png',
    'accept-ranges': 'bytes',
    'x-content-type-options': 'nosniff',
    'content-security-policy': "sandbox; default-src 'none'",
    'cross-origin-resource-policy': 'same-origin',
    'cache-control': 'private, no-store',
  };

  it('are sent whole, with every header of the contract, identically each time', async () => {
    expect(bytes.byteLength).toBe(media.bytes);
    expect(await sharp(bytes).metadata()).toMatchObject({ format: 'png', width: media.width, height: media.height });
    const answer = await user.fetch(media.contentUrl);
    expect(answer.status).toBe(200);
    const headers = Object.fromEntries(answer.headers);
    expect(headers).toMatchObject({
      ...EXPECTED,
      'content-length': String(media.bytes),
      etag: expect.stringMatching(/^"[^"]{16,}"$/),
    });
    expect(headers['content-disposition']).toBeUndefined();
    expect((await user.fetch(media.contentUrl)).headers.get('etag')).toBe(headers.etag);
    expect(Buffer.from(await answer.arrayBuffer()).equals(bytes)).toBe(true);
  });

  it('are downloaded under the name of their photo; the stored name is unchanged', async () => {
    const answer = await user.fetch(media.downloadUrl);
    const name = 'photo-cutout.png';
    expect(media.originalFilename).toMatch(/^removed-bg-\d{13}\.png$/);
    expect(answer.headers.get('content-disposition')).toBe(`attachment; filename="${name}"; filename*=UTF-8''${name}`);
    expect(Object.fromEntries(answer.headers)).toMatchObject({ ...EXPECTED, 'content-length': String(media.bytes) });
    expect(Buffer.from(await answer.arrayBuffer()).equals(bytes)).toBe(true);
  });

  const size = () => media.bytes;
  const parts: [range: () => string, first: () => number, last: () => number][] = [
    [() => 'bytes=0-0', () => 0, () => 0],
    [() => 'bytes=10-19', () => 10, () => 19],
    [() => 'Bytes=20-', () => 20, () => size() - 1],
    [() => 'bytes=-7', () => size() - 7, () => size() - 1],
    [() => `bytes=0-${size() * 2}`, () => 0, () => size() - 1],
    [() => `bytes=-${size() * 2}`, () => 0, () => size() - 1],
    [() => `bytes=${size() - 1}-`, () => size() - 1, () => size() - 1],
  ];
  it.each(parts)('come in one part: %s', async (range, first, last) => {
    for (const url of [media.contentUrl, media.downloadUrl]) {
      const answer = await user.fetch(url, { headers: { range: range() } });
      expect(answer.status).toBe(206);
      expect(answer.headers.get('content-range')).toBe(`bytes ${first()}-${last()}/${size()}`);
      expect(answer.headers.get('content-length')).toBe(String(last() - first() + 1));
      expect(Object.fromEntries(answer.headers)).toMatchObject(EXPECTED);
      expect(Buffer.from(await answer.arrayBuffer()).equals(bytes.subarray(first(), last() + 1))).toBe(true);
    }
  });

  it('have no range beyond their end', async () => {
    for (const range of [
      `bytes=${size()}-`,
      `bytes=${size() + 5}-${size() + 9}`,
      'bytes=-0',
      'bytes=99999999999999999999-',
    ]) {
      const answer = await user.fetch(media.contentUrl, { headers: { range } });
      expect(answer.headers.get('content-range')).toBe(`bytes */${size()}`);
      expect(answer.headers.get('cache-control')).toBe('no-store');
      await expectProblem(answer, 'range_not_satisfiable');
    }
  });

  it('are sent whole for several ranges, an unreadable one, or one of another version', async () => {
    const etag = (await user.fetch(media.contentUrl)).headers.get('etag') ?? '';
    const cases: Record<string, string>[] = [
      { range: 'bytes=0-1,4-5' },
      { range: 'items=0-1' },
      { range: 'bytes=5-2' },
      { range: 'bytes=-' },
      { range: 'bytes=a-b' },
      { range: 'bytes=0-1', 'if-range': '"another"' },
      { range: `bytes=${size()}-`, 'if-range': '"another"' },
    ];
    for (const headers of cases) {
      const answer = await user.fetch(media.contentUrl, { headers });
      expect([headers.range, answer.status]).toEqual([headers.range, 200]);
      expect((await answer.arrayBuffer()).byteLength).toBe(size());
    }
    const same = await user.fetch(media.contentUrl, { headers: { range: 'bytes=0-1', 'if-range': etag } });
    expect(same.status).toBe(206);
  });

  it('are not sent again to a client that has this version', async () => {
    const etag = (await user.fetch(media.contentUrl)).headers.get('etag') ?? '';
    for (const ifNoneMatch of [etag, '*', `"another", W/${etag}`]) {
      const headers = { 'if-none-match': ifNoneMatch, range: 'bytes=0-1' };
      const answer = await user.fetch(media.contentUrl, { headers });
      expect([ifNoneMatch, answer.status]).toEqual([ifNoneMatch, 304]);
      expect(answer.headers.get('etag')).toBe(etag);
      expect(answer.headers.get('cache-control')).toBe('private, no-store');
      expect(answer.headers.get('content-security-policy')).toBe("sandbox; default-src 'none'");
      expect((await answer.arrayBuffer()).byteLength).toBe(0);
    }
    const other = await user.fetch(media.contentUrl, { headers: { 'if-none-match': '"another"' } });
    expect((await other.arrayBuffer()).byteLength).toBe(size());
  });

  it('answer HEAD without a body', async () => {
    for (const url of [media.contentUrl, media.downloadUrl]) {
      const head = `HEAD ${url} HTTP/1.1\r\nhost: localhost\r\ncookie: ${user.cookie}\r\nrange: bytes=0-3\r\n\r\n`;
      const answer = await sendRaw(app, [head], true);
      expect(answer.status).toBe(200);
      expect(Object.fromEntries(answer.headers)).toMatchObject({ ...EXPECTED, 'content-length': String(size()) });
      expect(answer.body).toBe('');
    }
  });

  it('are private: they require the session, and file names in the data folder are unguessable', async () => {
    await expectProblem(await fetch(app.url + media.contentUrl), 'authentication_required');
    const stranger = await makeUser(app);
    await expectProblem(await stranger.fetch(media.contentUrl), 'not_found');
    await expectProblem(await stranger.fetch(media.downloadUrl), 'not_found');
    expect(await pathOf(media.id)).toMatch(/\/results\/background-removed\/\d{13}-[\w-]{43}\.png$/);
  });

  it('that are gone from the disk are answered as a whole 404, with nothing of the picture in its head', async () => {
    const lost = await makeMedia();
    rmSync(await pathOf(lost.id));
    const answer = await user.fetch(lost.contentUrl, { headers: { range: 'bytes=0-9' } });
    expect(answer.headers.get('etag')).toBeNull();
    expect(answer.headers.get('content-range')).toBeNull();
    await expectProblem(answer, 'not_found');
    expect((await user.fetch(`${MEDIA}/${lost.id}`, { method: 'DELETE' })).status).toBe(204);
  });
});

describe('deleting an item', () => {
  it('deletes it everywhere, including bytes, notifies the streams, and keeps the ledger', async () => {
    const media = await makeMedia();
    const path = await pathOf(media.id);
    const ledger = await user.ledger();
    const stream = await listen(app, user.cookie);
    await stream.waitForEvent('hello');
    expect(existsSync(path)).toBe(true);
    const stranger = await makeUser(app);
    await expectProblem(await stranger.fetch(`${MEDIA}/${media.id}`, { method: 'DELETE' }), 'not_found');
    const answer = await user.fetch(`${MEDIA}/${media.id}`, { method: 'DELETE' });
    expect([answer.status, await answer.text()]).toEqual([204, '']);
    expect(existsSync(path)).toBe(false);
    expect((await stream.waitForEvent('media')).body).toEqual({ action: 'deleted', id: media.id });
    stream.close();
    await expectGone(media);
    expect(await user.ledger()).toEqual(ledger);
    expect((await user.fetch(`/api/v1/generations/${media.generationId}`)).status).toBe(200);
  });

  it('counts once if several tabs do it', async () => {
    const media = await makeMedia();
    const answers = await Promise.all(
      Array.from({ length: 5 }, () => user.fetch(`${MEDIA}/${media.id}`, { method: 'DELETE' })),
    );
    expect(answers.map((answer) => answer.status).sort()).toEqual([204, 404, 404, 404, 404]);
  });
});

async function expectGone(media: Media, owner = user): Promise<void> {
  await expectProblem(await owner.fetch(media.contentUrl), 'not_found');
  await expectProblem(await owner.fetch(media.downloadUrl), 'not_found');
  await expectProblem(await owner.fetch(`${MEDIA}/${media.id}`, { method: 'DELETE' }), 'not_found');
  expect((await owner.fetch(media.contentUrl, { method: 'HEAD' })).status).toBe(404);
  const { items } = await owner.get<List>(`${MEDIA}?limit=100`);
  expect(items.map((item) => item.id)).not.toContain(media.id);
}

describe('48 hours later', () => {
  it('nothing is served any more, even if the sweep is late; the next start deletes the bytes', async () => {
    const owner = await makeUser(app, { credits: 5 });
    const media = await makeMedia(owner, 'text-to-image');
    const before = filesBelow(join(app.dataDir, 'files'));
    clock.move(2 * DAY - 5 - (clock.now().getTime() - Date.parse(media.createdAt)) / 1000);
    expect((await owner.fetch(media.contentUrl)).status).toBe(200);
    clock.move(5.05);
    await expectGone(media, owner);
    expect(filesBelow(join(app.dataDir, 'files'))).toEqual(before);
    await app.restart();
    await waitUntil(
      async () => filesBelow(join(app.dataDir, 'files')),
      (files) => files.length === 0,
    );
    const left = async () =>
      (
        await sql`
          select id from uploads where deleted_at is null
          union all select id from generated_media where deleted_at is null`.execute(app.db)
      ).rows;
    await waitUntil(left, (rows) => rows.length === 0);
    expect(await owner.ledger()).toMatchObject([{ delta: -1 }, { delta: 5 }]);
  });

  it('open streams are notified', { tags: ['slow'] }, async () => {
    const short = await startTestApp({ MEDIA_TTL_SECONDS: '2', SWEEP_INTERVAL_SECONDS: '1' });
    try {
      const owner = await makeUser(short, { credits: 1 });
      const stream = await listen(short, owner.cookie);
      const { id } = (await waitForEnd(owner, (await makeGeneration(owner)).id)) as { id: string };
      const { body } = await stream.waitForEvent('media', (media) => media.action === 'created');
      const { items } = await owner.get<List>(MEDIA);
      expect(items.map((item) => [item.id, item.generationId])).toEqual([[body.id, id]]);
      expect((await stream.waitForEvent('media', (media) => media.action === 'expired')).body.id).toBe(body.id);
      expect(await owner.get(MEDIA)).toEqual({ items: [], nextCursor: null });
      await waitUntil(
        async () => filesBelow(join(short.dataDir, 'files')),
        (files) => files.length === 0,
      );
      stream.close();
    } finally {
      await short.close();
    }
  });

  it(
    'nothing is deleted while the clock of the machine is ahead of the one of the database',
    { tags: ['slow'] },
    async () => {
      const ahead = await startTestApp({ SWEEP_INTERVAL_SECONDS: '1' });
      try {
        const owner = await makeUser(ahead, { credits: 1 });
        const { id } = (await waitForEnd(owner, (await makeGeneration(owner)).id)) as { id: string };
        const files = filesBelow(join(ahead.dataDir, 'files'));
        vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 3 * DAY * 1000 });
        await waitUntil(
          async () => ahead.logged.filter((line) => line.includes('nothing is deleted')),
          (lines) => lines.length > 1,
        );
        vi.useRealTimers();
        expect(filesBelow(join(ahead.dataDir, 'files'))).toEqual(files);
        expect((await owner.get<List>(MEDIA)).items.map(({ generationId }) => generationId)).toEqual([id]);
      } finally {
        vi.useRealTimers();
        await ahead.close();
      }
    },
  );

  it('a generation’s words are deleted, too', async () => {
    const owner = await makeUser(app, { credits: 5 });
    const media = await makeMedia(owner, 'text-to-image');
    const read = async () =>
      (await sql<{ input: object }>`select input from generations where id = ${media.generationId}`.execute(app.db))
        .rows[0]?.input;
    expect(await read()).toMatchObject({ prompt: 'on a table' });
    const readNames = async () =>
      (
        await sql<{ filename: string | null }>`
          select filename from uploads where generation_id = ${media.generationId}`.execute(app.db)
      ).rows.map(({ filename }) => filename);
    expect(await readNames()).toEqual(['photo.jpg']);
    clock.move(2 * DAY + 1);
    await app.restart();
    await waitUntil(read, (input) => JSON.stringify(input) === '{}');
    await waitUntil(readNames, ([name]) => name === null);
    expect((await owner.get<{ status: string }>(`/api/v1/generations/${media.generationId}`)).status).toBe('succeeded');
  });

  it('files that no row stands for are removed, unless they are so young that a row may follow', async () => {
    const folder = join(app.dataDir, 'files', 'uploads');
    mkdirSync(folder, { recursive: true });
    const [oldName, youngName, cutName] = [newToken(), newToken(), newToken()].map((token) => `${token}.png`);
    const names = [`${oldName}`, `${youngName}`, `${cutName}.${newToken()}.partial`];
    const [old, young, partial] = names.map((name) => join(folder, name));
    const media = await makeMedia();
    for (const path of [old, young, partial]) writeFileSync(path ?? '', 'x');
    const long = new Date(clock.now().getTime() - 2 * 3600 * 1000);
    for (const path of [old, partial, await pathOf(media.id)]) utimesSync(path ?? '', long, long);
    utimesSync(young ?? '', clock.now(), clock.now());
    await app.restart();
    const listGone = async () => [old, partial].filter((path) => !existsSync(path ?? ''));
    await waitUntil(listGone, (gone) => gone.length === 2);
    expect(readdirSync(folder)).toContain(youngName);
    expect((await user.fetch(media.contentUrl)).status).toBe(200);
  });
});
