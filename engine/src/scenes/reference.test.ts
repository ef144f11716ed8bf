import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import sharp from 'sharp';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { drawRgb, type Colour } from '../../test/draw.ts';
import { hexToBytes } from './colours.ts';
import { borrowColours } from './reference.ts';

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'engine-reference-'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

const UPPER: Colour = [200, 40, 90];
const LOWER: Colour = [30, 120, 60];

/** Two colours, one above the other. */
async function drawReference(width: number, height: number): Promise<string> {
  const { data } = drawRgb({ width, height }, (_, y) => (y < 0.65 * height ? UPPER : LOWER));
  const path = join(folder, `${width}x${height}.png`);
  await sharp(data, { raw: { width, height, channels: 3 } }).toFile(path);
  return path;
}

it.each([
  [100, 100],
  [640, 200],
  [90, 600],
])(
  'a reference of %i x %i pixels gives the wall its upper colour and the surface its lower one',
  async (width, height) => {
    const { wall, surface } = await borrowColours(await drawReference(width, height), 'ref_image_url');
    for (const [found, wanted] of [
      [wall, UPPER],
      [surface, LOWER],
    ] as const) {
      for (const [c, value] of hexToBytes(found).entries()) expect(Math.abs(value - wanted[c]!)).toBeLessThan(14);
    }
  },
);

it('a reference that is no picture is refused by its field', async () => {
  const tiny = await drawReference(30, 30);
  await expect(borrowColours(tiny, 'ref_image_url')).rejects.toMatchObject({
    entry: { loc: ['body', 'ref_image_url'] },
  });
});
