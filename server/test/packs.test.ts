import { type PackId, packIds } from '@plinth/contract/pack-names';
import { checkListSchema, type PackCheck, packListSchema, packs } from '@plinth/contract/packs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { mkdtempSync, rmSync } from 'node:fs';
import { sql } from 'kysely';
import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type EngineProcess, startEngine } from '../src/platform/machine/engine-process.ts';
import { createLog } from '../src/platform/log.ts';
import { readOrMakeSecrets } from '../src/platform/machine/secrets.ts';
import { startTestApp, type TestApp } from './app.ts';
import { makeClip } from './clip.ts';
import { cutouts, readPhoto } from './cutouts.ts';
import { makeGeneration, makeUser, type TestUser, waitForEnd } from './makers.ts';
import { expectProblem } from './wire.ts';

let app: TestApp;
let user: TestUser;
let engine: EngineProcess;
const engineDir = mkdtempSync(join(tmpdir(), 'plinth-packs-'));

beforeAll(async () => {
  const getEngineUrl = async () => engine.baseUrl;
  app = await startTestApp({}, undefined, 'hosted', getEngineUrl);
  engine = await startEngine({
    repositoryDir: resolve(import.meta.dirname, '..', '..'),
    dataDir: engineDir,
    key: readOrMakeSecrets(app.dataDir).engineKey,
    environment: { ENGINE_WORKERS: '1' },
    log: createLog('error'),
  });
  user = await makeUser(app, { credits: 100 });
});
afterAll(async () => {
  await Promise.all([engine.stop(), app.close()]);
  rmSync(engineDir, { recursive: true, force: true });
});

/** The media id of a result with this file. */
async function makeMedia(content: Buffer, tool = 'remover', person = user): Promise<string> {
  app.provider.behave({ polls: 0, file: (response) => Boolean(response.writeHead(200).end(content)) });
  const made = await waitForEnd(person, (await makeGeneration(person, { tool, prompt: 'on marble' })).id);
  app.provider.behave({ polls: 0 });
  expect(made.status).toBe('succeeded');
  return made.result?.mediaId ?? '';
}

const exportFile = (id: string, pack: string, init?: RequestInit, person = user) =>
  person.fetch(`/api/v1/media/${id}/packs/${pack}`, init);
const readBytes = async (answer: Response) => Buffer.from(await answer.arrayBuffer());

function postCheck(content: Uint8Array, type = 'image/jpeg', person = user): Promise<Response> {
  const form = new FormData();
  form.set('image', new Blob([new Uint8Array(content)], { type }), 'photo.jpg');
  return person.fetch('/api/v1/checks', { method: 'POST', body: form });
}

async function check(answer: Response): Promise<Record<PackId, PackCheck>> {
  expect(answer.status).toBe(200);
  const { items } = checkListSchema.parse(await answer.json());
  expect(items.map(({ pack }) => pack)).toEqual(packIds);
  return Object.fromEntries(items.map((item) => [item.pack, item])) as Record<PackId, PackCheck>;
}

const ruleOf = ({ rules }: PackCheck, id: string) => rules.find((rule) => rule.id === id);

describe('the list of packs', () => {
  it('is for everybody, in the order of the contract, each figure with its source and date', async () => {
    const { items } = packListSchema.parse(await (await fetch(`${app.url}/api/v1/packs`)).json());
    expect(items.map(({ id }) => id)).toEqual(packIds);
    expect(items[0]).toMatchObject({
      name: 'Amazon, main picture',
      needs: 'cutout',
      picture: {
        width: 2000,
        height: 2000,
        background: '#ffffff',
        fill: 0.9,
        contentType: 'image/jpeg',
        maxBytes: 10_000_000,
      },
      asOf: '2026-11-22',
    });
    expect(items[0]?.rules.slice(0, 2)).toEqual([
      { id: 'background-white', level: 'must', says: 'The background is pure white' },
      { id: 'fills-frame', level: 'must', says: 'The product fills 85 % of the frame' },
    ]);
    for (const { source } of items) expect(source).not.toBe('');
  });
});

