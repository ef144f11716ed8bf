/** @module-tag slow */
import { randomBytes, randomUUID } from 'node:crypto';
import type { Generation } from '@plinth/contract/generations';
import { IMAGE_MAX_BYTES, MEBIBYTE } from '@plinth/contract/limits';
import { checkListSchema } from '@plinth/contract/packs';
import { sql } from 'kysely';
import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startTestApp, type TestApp } from './app.ts';
import { makeGeneration, makeRedo, makeUser, type TestUser, waitForEnd } from './makers.ts';

const SIDE = 2400;
/** The largest picture that the built-in engine accepts. */
const ENGINE_BYTES = 20 * MEBIBYTE;

let app: TestApp;
let user: TestUser;
/** Incompressible noise. */
const noise = sharp(randomBytes(SIDE * SIDE * 4), { raw: { width: SIDE, height: SIDE, channels: 4 } });

beforeAll(async () => {
  app = await startTestApp({}, undefined, 'built-in');
  user = await makeUser(app, { credits: 10 });
});
afterAll(() => app.close());

async function readUpload(generationId: string) {
  const found = await sql<{ bytes: number; width: number; height: number }>`
    select bytes, width, height from uploads where generation_id = ${generationId}`.execute(app.db);
  return found.rows[0];
}

async function sendAsPhoto(text: string | Blob, tool: string): Promise<Generation> {
  const form = new FormData();
  form.set('image', text);
  if (tool !== 'remover') form.set('prompt', 'on marble');
  const headers = { 'idempotency-key': randomUUID() };
  const answer = await user.fetch(`/api/v1/tools/${tool}/generations`, { method: 'POST', headers, body: form });
  expect(answer.status, await answer.clone().text()).toBe(202);
  return waitForEnd(user, ((await answer.json()) as Generation).id);
}

describe('a large picture', () => {
  it('of few bytes, which grows when it is encoded anew, is kept as small as an engine takes it', async () => {
    const content = await noise.clone().webp({ quality: 20, alphaQuality: 20, effort: 0 }).toBuffer();
    expect(content.byteLength).toBeLessThan(IMAGE_MAX_BYTES);
    const sent = await sendAsPhoto(new Blob([new Uint8Array(content)], { type: 'image/webp' }), 'text-to-image');
    expect(sent.status).toBe('succeeded');
    const kept = await readUpload(sent.id);
    expect(kept?.bytes).toBeLessThan(ENGINE_BYTES);
    expect(kept?.width).toBe(kept?.height);
    expect(kept?.width).toBeGreaterThan(SIDE * 0.6);
  });

  it('of 48 megapixels, as a phone writes it, keeps its size', { timeout: 60_000 }, async () => {
    const [width, height] = [8000, 6000];
    const photo = await sharp(randomBytes(1000 * 750 * 3), { raw: { width: 1000, height: 750, channels: 3 } })
      .resize(width, height)
      .jpeg({ quality: 75 })
      .toBuffer();
    expect(photo.byteLength).toBeLessThan(IMAGE_MAX_BYTES);
    const sent = await sendAsPhoto(new Blob([new Uint8Array(photo)], { type: 'image/jpeg' }), 'remover');
    expect(await readUpload(sent.id)).toMatchObject({ width, height });
  });

  it(
    'that we made ourselves is used again, redone, checked and exported, whatever it weighs',
    { timeout: 120_000 },
    async () => {
      const content = await noise.clone().png({ compressionLevel: 1 }).toBuffer();
      expect(content.byteLength).toBeGreaterThan(ENGINE_BYTES);
      app.provider.behave({ polls: 0, file: (response) => Boolean(response.writeHead(200).end(content)) });
      const made = await waitForEnd(user, (await makeGeneration(user, { tool: 'remover' })).id);
      const mediaId = made.result?.mediaId ?? '';
      expect((await makeRedo(user, made.id)).status).toBe('succeeded');

      app.provider.behave({ polls: 0 });
      const used = await sendAsPhoto(mediaId, 'text-to-image');
      expect(used.status).toBe('succeeded');
      expect((await readUpload(used.id))?.bytes).toBeLessThan(ENGINE_BYTES);
      expect((await makeRedo(user, used.id)).status).toBe('succeeded');

      const checks = await user.fetch(`/api/v1/media/${mediaId}/checks`);
      expect(checkListSchema.parse(await checks.json()).items.length).toBeGreaterThan(5);
      const exported = await user.fetch(`/api/v1/media/${mediaId}/packs/ebay`);
      expect(exported.status).toBe(200);
      expect((await sharp(Buffer.from(await exported.arrayBuffer())).metadata()).format).toBe('jpeg');
    },
  );
});
