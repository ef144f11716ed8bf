import { tools } from '@plinth/contract/tools';
import sharp from 'sharp';
import { expect, it } from 'vitest';
import { preparePicture } from '../src/media/uploads.ts';
import { listEncodings, readSquares, SQUARES, writePicture } from './encodings.ts';

/** What Chromium 156 paints on a canvas of sRGB, of the same bytes. */
const CHROMIUM: Record<string, number[][]> = {
  PNG: [
    [200, 30, 30],
    [30, 150, 60],
    [40, 60, 200],
    [230, 200, 40],
  ],
  'PNG, 16 bits': [
    [200, 30, 30],
    [30, 150, 60],
    [40, 60, 200],
    [230, 200, 40],
  ],
  'PNG, palette': [
    [200, 30, 30],
    [30, 150, 60],
    [40, 60, 200],
    [230, 200, 40],
  ],
  'PNG, grey': [
    [24, 24, 24],
    [90, 90, 90],
    [160, 160, 160],
    [230, 230, 230],
  ],
  'PNG, grey, 16 bits': [
    [24, 24, 24],
    [90, 90, 90],
    [160, 160, 160],
    [230, 230, 230],
  ],
  'PNG, sRGB': [
    [200, 30, 30],
    [30, 150, 60],
    [40, 60, 200],
    [230, 200, 40],
  ],
  'PNG, sRGB beside gAMA 1': [
    [200, 30, 30],
    [30, 150, 60],
    [40, 60, 200],
    [230, 200, 40],
  ],
  'PNG, 16 bits, sRGB': [
    [200, 30, 30],
    [30, 150, 60],
    [40, 60, 200],
    [230, 200, 40],
  ],
  'PNG, profile sRGB': [
    [200, 30, 30],
    [30, 150, 60],
    [40, 60, 200],
    [230, 200, 40],
  ],
  'PNG, profile P3': [
    [218, 0, 6],
    [0, 153, 44],
    [34, 61, 208],
    [236, 199, 0],
  ],
  'PNG, profile Adobe RGB': [
    [233, 24, 24],
    [0, 151, 48],
    [20, 57, 205],
    [242, 201, 0],
  ],
  'PNG, profile ProPhoto': [
    [255, 0, 34],
    [0, 183, 46],
    [0, 81, 223],
    [255, 204, 0],
  ],
  'PNG, palette, profile P3': [
    [218, 0, 6],
    [0, 153, 44],
    [34, 61, 208],
    [236, 199, 0],
  ],
  'PNG, 16 bits, profile sRGB': [
    [200, 30, 30],
    [30, 150, 60],
    [40, 60, 200],
    [230, 200, 40],
  ],
  'PNG, 16 bits, profile P3': [
    [218, 0, 6],
    [0, 153, 44],
    [34, 61, 208],
    [236, 199, 0],
  ],
  'PNG, 16 bits, profile Adobe RGB': [
    [233, 24, 24],
    [0, 151, 48],
    [20, 57, 205],
    [242, 201, 0],
  ],
  'PNG, 16 bits, profile ProPhoto': [
    [255, 0, 34],
    [0, 183, 46],
    [0, 81, 223],
    [255, 204, 0],
  ],
  'PNG, 16 bits, alpha, profile P3': [
    [218, 0, 6],
    [0, 153, 44],
    [34, 61, 208],
    [236, 199, 0],
  ],
  'PNG, grey, profile of gamma 1.8': [
    [32, 32, 32],
    [109, 109, 109],
    [176, 176, 176],
    [235, 235, 235],
  ],
  'PNG, grey, 16 bits, profile of gamma 1.8': [
    [32, 32, 32],
    [109, 109, 109],
    [176, 176, 176],
    [235, 235, 235],
  ],
  'PNG, gAMA 1': [
    [229, 96, 96],
    [96, 202, 133],
    [110, 133, 229],
    [244, 229, 110],
  ],
  'PNG, gAMA 1/1.8': [
    [210, 40, 40],
    [40, 167, 77],
    [53, 77, 210],
    [235, 210, 53],
  ],
  'PNG, gAMA 1/2.2': [
    [200, 30, 30],
    [30, 150, 60],
    [40, 60, 200],
    [230, 200, 40],
  ],
  'PNG, 16 bits, gAMA 1': [
    [229, 96, 96],
    [96, 202, 133],
    [110, 133, 229],
    [244, 229, 110],
  ],
  'PNG, grey, gAMA 1': [
    [86, 86, 86],
    [160, 160, 160],
    [208, 208, 208],
    [244, 244, 244],
  ],
  'PNG, palette, gAMA 1': [
    [229, 96, 96],
    [96, 202, 133],
    [110, 133, 229],
    [244, 229, 110],
  ],
  'PNG, gAMA 1/2.2, cHRM of sRGB': [
    [201, 24, 24],
    [24, 151, 57],
    [35, 57, 201],
    [231, 201, 35],
  ],
  'PNG, gAMA 1/2.2, cHRM of P3': [
    [220, 0, 0],
    [0, 154, 40],
    [28, 58, 209],
    [237, 200, 0],
  ],
  'PNG, cHRM of P3 alone': [
    [200, 30, 30],
    [30, 150, 60],
    [40, 60, 200],
    [230, 200, 40],
  ],
  'PNG, cICP of P3': [
    [218, 0, 6],
    [0, 153, 44],
    [34, 61, 208],
    [236, 199, 0],
  ],
  'PNG, cICP of BT.2020': [
    [249, 0, 9],
    [0, 158, 38],
    [0, 59, 210],
    [252, 197, 0],
  ],
  'PNG, cICP of sRGB beside gAMA 1': [
    [200, 30, 30],
    [30, 150, 60],
    [40, 60, 200],
    [230, 200, 40],
  ],
  'PNG, 16 bits, cICP of P3': [
    [218, 0, 6],
    [0, 153, 44],
    [34, 61, 208],
    [236, 199, 0],
  ],
  JPEG: [
    [200, 30, 30],
    [30, 150, 60],
    [41, 60, 199],
    [230, 200, 40],
  ],
  'JPEG, profile P3': [
    [200, 30, 30],
    [26, 150, 58],
    [41, 60, 199],
    [230, 200, 41],
  ],
  'JPEG, grey': [
    [24, 24, 24],
    [90, 90, 90],
    [160, 160, 160],
    [230, 230, 230],
  ],
  'WebP, profile P3': [
    [200, 30, 30],
    [30, 150, 60],
    [40, 60, 199],
    [230, 200, 41],
  ],
};