describe("a pack's file", () => {
  it('is a download like the result itself, named for it, the same bytes each time, whole or in part', async () => {
    const id = await makeMedia(await cutouts['a hard circle']!());
    const media = await user.get<{ originalFilename: string }>(`/api/v1/media/${id}`);
    const stem = media.originalFilename.replace('.png', '');
    const answer = await exportFile(id, 'instagram-square');
    const content = await readBytes(answer);
    expect(answer.status).toBe(200);
    expect(Object.fromEntries(answer.headers)).toMatchObject({
      'content-type': 'image/jpeg',
      'content-length': String(content.byteLength),
      'content-disposition': `attachment; filename="${stem}-instagram-square.jpg"; filename*=UTF-8''${stem}-instagram-square.jpg`,
      'accept-ranges': 'bytes',
      'cache-control': 'private, no-store',
      'x-content-type-options': 'nosniff',
      'content-security-policy': "sandbox; default-src 'none'",
      'cross-origin-resource-policy': 'same-origin',
    });
    expect(await sharp(content).metadata()).toMatchObject({ format: 'jpeg', width: 1080, height: 1080 });
    const etag = answer.headers.get('etag') ?? '';
    const part = await exportFile(id, 'instagram-square', { headers: { range: 'bytes=10-19', 'if-range': etag } });
    expect([part.status, part.headers.get('content-range')]).toEqual([206, `bytes 10-19/${content.byteLength}`]);
    expect(await readBytes(part)).toEqual(content.subarray(10, 20));
    expect((await exportFile(id, 'instagram-square', { headers: { range: 'bytes=99999999-' } })).status).toBe(416);
    expect((await exportFile(id, 'instagram-square', { headers: { 'if-none-match': etag } })).status).toBe(304);
    const head = await exportFile(id, 'instagram-square', { method: 'HEAD' });
    expect([head.status, head.headers.get('content-length')]).toEqual([200, String(content.byteLength)]);
    const png = await exportFile(id, 'transparent-png');
    expect(png.headers.get('content-type')).toBe('image/png');
    expect(png.headers.get('content-disposition')).toContain(`filename="${stem}-transparent-png.png"`);
    expect(await user.credits()).toBe(99);
  });

  it('grows at most twice and says so, and is smaller where that is not enough', async () => {
    const id = await makeMedia(
      await sharp(await cutouts['a hard circle']!())
        .resize(400)
        .png()
        .toBuffer(),
    );
    const answer = await exportFile(id, 'amazon-main');
    expect([answer.status, answer.headers.get('plinth-enlarged')]).toEqual([200, '2']);
    const { width = 0, height } = await sharp(await readBytes(answer)).metadata();
    expect([width, width >= 500, width < 2000]).toEqual([height, true, true]);
    const large = await makeMedia(await cutouts['a hard circle']!());
    expect((await exportFile(large, 'pinterest')).headers.get('plinth-enlarged')).toBeNull();
  });

  it('passes the check of its pack when it is handed in as a picture', { tags: ['slow'] }, async () => {
    const id = await makeMedia(await cutouts['a mug']!(0.5));
    for (const pack of ['amazon-main', 'transparent-png'] as const) {
      const answer = await exportFile(id, pack);
      const checks = await check(await postCheck(await readBytes(answer), answer.headers.get('content-type') ?? ''));
      expect(checks[pack]).toMatchObject({ ready: true, canFix: false });
    }
  });

  it('has a small picture for its card, known again by its ETag', async () => {
    const id = await makeMedia(await cutouts['a hard circle']!());
    const answer = await exportFile(id, 'instagram-portrait/preview');
    const etag = answer.headers.get('etag') ?? '';
    expect(await sharp(await readBytes(answer)).metadata()).toMatchObject({ format: 'webp', width: 320, height: 400 });
    expect(answer.headers.get('cache-control')).toBe('private, max-age=3600');
    const again = await exportFile(id, 'instagram-portrait/preview', { headers: { 'if-none-match': etag } });
    expect(again.status).toBe(304);
  });

  it('is refused where the picture does not do, and for a video', async () => {
    const scene = await makeMedia(
      await sharp(await readPhoto('mug'))
        .png()
        .toBuffer(),
      'text-to-image',
    );
    await expectProblem(await exportFile(scene, 'amazon-main'), 'cutout_needed');
    expect((await exportFile(scene, 'ebay')).status).toBe(200);
    const small = await makeMedia(
      await sharp(await cutouts['a hard circle']!())
        .resize(160)
        .png()
        .toBuffer(),
    );
    await expectProblem(await exportFile(small, 'amazon-main'), 'picture_too_small');
    expect((await exportFile(small, 'transparent-png')).status).toBe(200);
    const clip = await makeMedia(await makeClip(), 'basic-image-to-video');
    await expectProblem(await exportFile(clip, 'shopify'), 'pack_not_possible');
    await expectProblem(await user.fetch(`/api/v1/media/${clip}/checks`), 'pack_not_possible');
  });

  it('is not there for others, for unknown packs, and when the result is gone', async () => {
    const id = await makeMedia(await cutouts['a hard circle']!());
    const stranger = await makeUser(app);
    const paths = [`${id}/packs/shopify`, `${id}/packs/shopify/preview`, `${id}/checks`];
    for (const path of paths) {
      await expectProblem(await stranger.fetch(`/api/v1/media/${path}`), 'not_found');
      await expectProblem(await fetch(`${app.url}/api/v1/media/${path}`), 'authentication_required');
    }
    for (const pack of ['alibaba', 'toString', '__proto__'])
      await expectProblem(await exportFile(id, pack), 'not_found');
    await sql`update generated_media set created_at = created_at - interval '3 days' where id = ${id}`.execute(app.db);
    for (const path of paths) await expectProblem(await user.fetch(`/api/v1/media/${path}`), 'not_found');
    await sql`update generated_media set created_at = now() where id = ${id}`.execute(app.db);
    expect((await user.fetch(`/api/v1/media/${id}`, { method: 'DELETE' })).status).toBe(204);
    for (const path of paths) await expectProblem(await user.fetch(`/api/v1/media/${path}`), 'not_found');
  });
});

