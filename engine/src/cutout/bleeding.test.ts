import sharp from 'sharp';
import { expect, it } from 'vitest';
import { makePlane } from '../pixels/plane.ts';
import { clearBleeding } from './bleeding.ts';

const SIDE = 96;
const SIZE = { width: SIDE, height: SIDE };

/** A square on a background of another colour, as a JPEG stores it, and its alpha. */
async function makePhoto(own: string, background: string, rim?: string) {
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="${SIDE}" height="${SIDE}"><rect width="${SIDE}" height="${SIDE}" fill="${background}"/>
    <rect x="25" y="25" width="45" height="45" fill="${rim ?? own}"/><rect x="27" y="27" width="41" height="41" fill="${own}"/></svg>`;
  const jpeg = await sharp(Buffer.from(svg)).jpeg({ quality: 90, chromaSubsampling: '4:2:0' }).toBuffer();
  const alpha = makePlane(SIZE);
  for (let y = 25; y < 70; y += 1) alpha.data.fill(1, y * SIDE + 25, y * SIDE + 70);
  return { photo: { ...SIZE, data: new Uint8Array(await sharp(jpeg).raw().toBuffer()) }, alpha };
}

/** Red minus green of the pixels along the square's upper edge. */
const readRim = (rgb: Uint8Array, y = 25) =>
  Array.from({ length: 37 }, (_, n) => rgb[3 * (y * SIDE + 29 + n)]! - rgb[3 * (y * SIDE + 29 + n) + 1]!);
const mean = (values: number[]) => values.reduce((sum, value) => sum + value, 0) / values.length;

it('removes the background colour from the rim and leaves the interior unchanged', async () => {
  const { photo, alpha } = await makePhoto('#606060', '#c02828');
  const cleared = new Uint8Array(photo.data);
  clearBleeding(cleared, photo, alpha);
  expect(mean(readRim(photo.data))).toBeGreaterThan(25);
  expect(Math.abs(mean(readRim(cleared)))).toBeLessThan(4);
  for (const y of [30, 48]) expect(readRim(cleared, y)).toEqual(readRim(photo.data, y));
});

it('restores chroma that a grey background removed', async () => {
  const { photo, alpha } = await makePhoto('#c02828', '#a0a0a0');
  const cleared = new Uint8Array(photo.data);
  clearBleeding(cleared, photo, alpha);
  expect(mean(readRim(photo.data))).toBeLessThan(140);
  expect(mean(readRim(cleared))).toBeGreaterThan(145);
});

it('keeps a rim of another colour than the product', async () => {
  const { photo, alpha } = await makePhoto('#c02828', '#a0a0a0', '#a0a0a0');
  const cleared = new Uint8Array(photo.data);
  clearBleeding(cleared, photo, alpha);
  expect(mean(readRim(cleared)) - mean(readRim(photo.data))).toBeLessThan(12);
  expect(mean(readRim(cleared))).toBeLessThan(25);
});
