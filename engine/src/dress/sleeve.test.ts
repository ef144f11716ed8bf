import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { drawMask } from '../../test/draw.ts';
import { makeMask } from '../pixels/plane.ts';
import { makeAxis, measureStrip, placeOnAxis, projectOnAxis, widthAt } from './sleeve.ts';

const BENT = makeAxis([
  { x: 10, y: 10 },
  { x: 10, y: 40 },
  { x: 50, y: 40 },
]);

describe('an axis', () => {
  it('is as long as its pieces', () => {
    expect(BENT.length).toBe(70);
    expect(makeAxis([{ x: 3, y: 4 }]).length).toBe(0);
  });

  it.each([
    ['on the first piece', 7, 25, 15, 3],
    ['on the second piece', 30, 45, 50, 5],
    ['before its beginning', 10, 4, -6, 0],
    ['beyond its end', 58, 38, 78, -2],
  ])('tells how far along and across a place lies: %s', (_, x, y, along, across) => {
    const place = projectOnAxis(BENT, x, y);
    expect(place.along).toBeCloseTo(along, 5);
    expect(place.across).toBeCloseTo(across, 5);
  });

  it('leads there and back, for every straight axis and place', () => {
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

  it('says so when a place is asked of a single point', () => {
    expect(() => placeOnAxis(makeAxis([{ x: 1, y: 1 }]), 3, 0)).toThrow('two points');
  });
});

const SIZE = { width: 60, height: 60 };
const DOWN = makeAxis([
  { x: 30, y: 5 },
  { x: 30, y: 55 },
]);

describe('a strip', () => {
  it('measures both edges at every step along the axis', () => {
    const strip = measureStrip(
      DOWN,
      drawMask(SIZE, (x, y) => x >= 24 && x <= 34 && y >= 5 && y <= 55),
    );
    for (const along of [0, 20, 49]) expect(widthAt(strip, along)).toEqual({ from: -4, to: 6 });
  });

  it('knows no thumb and no crease', () => {
    const hand = drawMask(SIZE, (x, y) => (x >= 26 && x <= 34) || (x < 50 && y >= 30 && y < 33));
    expect(widthAt(measureStrip(DOWN, hand), 26)).toEqual({ from: -4, to: 4 });
  });

  it('runs on where it is short, at both ends', () => {
    const short = measureStrip(
      DOWN,
      drawMask(SIZE, (x, y) => Math.abs(x - 30) <= 3 && y >= 25 && y <= 40),
    );
    for (const along of [-10, 0, 30, 99]) expect(widthAt(short, along)).toEqual({ from: -3, to: 3 });
  });

  it('is nothing wide without a marked pixel, and whole on an axis of no length', () => {
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