describe('a check', () => {
  it('of a cut-out says that the background is no white, and that the packs mend it', async () => {
    const id = await makeMedia(await cutouts['a hard circle']!());
    const checks = await check(await user.fetch(`/api/v1/media/${id}/checks`));
    expect(checks['amazon-main']).toMatchObject({ ready: false, canFix: true, refusal: null });
    expect(ruleOf(checks['amazon-main'], 'background-white')).toMatchObject({ level: 'must', passed: false });
    expect(checks['transparent-png']).toMatchObject({ ready: true, canFix: false });
    expect(ruleOf(checks['transparent-png'], 'has-transparency')?.measured).toBe('57 % of the picture is transparent');
  });

  it('finds the product in a photo with the built-in engine, and says what a cut-out would mend', async () => {
    const checks = await check(await postCheck(await readPhoto('mug', 2400)));
    expect(checks['amazon-main']).toMatchObject({ ready: false, canFix: true, refusal: 'cutout_needed' });
    expect(ruleOf(checks['amazon-main'], 'background-white')?.measured).toBe(
      '100 % of the background is not 255, 255, 255',
    );
    expect(ruleOf(checks['amazon-main'], 'fills-frame')?.measured).toMatch(/^the product fills \d\d % of the frame$/);
    expect(checks['amazon-more']).toMatchObject({ ready: true, refusal: null });
  });

  it.each([
    ['a white picture with the product at 88 %', 88, '#ffffff', true, 'all of the background is 255, 255, 255'],
    ['a grey one at 60 %', 60, '#f4f4f4', false, '100 % of the background is not 255, 255, 255'],
  ])('measures %s', async (_, percent, background, isWhite, measured) => {
    const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="800" height="800">
      <rect width="100%" height="100%" fill="${background}"/><circle cx="400" cy="400" r="${4 * percent}" fill="#a03020"/></svg>`;
    const picture = await sharp(Buffer.from(svg))
      .flatten()
      .jpeg({ quality: 95, chromaSubsampling: '4:4:4' })
      .toBuffer();
    const { 'amazon-main': amazon } = await check(await postCheck(picture));
    expect(ruleOf(amazon, 'background-white')).toMatchObject({ passed: isWhite, measured });
    expect(ruleOf(amazon, 'fills-frame')).toMatchObject({
      passed: percent >= 85,
      measured: `the product fills ${percent} % of the frame`,
    });
    expect(amazon.ready).toBe(isWhite);
  });

  it.each([
    ['white', '#ffffff', 'amazon-main'],
    ['nothing', 'none', 'transparent-png'],
  ] as const)('measures a black product on %s like every other', { tags: ['slow'] }, async (_, background, pack) => {
    const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="800" height="800">
      <rect width="100%" height="100%" fill="${background}"/><circle cx="400" cy="400" r="360" fill="#000000"/></svg>`;
    const checks = await check(await postCheck(await sharp(Buffer.from(svg)).png().toBuffer(), 'image/png'));
    expect(checks[pack].ready).toBe(true);
    expect(ruleOf(checks['amazon-main'], 'fills-frame')?.measured).toBe('the product fills 90 % of the frame');
  });

  it('sees a spot, a shadow and a border', { tags: ['slow'] }, async () => {
    const onWhite = async (extra: string) => {
      const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="800" height="800"><filter id="b"><feGaussianBlur stdDeviation="12"/></filter>
        <rect width="800" height="800" fill="#ffffff"/>${extra}<circle cx="400" cy="400" r="350" fill="#206080"/></svg>`;
      return check(await postCheck(await sharp(Buffer.from(svg)).flatten().png().toBuffer(), 'image/png'));
    };
    const spot = await onWhite('<rect x="20" y="20" width="3" height="3" fill="#fefefe"/>');
    expect(ruleOf(spot['amazon-main'], 'background-white')?.passed).toBe(false);
    const shadow = await onWhite('<ellipse cx="400" cy="750" rx="280" ry="25" fill="#999999" filter="url(#b)"/>');
    expect(ruleOf(shadow['amazon-main'], 'background-white')?.passed).toBe(false);
    const framed = await sharp(await readPhoto('kettle', 700))
      .extend({ top: 30, bottom: 30, left: 30, right: 30, background: '#102030' })
      .png()
      .toBuffer();
    expect(ruleOf((await check(await postCheck(framed, 'image/png'))).ebay, 'no-border')?.measured).toBe(
      'a border of one colour, up to 30 pixels wide, runs around it',
    );
  });

  it('keeps nothing', async () => {
    const count = async () =>
      (
        await sql<{
          n: string;
        }>`select (select count(*) from uploads) + (select count(*) from generations) as n`.execute(app.db)
      ).rows;
    const before = await count();
    await check(await postCheck(await readPhoto('candle', 600)));
    expect(await count()).toEqual(before);
  });

  it('takes what an upload takes, from who is signed in', async () => {
    const photo = await readPhoto('candle', 400);
    const form = new FormData();
    form.set('image', new Blob([new Uint8Array(photo)], { type: 'image/jpeg' }), 'x.jpg');
    await expectProblem(
      await fetch(`${app.url}/api/v1/checks`, { method: 'POST', body: form }),
      'authentication_required',
    );
    await expectProblem(await postCheck(photo, 'image/gif'), 'unsupported_image_type');
    await expectProblem(await postCheck(Buffer.alloc(12 * 1024 * 1024 + 1), 'image/png'), 'file_too_large');
    await expectProblem(await postCheck(Buffer.alloc(0), 'image/png'), 'image_read_failed');
    await expectProblem(await postCheck(Buffer.alloc(500, 7), 'image/png'), 'image_unreadable');
    await expectProblem(await postCheck(photo.subarray(0, photo.byteLength / 2)), 'image_unreadable');
    const none = new FormData();
    none.set('prompt', 'x');
    await expectProblem(await user.fetch('/api/v1/checks', { method: 'POST', body: none }), 'unknown_field');
    await expectProblem(await user.fetch('/api/v1/checks', { method: 'POST', body: new FormData() }), 'image_required');
    const words = new FormData();
    words.set('image', 'x');
    await expectProblem(await user.fetch('/api/v1/checks', { method: 'POST', body: words }), 'image_required');
    await expectProblem(
      await user.fetch('/api/v1/checks', {
        method: 'POST',
        body: '{}',
        headers: { 'content-type': 'application/json' },
      }),
      'unsupported_content_type',
    );
  });

  it('says that it is not possible now while no engine answers', async () => {
    const away = await startTestApp({}, undefined, 'hosted', async () => 'http://127.0.0.1:1');
    try {
      const person = await makeUser(away);
      const answer = await postCheck(await readPhoto('mug', 400), 'image/jpeg', person);
      expect(answer.headers.get('retry-after')).toBe('5');
      await expectProblem(answer, 'temporarily_unavailable');
    } finally {
      await away.close();
    }
  });
});

it('no figure is asked for twice in one way', () => {
  for (const { rules } of Object.values(packs)) {
    expect(new Set(rules.map(({ id, level }) => `${id} ${level}`)).size).toBe(rules.length);
  }
});
