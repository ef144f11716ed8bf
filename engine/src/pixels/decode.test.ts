import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { drawRgb } from '../../test/draw.ts';
import { isBlank, readPicture, shrinkRgb } from './decode.ts';
import { savePng } from './encode.ts';

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'engine-decode-'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

const SIZE = { width: 90, height: 70 };
const picture = drawRgb(SIZE, (x, y) => [2 * x, 3 * y, 60]);
const raw = { raw: { ...SIZE, channels: 3 as const } };
const put = async (name: string, bytes: Uint8Array) => {
  const path = join(folder, name);
  await writeFile(path, bytes);
  return path;
};
const read = async (bytes: Uint8Array) => readPicture(await put('picture', bytes));
const flat = (width: number, height: number) =>
  sharp({ create: { width, height, channels: 3, background: '#567' } })
    .png()
    .toBuffer();

describe('a decoded picture', () => {
  it('has the bytes of a PNG, without alpha', async () => {
    const decoded = await read(await sharp(picture.data, raw).png().toBuffer());
    expect(decoded).toMatchObject(SIZE);
    expect([...decoded.data]).toEqual([...picture.data]);
    expect(decoded.alpha).toBeUndefined();
  });

  it('is rotated upright', async () => {
    const turned = await sharp(picture.data, raw).withMetadata({ orientation: 6 }).jpeg().toBuffer();
    expect(await read(turned)).toMatchObject({ width: 70, height: 90 });
  });

  it.each(['jpeg', 'webp', 'gif', 'avif'] as const)('may be a %s', async (format) => {
    expect(await read(await sharp(picture.data, raw).toFormat(format).toBuffer())).toMatchObject(SIZE);
  });

  it('has three channels if the file has grey, or grey and alpha', async () => {
    const grey = Buffer.from(Array.from({ length: 90 * 70 }, (_, i) => [i % 256, i % 90 < 45 ? 0 : 255]).flat());
    const bytes = await sharp(grey, { raw: { ...SIZE, channels: 2 } })
      .png()
      .toBuffer();
    const { data, alpha } = await read(bytes);
    expect(data).toHaveLength(3 * 90 * 70);
    expect([alpha?.[0], alpha?.[89]]).toEqual([0, 255]);
  });

  it('keeps its alpha if that is usable', async () => {
    const withAlpha = (share: number) => {
      const rgba = Buffer.alloc(4 * 90 * 70, 200);
      for (let i = 0; i < 90 * 70; i += 1) rgba[4 * i + 3] = i < share * 90 * 70 ? 0 : 255;
      return sharp(rgba, { raw: { ...SIZE, channels: 4 } })
        .png()
        .toBuffer();
    };
    expect((await read(await withAlpha(0.5))).alpha).toBeDefined();
    for (const share of [0, 0.01, 1]) expect((await read(await withAlpha(share))).alpha).toBeUndefined();
  });

  it('is white where fully transparent, and composited on white if its alpha is unusable', async () => {
    const withAlpha = (alphaAt: (i: number) => number) => {
      const rgba = Buffer.alloc(4 * 90 * 70, 40);
      for (let i = 0; i < 90 * 70; i += 1) rgba[4 * i + 3] = alphaAt(i);
      return sharp(rgba, { raw: { ...SIZE, channels: 4 } })
        .png()
        .toBuffer();
    };
    const useful = await read(await withAlpha((i) => (i < 3000 ? 0 : i < 4000 ? 51 : 255)));
    expect([0, 3500, 5000].map((i) => useful.data[3 * i])).toEqual([255, 40, 40]);
    const faint = await read(await withAlpha((i) => (i < 20 ? 0 : i < 40 ? 51 : 255)));
    expect([0, 30, 5000].map((i) => faint.data[3 * i])).toEqual([255, 212, 40]);
    expect(isBlank(await read(await withAlpha(() => 0)))).toBe(true);
  });

  it.each<[string, RegExp, () => Promise<Buffer>]>([
    ['no picture', /^Use a JPEG/, async () => Buffer.from('a text that is no picture at all')],
    ['an empty file', /^Use a JPEG/, async () => Buffer.alloc(0)],
    [
      'a drawing',
      /^Use a JPEG/,
      async () => Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" width="90" height="90"/>'),
    ],
    ['half a picture', /is damaged/, async () => (await sharp(picture.data, raw).png().toBuffer()).subarray(0, 200)],
    ['one of 63 pixels', /at least 64 pixels/, () => flat(63, 90)],
    ['a ribbon', /eight times/, () => flat(64 * 9, 64)],
  ])('is refused: %s', async (_, message, make) => {
    await expect(read(await make())).rejects.toMatchObject({
      name: 'Refusal',
      message: expect.stringMatching(message),
    });
  });
});

