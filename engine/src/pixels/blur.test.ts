import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { drawPlane } from '../../test/draw.ts';
import { boxBlur, softBlur } from './blur.ts';
import type { Plane } from './plane.ts';
import { makeRandom } from './random.ts';

const plane = fc
  .record({
    width: fc.integer({ min: 1, max: 14 }),
    height: fc.integer({ min: 1, max: 14 }),
    seed: fc.nat(),
    radius: fc.integer({ min: 0, max: 20 }),
  })
  .map(({ width, height, seed, radius }) => {
    const random = makeRandom(seed);
    return { plane: drawPlane({ width, height }, () => 100 * random()), radius };
  });

/** The mean of the window, summed naively. */
function meanAround({ data, width, height }: Plane, x: number, y: number, radius: number): number {
  let [sum, count] = [0, 0];
  for (let py = Math.max(0, y - radius); py <= Math.min(height - 1, y + radius); py += 1) {
    for (let px = Math.max(0, x - radius); px <= Math.min(width - 1, x + radius); px += 1) {
      sum += data[py * width + px]!;
      count += 1;
    }
  }
  return sum / count;
}

describe('a box blur', () => {
  it('is the mean along rows, then along columns', () => {
    fc.assert(
      fc.property(plane, ({ plane: from, radius }) => {
        const blurred = boxBlur(from, radius);
        const isSame = blurred.data.every(
          (value, i) => Math.abs(value - meanAround(from, i % from.width, Math.floor(i / from.width), radius)) < 1e-3,
        );
        expect(isSame).toBe(true);
      }),
    );
  });
});

describe('every blur', () => {
  const makeNoise = (seed: number, size = { width: 23, height: 17 }) => {
    const random = makeRandom(seed);
    return drawPlane(size, () => 100 * random());
  };
  const mirror = ({ data, ...size }: Plane): Plane =>
    drawPlane(size, (x, y) => data[y * size.width + size.width - 1 - x]!);
  const turn = ({ data, width, height }: Plane): Plane =>
    drawPlane({ width: height, height: width }, (x, y) => data[x * width + y]!);
  const apart = (one: Plane, other: Plane) =>
    one.data.reduce((max, value, i) => Math.max(max, Math.abs(value - other.data[i]!)), 0);

  it.each([
    ['box', (plane: Plane) => boxBlur(plane, 4)],
    ['soft', (plane: Plane) => softBlur(plane, 3)],
  ])('of the %s kind is symmetric and linear, and keeps a flat picture', (_, blur) => {
    const plane = makeNoise(4);
    expect(apart(blur(mirror(plane)), mirror(blur(plane)))).toBeLessThan(1e-3);
    expect(apart(blur(turn(plane)), turn(blur(plane)))).toBeLessThan(1e-3);
    const other = makeNoise(5);
    const sum = { ...plane, data: plane.data.map((value, i) => value + 2 * other.data[i]!) };
    const [one, two] = [blur(plane).data, blur(other).data];
    expect(apart(blur(sum), { ...sum, data: one.map((value, i) => value + 2 * two[i]!) })).toBeLessThan(1e-3);
    const flat = drawPlane(plane, () => 41.5);
    expect(apart(blur(flat), flat)).toBeLessThan(1e-4);
  });

  it('leaves its input unchanged and stays within the range of values', () => {
    const plane = makeNoise(9);
    const before = plane.data.slice();
    for (const blurred of [boxBlur(plane, 3), softBlur(plane, 2)]) {
      expect(Math.min(...blurred.data)).toBeGreaterThanOrEqual(Math.min(...before) - 1e-3);
      expect(Math.max(...blurred.data)).toBeLessThanOrEqual(Math.max(...before) + 1e-3);
    }
    expect(plane.data).toEqual(before);
  });

  it.each([
    { width: 1, height: 1 },
    { width: 1, height: 40 },
    { width: 40, height: 1 },
  ])('works with a radius larger than a picture of %j', (size) => {
    const plane = makeNoise(2, size);
    const mean = plane.data.reduce((sum, value) => sum + value, 0) / plane.data.length;
    for (const value of boxBlur(plane, 1000).data) expect(value).toBeCloseTo(mean, 3);
  });
});

describe('a soft blur', () => {
  const dot = drawPlane({ width: 61, height: 61 }, (x, y) => (x === 30 && y === 30 ? 1 : 0));

  it.each([1, 3, 6])('with sigma %i spreads a point like a Gaussian', (sigma) => {
    const { data } = softBlur(dot, sigma);
    const sum = data.reduce((so, value) => so + value, 0);
    const spread = data.reduce((so, value, i) => so + value * ((i % 61) - 30) ** 2, 0);
    expect(sum).toBeCloseTo(1, 4);
    expect(Math.sqrt(spread) / sigma).toBeGreaterThan(0.7);
    expect(Math.sqrt(spread) / sigma).toBeLessThan(1.45); // boxes have whole radii
  });

  it('with a tiny sigma is a copy', () => {
    const copy = softBlur(dot, 0.1);
    expect(copy.data).toEqual(dot.data);
    expect(copy.data).not.toBe(dot.data);
  });
});