const LIMITS = { minSide: 16, maxSide: 16_384, maxRatio: 8 };

/** The squares of a picture as it is kept, by whichever way it comes. */
async function keep(content: Buffer, type: string): Promise<number[][]> {
  const file = { source: content, bytes: content.byteLength, sha256: '', declaredType: type, filename: 'a' };
  const field = tools.remover.fields.image;
  const kept = await preparePicture('image', field, file, LIMITS);
  const { data, info } = await sharp(kept.content).raw().toBuffer({ resolveWithObject: true });
  expect((await sharp(kept.content).metadata()).icc).toBeUndefined();
  return readSquares(data, info.channels);
}

const encodings = await listEncodings();
const furthest = (left: number[][], right: number[][]) =>
  Math.max(...left.flat().map((value, at) => Math.abs(value - (right.flat()[at] ?? NaN))));

it('every encoding has been shown to Chromium', () => expect(Object.keys(encodings)).toEqual(Object.keys(CHROMIUM)));

it.each(Object.entries(encodings))('%s is kept in the colours that a browser shows', async (name, content) => {
  const type = `image/${name.split(',')[0]?.toLowerCase()}`;
  expect(furthest(await keep(content, type), CHROMIUM[name] ?? [])).toBeLessThanOrEqual(4);
});

const control = (side: number) => {
  const content = Buffer.alloc(26);
  content.writeUInt32BE(side, 4);
  content.writeUInt32BE(side, 8);
  return content;
};
const animation = Buffer.from([0, 0, 0, 2, 0, 0, 0, 0]);

it.each([
  ['one picture', [['acTL', animation], ['fcTL', control(32)], 'IDAT']],
  ['two pictures', [['acTL', animation], ['fcTL', control(32)], 'IDAT', ['fcTL', control(32)], 'fdAT other']],
  ['a first picture that only others show', [['acTL', animation], 'IDAT other', ['fcTL', control(32)], 'fdAT']],
] as const)('an animated PNG of %s is taken as its first picture', async (_what, parts) => {
  const png = writePicture(parts);
  expect(
    furthest(
      await keep(png, 'image/png'),
      SQUARES.map((one) => [...one]),
    ),
  ).toBeLessThanOrEqual(1);
  expect(
    furthest(
      await keep(png, 'image/apng'),
      SQUARES.map((one) => [...one]),
    ),
  ).toBeLessThanOrEqual(1);
});
