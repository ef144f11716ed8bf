import { describe, expect, it } from 'vitest';
import { drawPlane, drawRgb, type Colour } from '../../test/draw.ts';
import { softBlur } from './blur.ts';
import { fitAlpha } from './guided.ts';
import { makeRandom } from './random.ts';

describe('the guided filter', () => {
  const SIZE = { width: 60, height: 40 };
  const read = (guide: ReturnType<typeof drawRgb>, coefficients: ReturnType<typeof fitAlpha>, i: number) =>
    [0, 1, 2].reduce(
      (sum, c) => sum + (coefficients.planes[c]![i]! * guide.data[3 * i + c]!) / 255,
      coefficients.planes[3][i]!,
    );

  it('gives a blurred cover the edge of its guide', () => {
    const guide = drawRgb(SIZE, (x) => (x < 30 ? [200, 40, 40] : [40, 40, 200]));
    const blurred = softBlur(
      drawPlane(SIZE, (x) => (x < 30 ? 1 : 0)),
      3,
    );
    const fitted = fitAlpha(guide, blurred, 6);
    const row = 20 * SIZE.width;
    expect(read(guide, fitted, row + 29) - read(guide, fitted, row + 30)).toBeGreaterThan(0.5);
    expect(blurred.data[row + 29]! - blurred.data[row + 30]!).toBeLessThan(0.2);
  });

  it('follows the cover where the guide shows nothing', () => {
    const guide = drawRgb(SIZE, () => [90, 90, 90]);
    const fitted = fitAlpha(
      guide,
      drawPlane(SIZE, () => 0.4),
      4,
    );
    for (let i = 0; i < 60 * 40; i += 97) expect(read(guide, fitted, i)).toBeCloseTo(0.4, 4);
  });

  it('finds a cover again that is made of the colours, exactly', () => {
    const random = makeRandom(11);
    const guide = drawRgb(SIZE, () => [255 * random(), 255 * random(), 255 * random()]);
    const made = drawPlane(SIZE, (x, y) => {
      const [red, green, blue] = guide.data.subarray(3 * (y * SIZE.width + x), 3 * (y * SIZE.width + x) + 3);
      return (0.5 * red! + 0.3 * green! - 0.2 * blue!) / 255 + 0.1;
    });
    const fitted = fitAlpha(guide, made, 8);
    for (let i = 0; i < made.data.length; i += 53)
      expect(Math.abs(read(guide, fitted, i) - made.data[i]!)).toBeLessThan(0.02);
  });

  it('looks no farther than its window reaches, twice', () => {
    const colour = (x: number, y: number): Colour => [(37 * x) % 256, (53 * y) % 256, (x * y) % 256];
    const changed = drawRgb(SIZE, (x, y) => (x < 5 ? [0, 0, 0] : colour(x, y)));
    const cover = drawPlane(SIZE, (x) => x / SIZE.width);
    const [one, other] = [fitAlpha(drawRgb(SIZE, colour), cover, 4), fitAlpha(changed, cover, 4)];
    const differs = (x: number) =>
      one.planes.some(
        (plane, c) => Math.abs(plane[20 * SIZE.width + x]! - other.planes[c]![20 * SIZE.width + x]!) > 1e-3,
      );
    expect(differs(11)).toBe(true); // farther than one window
    for (let x = 5 + 2 * 4; x < SIZE.width; x += 1) expect(differs(x)).toBe(false);
  });

  it('treats the three colours alike', () => {
    const colour = (x: number, y: number): Colour => [(37 * x) % 256, (53 * y) % 256, (91 * (x + y)) % 256];
    const cover = drawPlane(SIZE, (x, y) => ((x * 7 + y * 3) % 10) / 10);
    const own = fitAlpha(drawRgb(SIZE, colour), cover, 3);
    const turned = fitAlpha(
      drawRgb(SIZE, (x, y) => {
        const [red, green, blue] = colour(x, y);
        return [blue, red, green];
      }),
      cover,
      3,
    );
    for (let i = 0; i < cover.data.length; i += 61) {
      const [red, green, blue, offset] = own.planes.map((plane) => plane[i]!);
      for (const [c, value] of [blue, red, green, offset].entries()) {
        expect(turned.planes[c]![i]).toBeCloseTo(value!, 2);
      }
    }
  });

  it.each([
    { width: 1, height: 1 },
    { width: 1, height: 9 },
    { width: 9, height: 1 },
  ])('is a number in a picture of %j', (size) => {
    const fitted = fitAlpha(
      drawRgb(size, () => [10, 20, 30]),
      drawPlane(size, () => 1),
      5,
    );
    for (const plane of fitted.planes) expect(plane.every(Number.isFinite)).toBe(true);
    expect(
      read(
        drawRgb(size, () => [10, 20, 30]),
        fitted,
        0,
      ),
    ).toBeCloseTo(1, 3);
  });
});
