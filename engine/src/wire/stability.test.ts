import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { KEY, readProduct, REMOVE, removeFolder, startEngine, submit, toDataUrl, waitFor } from '../../test/engine.ts';
import type { Engine } from '../../test/engine.ts';
import { readPictureSize } from './picture-size.ts';

let engine: Engine;

beforeAll(async () => {
  engine = await startEngine({ ENGINE_WORKERS: '1' });
});

afterAll(async () => {
  await engine.stop();
  await removeFolder(engine);
});

const PATH = '/stability/v2beta/image-to-video';

async function makePicture(width: number, height: number, format: 'jpeg' | 'png' = 'jpeg'): Promise<Buffer> {
  return sharp(await readProduct('mug'))
    .resize(width, height)
    .toFormat(format)
    .toBuffer();
}

function ask(image: Uint8Array | string | undefined, fields: Record<string, string> = {}, key = KEY) {
  const form = new FormData();
  if (typeof image === 'string') form.set('image', image);
  else if (image) form.set('image', new Blob([new Uint8Array(image)]), 'image.jpg');
  for (const [name, value] of Object.entries(fields)) form.set(name, value);
  return fetch(`${engine.base}${PATH}`, { method: 'POST', body: form, headers: { authorization: `Bearer ${key}` } });
}

function read(id: string, accept: string): Promise<Response> {
  return fetch(`${engine.base}${PATH}/result/${id}`, { headers: { authorization: `Bearer ${KEY}`, accept } });
}

async function start(image: Uint8Array, fields = {}): Promise<string> {
  const response = await ask(image, fields);
  expect(response.status).toBe(200);
  return ((await response.json()) as { id: string }).id;
}

const waitForResult = (id: string, accept: string) =>
  waitFor(async () => {
    const response = await read(id, accept);
    return response.status !== 202 && response;
  }, 90_000);

describe('image to video', () => {
  it('gives an id, waits with 202, and serves the film as bytes or as base64', { timeout: 120_000 }, async () => {
    const id = await start(await makePicture(768, 768), { seed: '7', cfg_scale: '1.8', motion_bucket_id: '127' });
    expect(id).toMatch(/^[0-9a-f]{64}$/);
    const early = await read(id, 'video/*');
    expect([early.status, await early.json()]).toEqual([202, { id, status: 'in-progress' }]);
    const film = await waitForResult(id, 'video/*');
    expect(film.status).toBe(200);
    expect(film.headers.get('content-type')).toBe('video/mp4');
    expect([film.headers.get('finish-reason'), film.headers.get('seed')]).toEqual(['SUCCESS', '7']);
    const bytes = Buffer.from(await film.arrayBuffer());
    expect(bytes.subarray(4, 8).toString()).toBe('ftyp');
    const described = (await (await read(id, 'application/json')).json()) as { video: string; finish_reason: string };
    expect(described.finish_reason).toBe('SUCCESS');
    expect(Buffer.from(described.video, 'base64').equals(bytes)).toBe(true);
  });

  it('says in its own words why a film was not made', { timeout: 120_000 }, async () => {
    const grey = await sharp({ create: { width: 768, height: 768, channels: 3, background: '#888' } })
      .png()
      .toBuffer();
    const half = (await makePicture(1024, 576)).subarray(0, 20_000);
    for (const image of [grey, half]) {
      const response = await waitForResult(await start(image), 'video/*');
      const sentence = expect.stringMatching(/^The picture .*\.$/) as string;
      expect([response.status, await response.json()]).toMatchObject([
        400,
        { name: 'bad_request', errors: [sentence] },
      ]);
    }
  });
});

describe('what it refuses', () => {
  it.each([
    ['no picture', undefined, {}, /image: is required/],
    ['a text for a picture', 'hello', {}, /image: is required/],
    ['bytes of no picture', Buffer.alloc(900, 7), {}, /JPEG or PNG/],
  ])('%s', async (_, image, fields, reason) => {
    const response = await ask(image, fields);
    expect(response.status).toBe(400);
    expect(((await response.json()) as { errors: string[] }).errors.join()).toMatch(reason);
  });

  it.each([
    [768, 767],
    [1024, 768],
    [576, 576],
  ])('a picture of %d x %d', async (width, height) => {
    const response = await ask(await makePicture(width, height));
    expect(await response.json()).toMatchObject({
      name: 'bad_request',
      errors: [expect.stringContaining('1024x576, 576x1024 or 768x768')],
    });
  });

  it.each([
    ['seed', '-1'],
    ['seed', '1.5'],
    ['seed', '4294967295'],
    ['cfg_scale', '11'],
    ['cfg_scale', 'much'],
    ['motion_bucket_id', '0'],
    ['motion_bucket_id', '256'],
  ])('%s %s', async (name, value) => {
    const response = await ask(await makePicture(768, 768, 'png'), { [name]: value });
    expect([response.status, await response.json()]).toMatchObject([400, { errors: [expect.stringContaining(name)] }]);
  });

  it('another key, another body, more than 10 MiB', async () => {
    const picture = await makePicture(768, 768);
    expect((await ask(picture, {}, 'wrong')).status).toBe(401);
    expect((await engine.call('POST', PATH, { key: KEY, body: {} })).status).toBe(401); // fal's way to send the key
    const headers = { authorization: `Bearer ${KEY}`, 'content-type': 'application/json' };
    expect((await fetch(`${engine.base}${PATH}`, { method: 'POST', body: '{}', headers })).status).toBe(400);
    const broken = { ...headers, 'content-type': 'multipart/form-data; boundary=x' };
    expect((await fetch(`${engine.base}${PATH}`, { method: 'POST', body: '--y', headers: broken })).status).toBe(400);
    const large = await ask(Buffer.concat([picture, Buffer.alloc(10_500_000)])).catch(() => undefined);
    expect(large === undefined || large.status === 413).toBe(true);
  });

  it('ids it did not give', async () => {
    const other = await submit(engine, REMOVE, { image_url: toDataUrl(await makePicture(300, 300)) });
    const hex = Buffer.from(other, 'base64url').toString('hex');
    for (const id of ['', 'x', hex, `${hex}${'0'.repeat(32)}`, 'a'.repeat(64), '../../../health']) {
      const response = await read(id, 'video/*');
      if (id !== '../../../health') expect(await response.json()).toMatchObject({ name: 'not_found' });
      expect([404, 401]).toContain(response.status);
    }
  });
});

describe('the size of a picture', () => {
  it.each(['jpeg', 'png'] as const)('is read from the first bytes of a %s', async (format) => {
    expect(readPictureSize(await makePicture(320, 200, format))).toEqual({ width: 320, height: 200 });
  });

  it('is found behind long metadata and in progressive pictures', async () => {
    const picture = await sharp(await makePicture(320, 200))
      .withExif({ IFD0: { ImageDescription: 'x'.repeat(30_000) } })
      .jpeg({ progressive: true })
      .toBuffer();
    expect(readPictureSize(picture)).toEqual({ width: 320, height: 200 });
  });

  it('is none of what only begins like a picture', async () => {
    const jpeg = await makePicture(320, 200);
    const odd = [
      Buffer.alloc(0),
      jpeg.subarray(0, 3),
      jpeg.subarray(0, 20),
      Buffer.from([0xff, 0xd8, 0, 0, 0, 0, 0, 0, 0, 0, 0]),
    ];
    for (const bytes of odd) expect(readPictureSize(bytes)).toBeUndefined();
    expect(readPictureSize(Buffer.concat([Buffer.from([0xff, 0xd8]), Buffer.alloc(5000, 0xff)]))).toBeUndefined();
  });
});
