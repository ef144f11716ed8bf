import sharp from 'sharp';
import { expect, it } from 'vitest';
import { readPicture } from '../pixels/decode.ts';
import { mapFloats } from '../pixels/map.ts';
import { makePlane } from '../pixels/plane.ts';
import { isGarmentAlone } from './garment.ts';

const PICTURES = new URL('../../quality/pictures/', import.meta.url).pathname;

const isGarment = async (name: string) => {
  const picture = await readPicture(`${PICTURES}${name}.jpg`, 'image_url');
  const mask = await sharp(`${PICTURES}${name}.mask.png`).extractChannel(0).raw().toBuffer();
  return isGarmentAlone(picture, { ...picture, data: mapFloats(mask, (value) => value / 255) });
};

it.each(['real/thing-02', 'real/thing-04', 'real/thing-08'])('knows the garment %s', async (name) => {
  expect(await isGarment(name)).toBe(true);
});

it.each(['real/thing-12', 'real/thing-22', 'person-li', 'person-tom'])('takes %s for none', async (name) => {
  expect(await isGarment(name)).toBe(false);
});

it('takes nothing for none', async () => {
  const picture = { width: 64, height: 64, data: new Uint8Array(64 * 64 * 3) };
  expect(await isGarmentAlone(picture, makePlane(picture))).toBe(false);
});
