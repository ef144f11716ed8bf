import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readMask, showMask } from '../../test/draw.ts';
import { countOnes, fillPolygon } from './mask.ts';
import { smoothStep } from './plane.ts';

describe('polygons', () => {
  const square = [
    { x: 1, y: 1 },
    { x: 4, y: 1 },
    { x: 4, y: 4 },
    { x: 1, y: 4 },
  ];

  it("are filled where a pixel's centre is inside, and clipped to the picture", () => {
    expect(showMask(fillPolygon(square, { width: 6, height: 5 }))).toEqual([
      '......',
      '.####.',
      '.####.',
      '.####.',
      '......',
    ]);
    const out = square.map(({ x, y }) => ({ x: x - 3, y: y - 2 }));
    expect(showMask(fillPolygon(out, { width: 3, height: 3 }))).toEqual(['##.', '##.', '...']);
    expect(fillPolygon([], { width: 2, height: 2 }).data).not.toContain(1);
  });

  it('have the area of their corners', () => {
    const corner = fc.record({ x: fc.integer({ min: 0, max: 200 }), y: fc.integer({ min: 0, max: 200 }) });
    fc.assert(
      fc.property(corner, corner, corner, (a, b, c) => {
        const area = Math.abs((b.x - a.x) * (c.y - a.y) - (c.x - a.x) * (b.y - a.y)) / 2;
        const filled = fillPolygon([a, b, c], { width: 201, height: 201 }).data.reduce((sum, value) => sum + value, 0);
        expect(Math.abs(filled - area)).toBeLessThan(620);
      }),
      { numRuns: 30 },
    );
  });

  const corner = fc.record({ x: fc.integer({ min: -5, max: 35 }), y: fc.integer({ min: -5, max: 35 }) });
  const polygon = fc.array(corner, { minLength: 3, maxLength: 7 });
  const SIZE = { width: 30, height: 30 };

  it('do not depend on the first corner or the direction', () => {
    fc.assert(
      fc.property(polygon, fc.nat(6), (points, first) => {
        const own = showMask(fillPolygon(points, SIZE));
        const turned = [...points.slice(first % points.length), ...points.slice(0, first % points.length)];
        expect(showMask(fillPolygon(turned, SIZE))).toEqual(own);
        expect(showMask(fillPolygon(points.toReversed(), SIZE))).toEqual(own);
      }),
      { numRuns: 60 },
    );
  });

  it('move with their corners', () => {
    fc.assert(
      fc.property(polygon, (points) => {
        const large = fillPolygon(points, { width: 50, height: 50 });
        const moved = fillPolygon(
          points.map(({ x, y }) => ({ x: x + 7, y: y + 4 })),
          { width: 57, height: 54 },
        );
        for (let y = 0; y < 50; y += 1) {
          const row = moved.data.subarray((y + 4) * 57 + 7, (y + 4) * 57 + 57);
          expect(row).toEqual(large.data.subarray(50 * y, 50 * y + 50));
        }
      }),
      { numRuns: 30 },
    );
  });

  it('are filled between crossings, without pixels whose centre is outside', () => {
    const slanted = [
      { x: 2.4, y: 0.5 },
      { x: 7.6, y: 0.5 },
      { x: 9.6, y: 4.5 },
      { x: 4.4, y: 4.5 },
    ];
    expect(showMask(fillPolygon(slanted, { width: 12, height: 6 }))).toEqual([
      '............',
      '...#####....',
      '....#####...',
      '....#####...',
      '.....#####..',
      '............',
    ]);
  });

  it('have a hole where they overlap themselves', () => {
    const star = [90, 234, 18, 162, 306].map((degrees) => ({
      x: 15 + 13 * Math.cos((degrees * Math.PI) / 180),
      y: 15 - 13 * Math.sin((degrees * Math.PI) / 180),
    }));
    const filled = fillPolygon(star, SIZE);
    expect(filled.data[15 * 30 + 15]).toBe(0);
    expect(filled.data[5 * 30 + 15]).toBe(1);
    expect(countOnes(filled)).toBeGreaterThan(80);
  });

  it('with a common edge overlap only there and leave no gap', () => {
    const half = (left: number, right: number) => [
      { x: left, y: 2 },
      { x: right, y: 2 },
      { x: right, y: 9 },
      { x: left, y: 9 },
    ];
    const size = { width: 12, height: 12 };
    const [one, other] = [fillPolygon(half(1, 5), size), fillPolygon(half(5, 9), size)];
    const whole = fillPolygon(half(1, 9), size);
    expect(one.data.map((value, i) => value | other.data[i]!)).toEqual(whole.data);
    const both = showMask({ ...one, data: one.data.map((value, i) => value & other.data[i]!) });
    expect(both[5]).toBe(showMask(readMask(['.....#......']))[0]);
  });
});

describe('a smooth step', () => {
  it('goes from 0 to 1 between two values, or falls if they are swapped', () => {
    expect([smoothStep(2, 6, 1), smoothStep(2, 6, 4), smoothStep(2, 6, 9)]).toEqual([0, 0.5, 1]);
    expect([smoothStep(6, 2, 1), smoothStep(6, 2, 9)]).toEqual([1, 0]);
  });

  it('is monotonic, flat at both ends, and point-symmetric', () => {
    for (let n = 0; n < 100; n += 1) {
      const [here, next] = [smoothStep(0, 1, n / 100), smoothStep(0, 1, (n + 1) / 100)];
      expect(next).toBeGreaterThanOrEqual(here);
      expect(here + smoothStep(0, 1, 1 - n / 100)).toBeCloseTo(1, 10);
    }
    expect(smoothStep(0, 1, 0.01)).toBeLessThan(0.001);
    expect(1 - smoothStep(0, 1, 0.99)).toBeLessThan(0.001);
  });
});
