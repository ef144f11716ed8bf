import { randomBytes } from 'node:crypto';
import type { Generation } from '@plinth/contract/generations';
import type { Media } from '@plinth/contract/media';
import { findXmp, readSourceType } from '@plinth/contract/source-type';
import { sql } from 'kysely';
import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startTestApp, type TestApp } from './app.ts';
import { coverClip, makeClip } from './clip.ts';
import { makeGeneration, makePicture, makeRedo, makeUser, type TestUser, waitForEnd } from './makers.ts';
import { expectProblem } from './wire.ts';

let app: TestApp;
let user: TestUser;
beforeAll(async () => {
  app = await startTestApp({}, undefined, 'built-in');
  user = await makeUser(app, { credits: 100 });
});
afterAll(() => app.close());

/** The media id of a result with this file. */
async function makeMedia(content: Buffer, tool = 'remover', person = user): Promise<string> {
  app.provider.behave({ polls: 0, file: (response) => Boolean(response.writeHead(200).end(content)) });
  const made = await waitForEnd(person, (await makeGeneration(person, { tool, prompt: 'slowly' })).id);
  app.provider.behave({ polls: 0 });
  expect(made.status).toBe('succeeded');
  return made.result?.mediaId ?? '';
}

const striped = (width: number, height: number, format: 'png' | 'jpeg' = 'png') =>
  sharp({ create: { width, height, channels: 4, background: '#00000000' } })
    .composite([{ input: { create: { width: 40, height: 40, channels: 4, background: '#d02020' } }, left: 0, top: 0 }])
    .toFormat(format)
    .toBuffer();
const preview = (id: string, query = '?width=320', init?: RequestInit) =>
  user.fetch(`/api/v1/media/${id}/preview${query}`, init);
const read = async (answer: Response) => sharp(Buffer.from(await answer.arrayBuffer()));

describe('a preview', () => {
  it.each([320, 640, 1280])('is a WebP %i pixels wide that keeps its transparency', async (width) => {
    const answer = await preview(await makeMedia(await striped(1400, 700)), `?width=${width}`);
    expect(answer.status).toBe(200);
    expect(answer.headers.get('content-type')).toBe('image/webp');
    expect(answer.headers.get('cache-control')).toBe('private, max-age=3600');
    expect(answer.headers.get('content-security-policy')).toBe("sandbox; default-src 'none'");
    expect(await (await read(answer)).metadata()).toMatchObject({
      format: 'webp',
      width,
      height: width / 2,
      hasAlpha: true,
    });
  });

  it('is never enlarged, and revalidates by ETag', async () => {
    const id = await makeMedia(await striped(200, 100));
    const answer = await preview(id, '?width=640');
    const etag = answer.headers.get('etag') ?? '';
    expect(await (await read(answer)).metadata()).toMatchObject({ width: 200, height: 100 });
    const again = await preview(id, '?width=640', { headers: { 'if-none-match': etag } });
    expect([again.status, await again.text()]).toEqual([304, '']);
    // A browser replaces the headers that it has kept by those of a 304.
    const policy = 'content-security-policy';
    expect(again.headers.get(policy)).toBe(answer.headers.get(policy));
    expect((await preview(id, '?width=320', { headers: { 'if-none-match': etag } })).status).toBe(200);
  });

  it('of a video is the first frame, which the engine embeds', async () => {
    const clip = coverClip(await makeClip({ width: 320, height: 240 }), await striped(320, 240, 'jpeg'));
    const picture = await read(await preview(await makeMedia(clip, 'image-to-video')));
    expect(await picture.metadata()).toMatchObject({ format: 'webp', width: 320, height: 240 });
    const [red, green] = (await picture.stats()).channels;
    expect(red?.max).toBeGreaterThan(0xc0);
    expect(green?.max).toBeLessThan(0x60);
  });

  it('of a video without an embedded frame is its upload, cropped to the video’s shape', async () => {
    const clip = await makeClip({ width: 320, height: 240 });
    const picture = await read(await preview(await makeMedia(clip, 'image-to-video')));
    expect(await picture.metadata()).toMatchObject({ format: 'webp', width: 320, height: 240 });
    for (const { stdev } of (await picture.stats()).channels.slice(0, 3)) expect(stdev).toBeLessThan(3);
  });

  it.each(['', '?width=100', '?width=', '?width=320px', '?width=320&width=640'])('refuses %j', async (query) => {
    await expectProblem(await preview(await makeMedia(await striped(100, 80)), query), 'invalid_option');
  });

  it('is for its owner alone, and gone with the item', async () => {
    const id = await makeMedia(await striped(100, 80));
    const other = await makeUser(app);
    await expectProblem(await other.fetch(`/api/v1/media/${id}/preview?width=320`), 'not_found');
    await user.fetch(`/api/v1/media/${id}`, { method: 'DELETE' });
    await expectProblem(await preview(id), 'not_found');
  });
});