it('shrinks to a long side, never to zero', async () => {
  expect(await shrinkRgb(picture, 45)).toMatchObject({ width: 45, height: 35 });
  expect(await shrinkRgb(picture, 90)).toBe(picture);
  expect(
    await shrinkRgb(
      drawRgb({ width: 300, height: 1 }, () => [1, 2, 3]),
      10,
    ),
  ).toMatchObject({ width: 10, height: 1 });
});

it('shrinks with its alpha, without colours of fully transparent pixels', async () => {
  const alpha = Uint8Array.from({ length: 90 * 70 }, (_, i) => (i % 90 < 43 ? 0 : 200));
  const data = drawRgb(SIZE, (x) => (x < 43 ? [255, 255, 255] : [50, 60, 70])).data;
  const small = await shrinkRgb({ ...SIZE, data, alpha }, 30);
  expect(small.alpha).toHaveLength(small.width * small.height);
  const visible = [...small.alpha!.keys()].filter((i) => small.alpha![i]! > 10);
  for (const i of visible) for (const c of [0, 1, 2]) expect(small.data[3 * i + c]! - (50 + 10 * c)).toBeLessThan(6);
  expect(visible.length).toBeGreaterThan(300);
});

describe('a sheet of one colour', () => {
  it('is blank with or without slight noise', () => {
    const noisy = drawRgb(SIZE, (x, y) => [100 + ((x * y) % 3), 100, 102]);
    expect(isBlank(noisy)).toBe(true);
  });

  it('is blank in any colour', () => {
    expect(isBlank(drawRgb(SIZE, () => [180, 40, 30]))).toBe(true);
  });

  it('is not blank with one dot', () => {
    const dotted = drawRgb(SIZE, (x, y) => (x === 40 && y === 40 ? [90, 100, 100] : [100, 100, 100]));
    expect(isBlank(dotted)).toBe(false);
  });
});

describe('a written picture', () => {
  it('is a PNG of the same bytes with correct metadata', async () => {
    const path = await savePng(join(folder, 'new'), 'a.png', picture);
    expect(await sharp(path).metadata()).toMatchObject({ format: 'png', ...SIZE });
    expect([...(await readPicture(path)).data]).toEqual([...picture.data]);
  });

  it('is a cut-out with its alpha', async () => {
    const alpha = Uint8Array.from({ length: 90 * 70 }, (_, i) => (i % 90 < 30 ? 0 : i % 256));
    const path = await savePng(folder, 'cut.png', { ...picture, alpha });
    const { data, info } = await sharp(path).raw().toBuffer({ resolveWithObject: true });
    expect(info.channels).toBe(4);
    expect(Uint8Array.from(alpha, (_, i) => data[4 * i + 3]!)).toEqual(alpha);
  });

  it("contains none of the upload's metadata", async () => {
    const path = await savePng(folder, 'bare.png', picture);
    const { exif, xmp, iptc, icc } = await sharp(path).metadata();
    expect([exif, xmp, iptc, icc]).toEqual([undefined, undefined, undefined, undefined]);
  });
});
