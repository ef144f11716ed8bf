import sharp from 'sharp';
import { expect, it } from 'vitest';
import { readPicture } from '../pixels/decode.ts';
import { makePlane, mapFloats } from '../pixels/plane.ts';
import { isGarmentAlone } from './garment.ts';

const PICTURES = new URL('../../quality/pictures/', import.meta.url).pathname;

const isGarment = async (name: string, wider = 1) => {
  const { width, height } = await readPicture(`${PICTURES}${name}.jpg`);
  const size = { width: Math.round(wider * width), height };
  const [data, mask] = await Promise.all([
    sharp(`${PICTURES}${name}.jpg`)
      .resize({ ...size, fit: 'fill' })
      .removeAlpha()
      .raw()
      .toBuffer(),
    sharp(`${PICTURES}${name}.mask.png`)
      .extractChannel(0)
      .resize({ ...size, fit: 'fill' })
      .raw()
      .toBuffer(),
  ]);
  return isGarmentAlone({ ...size, data }, { ...size, data: mapFloats(mask, (value) => value / 255) });
};

it.each(['real/thing-02', 'real/thing-04', 'real/thing-06', 'real/thing-08'])(
  'detects the garment %s',
  async (name) => {
    expect(await isGarment(name)).toBe(true);
  },
);

it.each(['real/thing-12', 'real/thing-22', 'person-li', 'person-tom'])('rejects %s', async (name) => {
  expect(await isGarment(name)).toBe(false);
});

it('rejects shapes as wide as a sofa', async () => {
  expect(await isGarment('real/thing-08', 1.5)).toBe(true);
  expect(await isGarment('real/thing-08', 1.9)).toBe(false);
});

it('rejects an empty shape', async () => {
  const picture = { width: 64, height: 64, data: new Uint8Array(64 * 64 * 3) };
  expect(await isGarmentAlone(picture, makePlane(picture))).toBe(false);
});