describe('the photo that a generation is made from', () => {
  const before = (id: string, person = user) => person.fetch(`/api/v1/generations/${id}/before?width=320`);
  const makeOne = async () => (await waitForEnd(user, (await makeGeneration(user)).id)).id;

  it('is the small upload, the person if there are two, and revalidates by ETag', async () => {
    const image = await makePicture(500, 300);
    const { id } = await makeGeneration(user, { tool: 'dress-change', image });
    const answer = await before(id);
    expect(answer.headers.get('cache-control')).toBe('private, max-age=3600');
    expect(await (await read(answer)).metadata()).toMatchObject({ format: 'webp', width: 320, height: 192 });
    const headers = { 'if-none-match': answer.headers.get('etag') ?? '' };
    expect((await user.fetch(`/api/v1/generations/${id}/before?width=320`, { headers })).status).toBe(304);
  });

  it('exists for a failed generation, and for a redo', async () => {
    app.provider.behave({ polls: 0, result: () => ({ httpStatus: 422, body: {} }) });
    const failed = await makeOne();
    app.provider.behave({ polls: 0 });
    expect((await before(failed)).status).toBe(200);
    expect((await before((await makeRedo(user, await makeOne())).id)).status).toBe(200);
  });

  it('is for its owner alone, and gone with the upload', async () => {
    const id = await makeOne();
    await expectProblem(await before(id, await makeUser(app)), 'not_found');
    expect((await before(id)).status).toBe(200);
    await sql`update uploads set deleted_at = now() where generation_id = ${id}`.execute(app.db);
    const gone = await before(id);
    expect(gone.headers.get('cache-control')).toBe('no-store');
    await expectProblem(gone, 'not_found');
  });

  it('is gone with the result that was made of it, and after its time where the sweep is late', async () => {
    const [deleted, late] = [await makeOne(), await makeOne()];
    const { result } = await user.get<Generation>(`/api/v1/generations/${deleted}`);
    await user.fetch(`/api/v1/media/${result?.mediaId}`, { method: 'DELETE' });
    await expectProblem(await before(deleted), 'not_found');
    await sql`update uploads set created_at = now() - interval '48 hours' where generation_id = ${late}`.execute(
      app.db,
    );
    await expectProblem(await before(late), 'not_found');
  });
});

describe('one item', () => {
  it('is returned as in the list', async () => {
    const id = await makeMedia(await striped(100, 80));
    const { items } = await user.get<{ items: Media[] }>('/api/v1/media');
    expect(await user.get(`/api/v1/media/${id}`)).toEqual(items[0]);
    await expectProblem(await (await makeUser(app)).fetch(`/api/v1/media/${id}`), 'not_found');
  });
});

