import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { drawMask, drawPlane, drawRgb, readMask } from '../../test/draw.ts';
import { cutPlane, cutRgb, growBox, mapBytes, mapFloats, readChannel, toPlane } from './plane.ts';
import { makeRandom } from './random.ts';
import { resizePlane, spread } from './sample.ts';

const side = fc.integer({ min: 1, max: 40 });
const plane = fc.record({ width: side, height: side, seed: fc.nat() }).map(({ width, height, seed }) => {
  const random = makeRandom(seed);
  return drawPlane({ width, height }, () => 100 * random());
});

describe('a resized plane', () => {
  it('keeps a slope, larger and smaller', () => {
    const slope = drawPlane({ width: 40, height: 30 }, (x, y) => 3 * x - 2 * y);
    for (const size of [
      { width: 80, height: 60 },
      { width: 25, height: 21 },
    ]) {
      const resized = resizePlane(slope, size);
      const middle = resized.data[Math.floor(size.height / 2) * size.width + Math.floor(size.width / 2)]!;
      const [x, y] = [
        (Math.floor(size.width / 2) + 0.5) / size.width,
        (Math.floor(size.height / 2) + 0.5) / size.height,
      ];
      expect(middle).toBeCloseTo(3 * (x * 40 - 0.5) - 2 * (y * 30 - 0.5), 2);
    }
  });

  it('stays within the range of values, down to and up from one pixel', () => {
    const size = fc.record({ width: fc.integer({ min: 1, max: 40 }), height: fc.integer({ min: 1, max: 40 }) });
    fc.assert(
      fc.property(plane, size, (from, to) => {
        const resized = resizePlane(from, to);
        const [min, max] = [Math.min(...from.data) - 1e-4, Math.max(...from.data) + 1e-4];
        expect(resized).toMatchObject(to);
        expect(resized.data.every((value) => value >= min && value <= max)).toBe(true);
      }),
    );
  });

  it('is a copy at its own size', () => {
    const own = drawPlane({ width: 5, height: 4 }, (x, y) => x * y);
    const copy = resizePlane(own, own);
    expect(copy).toEqual(own);
    expect(copy.data).not.toBe(own.data);
  });

  it('is symmetric', () => {
    fc.assert(
      fc.property(plane, side, side, (from, width, height) => {
        const turned = { ...from, data: from.data.toReversed() };
        const [one, other] = [resizePlane(from, { width, height }).data, resizePlane(turned, { width, height }).data];
        expect(one.every((value, i) => Math.abs(value - other[other.length - 1 - i]!) < 1e-3)).toBe(true);
      }),
      { numRuns: 50 },
    );
  });

  it('keeps its mean when it is halved', () => {
    const random = makeRandom(8);
    const own = drawPlane({ width: 30, height: 22 }, () => random());
    const half = resizePlane(own, { width: 15, height: 11 });
    const mean = ({ data }: { data: Float32Array }) => data.reduce((sum, value) => sum + value, 0) / data.length;
    expect(mean(half)).toBeCloseTo(mean(own), 5);
  });
});

describe('positions spread along an axis', () => {
  it('are two neighbours and a weight, inside the source, ordered and symmetric', () => {
    fc.assert(
      fc.property(side, side, (from, to) => {
        const { first, second, weight } = spread(from, to);
        let before = 0;
        for (let i = 0; i < to; i += 1) {
          const at = first[i]! + weight[i]!;
          expect(first[i]! >= 0 && second[i]! < from && second[i]! - first[i]! <= 1).toBe(true);
          expect(weight[i]! >= 0 && weight[i]! < 1).toBe(true);
          expect(at).toBeGreaterThanOrEqual(before);
          expect(at + first[to - 1 - i]! + weight[to - 1 - i]!).toBeCloseTo(from - 1, 4);
          before = at;
        }
      }),
      { numRuns: 60 },
    );
  });
});

describe('parts of pictures', () => {
  const picture = drawRgb({ width: 5, height: 4 }, (x, y) => [10 * x, 10 * y, 7]);

  it('are cut and read channel by channel', () => {
    const part = cutRgb(picture, { left: 2, top: 1, width: 2, height: 2 });
    expect([...readChannel(part, 0).data]).toEqual([20, 30, 20, 30]);
    expect([...cutPlane(readChannel(picture, 1), { left: 4, top: 0, width: 1, height: 4 }).data]).toEqual([
      0, 10, 20, 30,
    ]);
    expect([...toPlane(readMask(['#.'])).data]).toEqual([1, 0]);
  });

  it('are boxes that grow equally on all sides', () => {
    expect(growBox({ left: 10, top: 10, width: 20, height: 10 }, 0.5)).toEqual({
      left: 0,
      top: 0,
      width: 40,
      height: 30,
    });
  });

  it('are mapped value by value', () => {
    expect([...mapBytes([1, 300, 2.9], (value, i) => value + i)]).toEqual([1, 45, 4]);
    expect([...mapFloats(Uint8Array.of(1, 2), (value) => value / 2)]).toEqual([0.5, 1]);
    expect(drawMask({ width: 0, height: 0 }, () => true).data).toHaveLength(0);
  });
});
