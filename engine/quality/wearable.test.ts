import { fileURLToPath } from 'node:url';
import sharp from 'sharp';
import { describe, expect, it, vi } from 'vitest';
import { readGarment } from '../src/dress/garment.ts';
import { looksWearable } from '../src/dress/recognise.ts';
import { ownMatting } from '../src/cutout/own-matting.ts';
import { readPicture, shrinkRgb } from '../src/pixels/decode.ts';
import type { Rgb } from '../src/pixels/plane.ts';
import { GARMENTS, samplePath } from './people.ts';

vi.setConfig({ testTimeout: 60_000 });

const PICTURES = fileURLToPath(new URL('./pictures/', import.meta.url));
const FLAT_SIDE = 720; // as the skill reads garments

async function readFlat(path: string) {
  return shrinkRgb(await readPicture(path, 'garment_image'), FLAT_SIDE);
}

const toCover = (bytes: Buffer) => Float32Array.from(bytes, (value) => value / 255);

async function readMask(name: string, { width, height }: Rgb) {
  const mask = sharp(`${PICTURES}${name}.mask.png`).extractChannel(0).resize(width, height, { fit: 'fill' });
  return { width, height, data: toCover(await mask.raw().toBuffer()) };
}

/** A shape in one cloth on a grey table, read with its true mask. */
async function readDrawn(points: string, back: string) {
  const draw = (cloth: string, table: string, inside = cloth) => {
    const ground = `<rect width="600" height="720" fill="${table}"/>`;
    const shapes = `${ground}<polygon points="${points}" fill="${cloth}"/><polygon points="${back}" fill="${inside}"/>`;
    return sharp(Buffer.from(`<svg width="600" height="720">${shapes}</svg>`)).removeAlpha();
  };
  const data = new Uint8Array(await draw('#7a3442', '#cfcac2', '#3a1720').raw().toBuffer());
  const size = { width: 600, height: 720 };
  const cover = toCover(await draw('#fff', '#000').extractChannel(0).raw().toBuffer());
  return readGarment({ ...size, data }, { ...size, data: cover });
}

describe('what is worn', () => {
  it.each(GARMENTS)('the %s is', async (name) => {
    const small = await readFlat(samplePath(`garment-${name}`));
    const garment = readGarment(small, await ownMatting.find(small, async () => {}));
    expect(garment && looksWearable(garment)).toBe(true);
  });

  it.each([
    [
      'a sleeveless top whose back is seen through the neck',
      '200,90 250,90 270,170 330,170 350,90 400,90 410,220 420,640 180,640 190,220',
      '250,90 350,90 330,170 270,170',
    ],
    [
      'a roll neck with long sleeves',
      '250,60 350,60 352,100 420,120 560,420 500,450 415,280 415,650 185,650 185,280 100,450 40,420 180,120 248,100',
      '',
    ],
  ])('%s is', async (_name, points, back) => {
    const garment = await readDrawn(points, back);
    expect(garment && looksWearable(garment)).toBe(true);
  });

  it.each(['mug', 'handbag', 'teddy', 'dropper', 'candle', 'ringvase', 'kettle', 'headphones', 'wineglass'])(
    'the %s is not',
    async (name) => {
      const small = await readFlat(`${PICTURES}${name}.jpg`);
      const garment = readGarment(small, await readMask(name, small));
      expect(garment !== undefined && looksWearable(garment)).toBe(false);
    },
  );
});