describe('a result as the picture of another tool', () => {
  const use = (mediaId: string, tool = 'text-to-image', person = user) => {
    const form = new FormData();
    form.set('image', mediaId);
    form.set('prompt', 'on marble');
    const headers = { 'idempotency-key': crypto.randomUUID() };
    return person.fetch(`/api/v1/tools/${tool}/generations`, { method: 'POST', headers, body: form });
  };

  it('needs no upload, keeps its transparency, and outlives the result', async () => {
    const id = await makeMedia(await striped(300, 200));
    const answer = await use(id);
    expect(answer.status).toBe(202);
    await user.fetch(`/api/v1/media/${id}`, { method: 'DELETE' });
    expect((await waitForEnd(user, ((await answer.json()) as { id: string }).id)).status).toBe('succeeded');
    const sent = String(app.provider.submits.at(-1)?.input['image_url']);
    expect(sent).toMatch(/^data:image\/png;base64,/);
    const { hasAlpha, width } = await sharp(Buffer.from(sent.split(',')[1] ?? '', 'base64')).metadata();
    expect({ hasAlpha, width }).toEqual({ hasAlpha: true, width: 300 });
  });

  it('may be larger than an upload', { tags: ['slow'] }, async () => {
    const noise = randomBytes(2400 * 2000 * 3);
    const large = await sharp(noise, { raw: { width: 2400, height: 2000, channels: 3 } })
      .png({ compressionLevel: 1 })
      .toBuffer();
    expect(large.byteLength).toBeGreaterThan(12 * 1024 * 1024);
    const answer = await use(await makeMedia(large));
    expect(answer.status).toBe(202);
    // Requests that are still being sent when everything closes abort within Node's fetch.
    await waitForEnd(user, ((await answer.json()) as { id: string }).id);
  });

  it('is refused when it is no picture, somebody else’s, gone, or too small for the tool', async () => {
    const clip = await makeMedia(await makeClip(), 'image-to-video');
    await expectProblem(await use(clip), 'unsupported_image_type');
    const foreign = await makeMedia(await striped(100, 80), 'remover', await makeUser(app, { credits: 1 }));
    await expectProblem(await use(foreign), 'image_unreadable');
    for (const id of ['med_nothing', 'med_\0']) await expectProblem(await use(id), 'image_unreadable');
    const small = await makeMedia(await striped(60, 80));
    await expectProblem(await use(small), 'image_unreadable', 'Use a picture of at least 64 pixels on each side.');
  });
});

describe('a poster', () => {
  const makeCovered = async () =>
    coverClip(await makeClip({ width: 320, height: 240 }), await striped(320, 240, 'jpeg'));
  const poster = (id: string, person = user) => person.fetch(`/api/v1/media/${id}/poster`);

  it('is a JPEG of the first frame, as large as the clip, named beside its content', async () => {
    const id = await makeMedia(await makeCovered(), 'image-to-video');
    const media = (await (await user.fetch(`/api/v1/media/${id}`)).json()) as Media;
    expect(media.posterUrl).toBe(`/api/v1/media/${id}/poster`);
    const answer = await poster(id);
    expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'image/jpeg']);
    expect(answer.headers.get('cache-control')).toBe('no-store');
    const picture = await read(answer);
    expect(await picture.metadata()).toMatchObject({ format: 'jpeg', width: 320, height: 240 });
    expect((await picture.stats()).channels[0]?.max).toBeGreaterThan(0xc0);
  });

  it('states how its clip was made, as a preview does', async () => {
    const id = await makeMedia(await makeCovered(), 'image-to-video');
    const read = async (answer: Response) => readSourceType(findXmp(new Uint8Array(await answer.arrayBuffer())));
    expect(await read(await poster(id))).toBe('compositeSynthetic');
    expect(await read(await preview(id))).toBe('compositeSynthetic');
  });

  it('does not exist for a picture, is private, and is deleted with the clip', async () => {
    await expectProblem(await poster(await makeMedia(await striped(100, 80))), 'not_found');
    const id = await makeMedia(await makeClip({ width: 320, height: 240 }), 'image-to-video');
    await expectProblem(await poster(id, await makeUser(app)), 'not_found');
    await user.fetch(`/api/v1/media/${id}`, { method: 'DELETE' });
    await expectProblem(await poster(id), 'not_found');
  });

  it('made from the photo ends with the photo, even if the sweep is late', async () => {
    const id = await makeMedia(await makeClip({ width: 320, height: 240 }), 'image-to-video');
    expect((await poster(id)).status).toBe(200);
    await sql`
      update uploads set created_at = created_at - interval '48 hours'
      where generation_id = (select generation_id from generated_media where id = ${id})`.execute(app.db);
    await expectProblem(await poster(id), 'not_found');
    await expectProblem(await preview(id), 'not_found');
  });
});
