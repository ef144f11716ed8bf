import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { drawPlane } from '../../test/draw.ts';
import { fillGaps } from './fill-gaps.ts';

const SIZE = { width: 37, height: 23 };

describe('filled gaps', () => {
  it('keep known values exactly, and stay between their minimum and maximum', () => {
    const picture = fc
      .record({ width: fc.integer({ min: 1, max: 17 }), height: fc.integer({ min: 1, max: 17 }), seed: fc.nat() })
      .map(({ width, height, seed }) => {
        let state = seed + 1;
        const random = () => (state = (state * 48271) % 2147483647) / 2147483647;
        const plane = drawPlane({ width, height }, () => 200 * random() - 100);
        return { plane, weight: drawPlane({ width, height }, () => (random() < 0.3 ? 1 : 0)) };
      });
    fc.assert(
      fc.property(picture, ({ plane, weight }) => {
        const filled = fillGaps(plane, weight).data;
        const known = plane.data.filter((_, i) => weight.data[i]);
        if (known.length === 0) return;
        const [min, max] = [Math.min(...known) - 1e-3, Math.max(...known) + 1e-3];
        expect(filled.filter((_, i) => weight.data[i])).toEqual(known);
        expect(filled.every((value) => value >= min && value <= max)).toBe(true);
      }),
    );
  });

  it('extend a single value over the whole plane', () => {
    const plane = drawPlane(SIZE, (x, y) => (x === 20 && y === 3 ? 7 : Number.NaN));
    const zeroed = { ...plane, data: plane.data.map((value) => (Number.isNaN(value) ? 0 : value)) };
    const weight = drawPlane(SIZE, (x, y) => (x === 20 && y === 3 ? 1 : 0));
    expect(fillGaps(zeroed, weight).data.every((value) => Math.abs(value - 7) < 1e-4)).toBe(true);
  });

  it('continue a slope smoothly across a gap', () => {
    const slope = drawPlane(SIZE, (x) => 2 * x);
    const isKnown = (x: number) => x < 10 || x > 26;
    const filled = fillGaps(
      slope,
      drawPlane(SIZE, (x) => (isKnown(x) ? 1 : 0)),
    ).data;
    const row = filled.subarray(11 * SIZE.width, 12 * SIZE.width);
    for (let x = 1; x < SIZE.width; x += 1) {
      expect(row[x]! - row[x - 1]!).toBeGreaterThan(-0.5);
      expect(row[x]! - row[x - 1]!).toBeLessThan(10);
    }
  });

  it('mix halves where the weight is 0.5', () => {
    const plane = drawPlane(SIZE, (x) => (x === 18 ? 100 : 0));
    const filled = fillGaps(
      plane,
      drawPlane(SIZE, (x) => (x === 18 ? 0.5 : 1)),
    ).data;
    expect(filled[18]).toBeGreaterThan(50);
    expect(filled[18]).toBeLessThan(80);
  });

  it('are zero if nothing is known', () => {
    const plane = drawPlane(SIZE, () => 5);
    expect(
      fillGaps(
        plane,
        drawPlane(SIZE, () => 0),
      ).data.every((value) => value === 0),
    ).toBe(true);
  });
});
