import { describe, expect, it } from 'vitest';
import { drawPlane, drawRgb } from '../../test/draw.ts';
import { UnclearProduct, type Matting } from '../cutout/matting.ts';
import type { Plane, Rgb } from '../pixels/plane.ts';
import { findSubject } from './subject.ts';

const SIZE = { width: 120, height: 80 };
const picture = drawRgb(SIZE, (x, y) => [x, y, 90]);
const isCup = (x: number, y: number) => x >= 50 && x < 70 && y >= 30 && y < 60;

/** Knows the cup on a copy of any size. */
function makeMatting(seen: Rgb[] = []): Matting {
  return {
    name: 'drawn',
    find: async (copy, report) => {
      seen.push(copy);
      await report(50, 'Looking');
      const scale = copy.width / SIZE.width;
      return drawPlane(copy, (x, y) => (isCup(Math.floor(x / scale), Math.floor(y / scale)) ? 1 : 0));
    },
  };
}

const failing = (error: Error): Matting => ({ name: 'failing', find: () => Promise.reject(error) });
const silent = async () => {};

describe('the product of a photo', () => {
  it('is what the network finds, in the picture’s own pixels', async () => {
    const found = await findSubject(picture, makeMatting(), silent);
    expect(found).toMatchObject({ box: { left: 50, top: 30, right: 70, bottom: 60 }, isCutBelow: false });
    expect(found!.alpha).toMatchObject(SIZE);
  });

  it('is looked for on a copy of a large picture, and found at its size', async () => {
    const scale = 10;
    const large = drawRgb({ width: 1200, height: 800 }, (x, y) => [x >> 3, y >> 3, 90]);
    const seen: Rgb[] = [];
    const found = await findSubject(large, makeMatting(seen), silent);
    expect(Math.max(seen[0]!.width, seen[0]!.height)).toBe(1024);
    expect(found!.alpha.width).toBe(1200);
    for (const [edge, at] of Object.entries({ left: 50, top: 30, right: 70, bottom: 60 })) {
      expect(Math.abs(found!.box[edge as 'left'] - at * scale)).toBeLessThan(4);
    }
  });

  it('tells how far the search is', async () => {
    const told: [number, string][] = [];
    await findSubject(picture, makeMatting(), async (percent, message) => void told.push([percent, message]));
    expect(told).toEqual([[50, 'Looking']]);
  });

  it('is none where nobody can tell it from its background: then all of the picture moves', async () => {
    expect(await findSubject(picture, failing(new UnclearProduct('fog')), silent)).toBeUndefined();
  });

  it('is not made up where the search itself fails', async () => {
    await expect(findSubject(picture, failing(new Error('out of memory')), silent)).rejects.toThrow('out of memory');
  });

  it('that came without its background is not looked for again', async () => {
    const alpha = Uint8Array.from({ length: 120 * 80 }, (_, i) => (isCup(i % 120, Math.floor(i / 120)) ? 255 : 0));
    const found = await findSubject({ ...picture, alpha }, failing(new Error('asked')), silent);
    expect(found!.box).toEqual({ left: 50, top: 30, right: 70, bottom: 60 });
    expect(Math.max(...found!.alpha.data)).toBe(1);
  });
});

describe('a product that cannot be moved by itself', () => {
  const findIn = (alpha: Plane) => findSubject(picture, { name: 'drawn', find: async () => alpha }, silent);
  const box = (left: number, top: number, right: number, bottom: number) =>
    findIn(drawPlane(SIZE, (x, y) => (x >= left && x < right && y >= top && y < bottom ? 1 : 0)));

  it.each([
    ['reaches the right edge', [60, 20, 120, 60]],
    ['reaches the left edge', [0, 20, 60, 60]],
    ['reaches the upper edge', [40, 0, 80, 40]],
    ['is all there is', [0, 0, 120, 80]],
    ['is a crumb', [60, 40, 65, 45]],
  ] as const)('is none: it %s', async (_, [left, top, right, bottom]) => {
    expect(await box(left, top, right, bottom)).toBeUndefined();
  });

  it.each([
    ['is free on all sides', [1, 1, 119, 79], false],
    ['reaches the lower edge only', [40, 20, 80, 80], true],
    ['is just large enough', [60, 40, 67, 46], false],
  ] as const)('is one all the same where it %s', async (_, [left, top, right, bottom], isCutBelow) => {
    expect(await box(left, top, right, bottom)).toMatchObject({ isCutBelow });
  });

  it('is none where the cover is faint everywhere', async () => {
    expect(await findIn(drawPlane(SIZE, (x, y) => (isCup(x, y) ? 0.49 : 0)))).toBeUndefined();
    expect(await findIn(drawPlane(SIZE, (x, y) => (isCup(x, y) ? 0.51 : 0)))).toBeDefined();
  });
});
