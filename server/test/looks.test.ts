import { type Look, lookListSchema, lookSchema } from '@plinth/contract/looks';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createLog } from '../src/platform/log.ts';
import { type EngineProcess, startEngine } from '../src/platform/machine/engine-process.ts';
import { readOrMakeSecrets } from '../src/platform/machine/secrets.ts';
import { startTestApp, type TestApp } from './app.ts';
import { makeClip } from './clip.ts';
import { cutouts, readPhoto } from './cutouts.ts';
import { postLook } from './look-errors.ts';
import { makeGeneration, makeKey, makeUser, postJson, type TestUser, waitForEnd } from './makers.ts';
import { expectProblem } from './wire.ts';

let app: TestApp;
let user: TestUser;
let engine: EngineProcess;
const engineDir = mkdtempSync(join(tmpdir(), 'plinth-looks-'));

beforeAll(async () => {
  app = await startTestApp({}, undefined, 'hosted', async () => engine.baseUrl);
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

async function makeMedia(content: Buffer, tool = 'remover'): Promise<string> {
  app.provider.behave({ polls: 0, file: (response) => Boolean(response.writeHead(200).end(content)) });
  const made = await waitForEnd(user, (await makeGeneration(user, { tool, prompt: 'on marble' })).id);
  expect(made.status).toBe('succeeded');
  return made.result?.mediaId ?? '';
}
const makeLook = async (body: object): Promise<Look> => {
  const answer = await postLook(app, user, body);
  expect(answer.status).toBe(201);
  return lookSchema.parse(await answer.json());
};
const put = (id: string, body: object) =>
  user.fetch(`/api/v1/looks/${id}`, {
    method: 'PUT',
    body: JSON.stringify(body),
    headers: { 'content-type': 'application/json' },
  });
const fetchFile = (id: string, rest: string) => user.fetch(`/api/v1/media/${id}/${rest}`);

async function open(answer: Response) {
  expect(answer.status).toBe(200);
  const content = Buffer.from(await answer.arrayBuffer());
  const { format, width, height } = await sharp(content).metadata();
  const { data, info } = await sharp(content).raw().toBuffer({ resolveWithObject: true });
  const at = (x: number, y: number) => [
    ...data.subarray((y * info.width + x) * info.channels, (y * info.width + x + 1) * info.channels),
  ];
  return { content, format, width, height, at, headers: answer.headers };
}

describe('looks', () => {
  it('are saved with what is not said, listed newest first, changed as a whole and deleted', async () => {
    const plain = await makeLook({ name: ' Plain ' });
    expect(plain).toMatchObject({
      name: 'Plain',
      shadow: 'none',
      shadowAngle: 0,
      margin: { top: 0.05, right: 0.05, bottom: 0.05, left: 0.05 },
      canvas: '#ffffff',
      size: 2000,
      scale: 'frame',
      align: 'centre',
    });
    const other = await makeLook({
      name: 'Mugs',
      shadow: 'soft',
      shadowAngle: 359,
      margin: { top: 0.4 },
      canvas: 'transparent',
    });
    expect(other.margin).toEqual({ top: 0.4, right: 0.05, bottom: 0.05, left: 0.05 });
    const list = async () => lookListSchema.parse(await user.get('/api/v1/looks')).items.map(({ id }) => id);
    expect((await list()).slice(0, 2)).toEqual([other.id, plain.id]);
    const changed = await put(other.id, { name: 'Cups', size: 500 });
    expect(await changed.json()).toEqual({
      ...plain,
      ...{ id: other.id, name: 'Cups', size: 500, createdAt: other.createdAt },
    });
    expect((await user.fetch(`/api/v1/looks/${other.id}`, { method: 'DELETE' })).status).toBe(204);
    expect(await list()).not.toContain(other.id);
    for (const body of [{ name: 'Cups' }, {}, { name: 'Cups', x: 1 }])
      await expectProblem(await put(other.id, body), 'look_not_found');
    await expectProblem(await user.fetch(`/api/v1/looks/${other.id}`, { method: 'DELETE' }), 'look_not_found');
  });

  it('are saved once however often a request with the same key comes', async () => {
    const person = await makeUser(app);
    const key = { 'idempotency-key': 'again' };
    const send = (body: object) => postJson(`${app.url}/api/v1/looks`, body, { cookie: person.cookie, ...key });
    const answers = await Promise.all([send({ name: 'Once' }), send({ name: 'Once' }), send({ name: 'Once' })]);
    expect(answers.map(({ status }) => status)).toEqual([201, 201, 201]);
    const saved = await Promise.all(answers.map(async (answer) => lookSchema.parse(await answer.json()).id));
    expect(new Set(saved).size).toBe(1);
    expect(lookListSchema.parse(await person.get('/api/v1/looks')).items.map(({ id }) => id)).toEqual([saved[0]]);
    await expectProblem(await send({ name: 'Other' }), 'idempotency_key_reused');
  });

  it('go from one account to another as they are exported, also with a key', async () => {
    const look = await makeLook({
      name: 'Ours',
      shadow: 'reflection',
      canvas: '#F0E8d8',
      scale: 'height',
      align: 'foot',
    });
    const stranger = await makeUser(app);
    const key = await makeKey(app, stranger);
    const answer = await key.fetch('/api/v1/looks', {
      method: 'POST',
      body: JSON.stringify(look),
      headers: { 'content-type': 'application/json' },
    });
    const copy = lookSchema.parse(await answer.json());
    expect({ ...copy, id: look.id, createdAt: look.createdAt }).toEqual(look);
    expect(copy.id).not.toBe(look.id);
    await expectProblem(await stranger.fetch(`/api/v1/looks/${look.id}`, { method: 'DELETE' }), 'look_not_found');
  });

  it.each([
    [{ shadow: 'long' }, ['shadow']],
    [{ shadowAngle: 360 }, ['shadowAngle']],
    [{ shadowAngle: 1.5 }, ['shadowAngle']],
    [{ margin: { top: 0.41 } }, ['margin.top']],
    [{ margin: { top: -0.01, left: '0' } }, ['margin.top', 'margin.left']],
    [{ margin: 0.1 }, ['margin']],
    [{ canvas: 'white', size: 499 }, ['canvas', 'size']],
    [{ size: 5001, scale: 'cm', align: 'top' }, ['size', 'scale', 'align']],
  ])('are refused with %j, by the names of what is wrong', async (settings, fields) => {
    const answer = await postLook(app, user, { name: 'x', ...settings });
    const problem = (await answer.clone().json()) as { fields: { field: string }[] };
    await expectProblem(answer, 'look_invalid');
    expect(problem.fields.map(({ field }) => field)).toEqual(fields);
  });

  it('need a name, and know no other settings', async () => {
    await expectProblem(await postLook(app, user, { shadow: 'soft' }), 'name_required');
    await expectProblem(await postLook(app, user, { name: 'x'.repeat(101) }), 'name_too_long');
    await expectProblem(await postLook(app, user, { name: 'x', glow: true }), 'unknown_field');
    await expectProblem(await fetch(`${app.url}/api/v1/looks`), 'authentication_required');
  });
});

it('a packshot is shown in small by settings that are not saved', async () => {
  const id = await makeMedia(await cutouts['a square box']!());
  const ask = (settings: unknown) =>
    fetchFile(id, `packshot/preview?settings=${encodeURIComponent(JSON.stringify(settings))}`);
  const tags = await Promise.all([{}, {}, { size: 600 }].map(async (look) => (await ask(look)).headers.get('etag')));
  expect([tags[0] === tags[1], tags[0] === tags[2]]).toEqual([true, false]);
  const shown = await open(await ask({ canvas: '#336699', size: 5000 }));
  expect([shown.format, shown.width, shown.height]).toEqual(['webp', 640, 640]);
  const [red = 0, green = 0, blue = 0] = shown.at(3, 3);
  expect([red > 40 && red < 62, green > 92 && green < 112, blue > 143 && blue < 163]).toEqual([true, true, true]);
  await expectProblem(await ask({ size: 1 }), 'look_invalid');
  await expectProblem(await fetchFile(id, 'packshot/preview'), 'look_invalid');
});

describe('a packshot', () => {
  it('without a look is the product on white, a square as large as it may grow, the same bytes each time', async () => {
    const id = await makeMedia(
      await sharp(await cutouts['a square box']!())
        .resize(400)
        .png()
        .toBuffer(),
    );
    const shot = await open(await fetchFile(id, 'packshot'));
    expect([shot.format, shot.width === shot.height, (shot.width ?? 0) < 2000]).toEqual(['jpeg', true, true]);
    expect([shot.headers.get('plinth-look'), shot.headers.get('plinth-enlarged')]).toEqual(['full', '2']);
    expect(shot.headers.get('content-disposition')).toMatch(/-packshot\.jpg"/);
    expect(shot.at(3, 3)).toEqual([255, 255, 255]);
    expect((await open(await fetchFile(id, 'packshot'))).content).toEqual(shot.content);
  });

  it('is made by settings that are not saved as they are shown, and says which are wrong', async () => {
    const id = await makeMedia(await cutouts['a square box']!());
    const ask = (settings: unknown) =>
      fetchFile(id, `packshot?settings=${encodeURIComponent(JSON.stringify(settings))}`);
    const settings = { canvas: '#336699', size: 600 };
    const shot = await open(await ask(settings));
    expect([shot.format, shot.width, shot.at(3, 3)[2]]).toEqual(['jpeg', 600, expect.closeTo(0x99, -1)]);
    const look = await makeLook({ name: 'Blue', ...settings });
    expect(shot.content).toEqual((await open(await fetchFile(id, `packshot?look=${look.id}`))).content);
    await expectProblem(await ask({ size: 1 }), 'look_invalid');
  });

  it('has the margins, canvas, size and alignment of its look', async () => {
    const id = await makeMedia(await cutouts['a square box']!());
    const margin = { top: 0.3, right: 0.3, bottom: 0.1, left: 0.1 };
    const look = await makeLook({ name: 'Low', margin, canvas: '#204060', size: 600, align: 'foot' });
    const shot = await open(await fetchFile(id, `packshot?look=${look.id}`));
    expect([shot.width, shot.height]).toEqual([600, 600]);
    const canvas = [0x20, 0x40, 0x60].map((value) => expect.closeTo(value, -1) as number);
    for (const [x, y] of [
      [10, 10],
      [300, 170],
      [590, 300],
      [300, 590],
    ] as const)
      expect(shot.at(x, y)).toEqual(canvas);
    expect(shot.at(240, 530)).not.toEqual(canvas);
    expect(shot.headers.get('plinth-enlarged')).toBeNull();
  });

  it.each(['contact', 'soft', 'reflection'] as const)(
    'has a %s under it, on white and on nothing, and none at the edge',
    { tags: ['slow'] },
    async (shadow) => {
      const id = await makeMedia(await cutouts['a square box']!());
      const settings = {
        shadow,
        shadowAngle: 60,
        size: 700,
        align: 'foot',
        margin: { top: 0.2, right: 0.2, bottom: 0.2, left: 0.2 },
      };
      const white = await open(await fetchFile(id, `packshot?look=${(await makeLook({ name: 'w', ...settings })).id}`));
      const bare = await open(
        await fetchFile(id, `packshot?look=${(await makeLook({ name: 'b', ...settings, shadow: 'none' })).id}`),
      );
      const clear = await open(
        await fetchFile(id, `packshot?look=${(await makeLook({ name: 'c', ...settings, canvas: 'transparent' })).id}`),
      );
      expect([white.format, clear.format]).toEqual(['jpeg', 'png']);
      // Just below the foot.
      const below = [350, 566] as const;
      expect(bare.at(...below)).toEqual([255, 255, 255]);
      expect(white.at(...below)[1]).toBeLessThan(250);
      expect(clear.at(...below)[3]).toBeGreaterThan(5);
      for (let n = 0; n < 700; n += 7)
        for (const [x, y] of [
          [n, 0],
          [n, 699],
          [0, n],
          [699, n],
        ] as const) {
          expect(white.at(x, y)).toEqual([255, 255, 255]);
          expect(clear.at(x, y)[3]).toBe(0);
        }
      // The product is the same over it.
      expect(white.at(350, 400).map((value, c) => Math.abs(value - (bare.at(350, 400)[c] ?? 0)) <= 2)).toEqual([
        true,
        true,
        true,
      ]);
    },
  );

  it('is refused without transparency, for videos, for unknown and foreign looks, and to strangers', async () => {
    const scene = await makeMedia(
      await sharp(await readPhoto('mug'))
        .png()
        .toBuffer(),
      'text-to-image',
    );
    await expectProblem(await fetchFile(scene, 'packshot'), 'cutout_needed');
    const clip = await makeMedia(await makeClip(), 'basic-image-to-video');
    await expectProblem(await fetchFile(clip, 'packshot'), 'pack_not_possible');
    const id = await makeMedia(await cutouts['a hard circle']!());
    for (const none of ['look_none', '%00'])
      await expectProblem(await fetchFile(id, `packshot?look=${none}`), 'look_not_found');
    const stranger = await makeUser(app);
    const foreign = lookSchema.parse(await (await postLook(app, stranger, { name: 'x' })).json());
    await expectProblem(await fetchFile(id, `packs/ebay?look=${foreign.id}`), 'look_not_found');
    await expectProblem(await stranger.fetch(`/api/v1/media/${id}/packshot`), 'not_found');
  });
});

describe("a pack's file with a look", () => {
  it('has all of it where the rules allow it, and else as much', { tags: ['slow'] }, async () => {
    const id = await makeMedia(await cutouts['a square box']!());
    const wide = await makeLook({
      name: 'wide',
      shadow: 'contact',
      align: 'foot',
      margin: { top: 0.2, right: 0.2, bottom: 0.2, left: 0.2 },
    });
    const shopify = await open(await fetchFile(id, `packs/shopify?look=${wide.id}`));
    expect([shopify.headers.get('plinth-look'), shopify.width]).toEqual(['full', 2048]);
    expect(shopify.at(1024, 350)).toEqual([255, 255, 255]);
    const amazon = await open(await fetchFile(id, `packs/amazon-main?look=${wide.id}`));
    expect([amazon.headers.get('plinth-look'), amazon.width]).toEqual(['partly', 2000]);
    const plain = await open(await fetchFile(id, 'packs/amazon-main'));
    // A square product is centred anyway, without shadow and margins, so the file is the same.
    expect(amazon.content).toEqual(plain.content);
    const small = await fetchFile(id, `packs/shopify/preview?look=${wide.id}`);
    expect([
      small.status,
      small.headers.get('etag') === (await fetchFile(id, 'packs/shopify/preview')).headers.get('etag'),
    ]).toEqual([200, false]);
  });
});
