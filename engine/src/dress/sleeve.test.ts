import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { drawMask } from '../../test/draw.ts';
import { makeMask } from '../pixels/plane.ts';
import { makeAxis, measureStrip, placeOnAxis, projectOnAxis, traceArm, widthAt } from './sleeve.ts';

const BENT = makeAxis([
  { x: 10, y: 10 },
  { x: 10, y: 40 },
  { x: 50, y: 40 },
]);

describe('an axis', () => {
  it('has the length of its segments', () => {
    expect(BENT.length).toBe(70);
    expect(makeAxis([{ x: 3, y: 4 }]).length).toBe(0);
  });

  it.each([
    ['on the first piece', 7, 25, 15, 3],
    ['on the second piece', 30, 45, 50, 5],
    ['before its beginning', 10, 4, -6, 0],
    ['beyond its end', 58, 38, 78, -2],
  ])('projects a point to its coordinates along and across: %s', (_, x, y, along, across) => {
    const place = projectOnAxis(BENT, x, y);
    expect(place.along).toBeCloseTo(along, 5);
    expect(place.across).toBeCloseTo(across, 5);
  });

  it('round-trips every point of a straight axis', () => {
    const coordinate = fc.integer({ min: -50, max: 50 });
    const point = fc.record({ x: coordinate, y: coordinate });
    fc.assert(
      fc.property(point, point, point, (start, end, place) => {
        fc.pre(start.x !== end.x || start.y !== end.y);
        const axis = makeAxis([start, end]);
        const { along, across } = projectOnAxis(axis, place.x, place.y);
        const back = placeOnAxis(axis, along, across);
        expect(Math.hypot(back.x - place.x, back.y - place.y)).toBeLessThan(1e-6);
      }),
    );
  });

  it('throws for a single point', () => {
    expect(() => placeOnAxis(makeAxis([{ x: 1, y: 1 }]), 3, 0)).toThrow('two points');
  });
});

const SIZE = { width: 60, height: 60 };
const DOWN = makeAxis([
  { x: 30, y: 5 },
  { x: 30, y: 55 },
]);

describe('a strip', () => {
  it('measures both edges at every step of the axis', () => {
    const strip = measureStrip(
      DOWN,
      drawMask(SIZE, (x, y) => x >= 24 && x <= 34 && y >= 5 && y <= 55),
    );
    for (const along of [0, 20, 49]) expect(widthAt(strip, along)).toEqual({ from: -4, to: 6 });
  });

  it('ignores thumbs and creases', () => {
    const hand = drawMask(SIZE, (x, y) => (x >= 26 && x <= 34) || (x < 50 && y >= 30 && y < 33));
    expect(widthAt(measureStrip(DOWN, hand), 26)).toEqual({ from: -4, to: 4 });
  });

  it('is extended at both ends if it is short', () => {
    const short = measureStrip(
      DOWN,
      drawMask(SIZE, (x, y) => Math.abs(x - 30) <= 3 && y >= 25 && y <= 40),
    );
    for (const along of [-10, 0, 30, 99]) expect(widthAt(short, along)).toEqual({ from: -3, to: 3 });
  });

  it('has no width without marked pixels, and works on an axis without length', () => {
    expect(widthAt(measureStrip(DOWN, makeMask(SIZE)), 10)).toEqual({ from: 0, to: 0 });
    const point = makeAxis([
      { x: 3, y: 3 },
      { x: 3, y: 3 },
    ]);
    const strip = measureStrip(
      point,
      drawMask(SIZE, () => true),
    );
    expect([...strip.from, ...strip.to].every(Number.isFinite)).toBe(true);
  });
});

describe('an arm', () => {
  const [seam, hip] = [
    { x: 100, y: 20 },
    { x: 60, y: 90 },
  ];

  it('hangs with an unseen elbow at equal distances from armhole and wrist, the lower way', () => {
    for (const wrist of [
      { x: 30, y: 60 },
      { x: 170, y: 60 },
    ]) {
      const [start, elbow, end] = traceArm(seam, { shoulder: seam, elbow: undefined, wrist, hip }, 100).points;
      expect([start, end]).toEqual([seam, wrist]);
      expect(Math.hypot(elbow!.x - seam.x, elbow!.y - seam.y)).toBeCloseTo(75, 3);
      expect(Math.hypot(elbow!.x - wrist.x, elbow!.y - wrist.y)).toBeCloseTo(75, 3);
      expect(elbow!.y - (seam.y + wrist.y) / 2).toBeGreaterThan(30);
    }
  });

  it('is straight if the wrist is before the shoulder or farther away than both bones are long, or nothing of it is seen', () => {
    const far = { x: 100, y: 220 };
    const straight = traceArm(seam, { shoulder: seam, elbow: undefined, wrist: far, hip }, 100);
    expect(straight.points[1]).toEqual({ x: 100, y: 120 });
    const near = { x: 140, y: 30 };
    const folded = traceArm(seam, { shoulder: seam, elbow: undefined, wrist: near, hip }, 100);
    expect(folded.points).toEqual([seam, near]);
    const unseen = traceArm(seam, { shoulder: seam, elbow: undefined, wrist: undefined, hip }, 100);
    expect(unseen.points.at(-1)).toEqual({ x: 100, y: 140 });
  });
});
