import { describe, expect, it } from 'vitest';
import { drawMask, drawPlane, drawRgb, type Colour } from '../../test/draw.ts';
import { makeMask } from '../pixels/plane.ts';
import { measureUnlikeWall, spreadKnown } from './wall.ts';

const SIZE = { width: 80, height: 60 };
const isThing = (x: number, y: number) => x > 25 && x < 55 && y > 20 && y < 50;
const around = drawMask(SIZE, (x, y) => !(x > 20 && x < 60 && y > 15 && y < 55));
const grey = (value: number): Colour => [value, value, value];
const at = (plane: { data: Float32Array }, x: number, y: number) => plane.data[y * SIZE.width + x]!;

describe('unlike the wall', () => {
  it('is a thing before it, and the wall itself is not, though light runs over it', () => {
    const picture = drawRgb(SIZE, (x, y) => (isThing(x, y) ? [150, 60, 60] : grey(150 + x / 2)));
    const unlike = measureUnlikeWall(picture, around);
    expect(at(unlike, 40, 35)).toBeGreaterThan(30);
    for (const [x, y] of [
      [5, 5],
      [70, 40],
      [22, 30],
      [40, 53],
    ] as const) {
      expect(at(unlike, x, y)).toBeLessThan(2);
    }
  });

  it('is no shadow that takes less light than is allowed, but all that is brighter', () => {
    const picture = drawRgb(SIZE, (x, y) => grey(isThing(x, y) ? (x < 40 ? 170 : 230) : 200));
    const [strict, kind] = [measureUnlikeWall(picture, around), measureUnlikeWall(picture, around, 20)];
    expect(at(strict, 32, 35)).toBeGreaterThan(8);
    expect(at(kind, 32, 35)).toBeLessThan(0.5);
    expect(at(kind, 48, 35)).toBeCloseTo(at(strict, 48, 35), 3);
  });

  it('has a number for every pixel where no wall is known, and in a picture of one pixel', () => {
    const picture = drawRgb(SIZE, () => grey(120));
    expect(measureUnlikeWall(picture, makeMask(SIZE)).data.every(Number.isFinite)).toBe(true);
    const one = { width: 1, height: 1 };
    expect(
      measureUnlikeWall(
        drawRgb(one, () => grey(9)),
        drawMask(one, () => true),
      ).data[0],
    ).toBeCloseTo(0, 3);
  });
});

describe('a spread plane', () => {
  it('goes through what is known and over what is not', () => {
    const slope = drawPlane(SIZE, (x, y) => (around.data[y * SIZE.width + x] ? x + y : -999));
    const spread = spreadKnown(slope, around, 2);
    for (const [x, y] of [
      [10, 10],
      [70, 30],
      [40, 8],
    ] as const) {
      expect(Math.abs(at(spread, x, y) - (x + y))).toBeLessThan(3);
    }
    expect(at(spread, 40, 35)).toBeGreaterThan(40);
    expect(at(spread, 40, 35)).toBeLessThan(110);
  });

  it('has the size of the plane, odd sizes too', () => {
    const size = { width: 7, height: 5 };
    const spread = spreadKnown(
      drawPlane(size, () => 3),
      drawMask(size, (x) => x === 6),
      1,
    );
    expect(spread).toMatchObject(size);
    expect(spread.data.every((value) => Math.abs(value - 3) < 0.01)).toBe(true);
  });
});
