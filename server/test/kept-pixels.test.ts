import { createHash, randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { sql } from 'kysely';
import sharp from 'sharp';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { scanned } from '../chaos/hostile-pictures.ts';
import { startTestApp, type TestApp } from './app.ts';
import { makeGeneration, makePicture, makeUser, type TestUser, waitForEnd } from './makers.ts';
import { expectProblem } from './wire.ts';

const [WIDTH, HEIGHT] = [400, 300];

/** The same noise in every run: with random noise, one damaged picture in seven would decode without an error. */
const noise = createHash('shake256', { outputLength: 40 * 30 * 3 })
  .update('a photo')
  .digest();

let app: TestApp;
let user: TestUser;
let photo: Buffer;
beforeAll(async () => {
  app = await startTestApp();
  user = await makeUser(app, { credits: 10 });
  photo = await sharp(noise, { raw: { width: 40, height: 30, channels: 3 } })
    .resize(WIDTH, HEIGHT)
    .withExif({ IFD0: { Copyright: 'SECRET-OWNER' } })
    .jpeg({ quality: 72 })
    .toBuffer();
});
afterAll(() => app.close());

/** The stored form of an upload. */
async function sendPhoto(image: Buffer): Promise<Buffer> {
  const { id } = await makeGeneration(user, { tool: 'remover', image });
  expect((await waitForEnd(user, id)).status).toBe('succeeded');
  const found = await sql<{ key: string }>`select object_key as key from uploads where generation_id = ${id}`.execute(
    app.db,
  );
  return readFileSync(join(app.dataDir, 'files', found.rows[0]?.key ?? ''));
}

const readPixels = (content: Buffer) => sharp(content, { failOn: 'warning' }).raw().toBuffer();

it('a photo that only loses its metadata keeps every pixel', async () => {
  const kept = await sendPhoto(Buffer.concat([photo, Buffer.from('SECRET-TAIL')]));
  expect((await readPixels(kept)).equals(await readPixels(photo))).toBe(true);
  expect(kept.includes('SECRET')).toBe(false);
});

it('a photo with a colour profile is converted', async () => {
  const wide = await sharp(photo).withIccProfile('p3').jpeg({ quality: 72 }).toBuffer();
  const kept = await sendPhoto(wide);
  expect((await sharp(kept).metadata()).icc).toBeUndefined();
  expect((await readPixels(kept)).equals(await readPixels(wide))).toBe(false);
});

it('a damaged photo is re-encoded and valid afterwards', async () => {
  const half = photo.byteLength >> 1;
  const damaged = Buffer.concat([photo.subarray(0, half), photo.subarray(half + 40)]);
  await expect(readPixels(damaged)).rejects.toThrow();
  expect(await readPixels(await sendPhoto(damaged))).toHaveLength(WIDTH * HEIGHT * 3);
});

// At 64 megapixels its 230 kB would occupy the decoder for 15 seconds.
it('a photo in hundreds of scans is refused', async () => {
  const image = scanned(
    await sharp(await makePicture())
      .jpeg({ progressive: true })
      .toBuffer(),
  );
  expect(await readPixels(image)).toHaveLength(96 * 72 * 3);
  for (const path of ['tools/remover/generations', 'checks', 'verify']) {
    const form = new FormData();
    form.set('image', new Blob([new Uint8Array(image)], { type: 'image/jpeg' }));
    const headers = { 'idempotency-key': randomUUID() };
    const answer = await user.fetch(`/api/v1/${path}`, { method: 'POST', headers, body: form });
    await expectProblem(answer, 'image_unreadable');
  }
});
