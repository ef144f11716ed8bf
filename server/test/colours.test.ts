import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { tools } from '@plinth/contract/tools';
import sharp from 'sharp';
import { afterAll, expect, it } from 'vitest';
import { preparePicture } from '../src/media/uploads.ts';
import chromium from './chromium-colours.json' with { type: 'json' };
import { listEncodings, readSquares, SQUARES, writePicture } from './encodings.ts';

const folder = await mkdtemp(join(tmpdir(), 'colours-'));
afterAll(() => rm(folder, { recursive: true }));
const LIMITS = { minSide: 16, maxSide: 16_384, maxRatio: 8 };

/** The colour squares of a stored picture, however it was uploaded. */
async function keep(content: Buffer, type: string): Promise<number[][]> {
  const path = join(folder, 'photo');
  await writeFile(path, content);
  const file = { path, bytes: content.byteLength, sha256: '', declaredType: type, filename: 'a' };
  const field = tools.remover.fields.image;
  const kept = await preparePicture('image', field, file, LIMITS);
  const { data, info } = await sharp(kept.content).raw().toBuffer({ resolveWithObject: true });
  expect((await sharp(kept.content).metadata()).icc).toBeUndefined();
  return readSquares(data, info.channels);
}

const encodings = await listEncodings();
const furthest = (left: number[][], right: number[][]) =>
  Math.max(...left.flat().map((value, at) => Math.abs(value - (right.flat()[at] ?? NaN))));

/** The colours that a browser paints (e2e/journeys/colours.spec.ts compares them with the installed one). */
const painted = new Map<string, number[][]>(Object.entries(chromium));

it('every encoding has been shown to Chromium', () => expect(Object.keys(encodings)).toEqual([...painted.keys()]));

it.each(Object.entries(encodings))('%s is kept in the colours that a browser shows', async (name, content) => {
  const type = `image/${name.split(',')[0]?.toLowerCase()}`;
  expect(furthest(await keep(content, type), painted.get(name) ?? [])).toBeLessThanOrEqual(4);
});

it.each([1, 0xffff_ffff])('a PNG whose gamma is %i hundred thousandths is taken', async (value) => {
  const gamma = Buffer.alloc(4);
  gamma.writeUInt32BE(value);
  expect(await keep(writePicture([['gAMA', gamma], 'IDAT']), 'image/png')).toHaveLength(4);
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
