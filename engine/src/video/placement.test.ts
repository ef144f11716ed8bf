import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { makePlane, type Size } from '../pixels/plane.ts';
import { layDepths } from './stage.ts';
import { placePicture } from './placement.ts';
import type { Subject } from './subject.ts';

const even = (min: number) => fc.integer({ min: min, max: 900 }).map((n) => 2 * n);
const size = fc.record({ width: even(20), height: even(20) });
const share = fc.double({ min: 0.05, max: 0.95, noNaN: true });

function makeSubject({ width, height }: Size, [a, b, c, d]: number[], isCutBelow: boolean): Subject {
  const along = (one: number, other: number, length: number) =>
    [Math.floor(Math.min(one, other) * length), Math.ceil(Math.max(one, other) * length) + 1] as const;
  const [left, right] = along(a!, b!, width);
  const [top, bottom] = along(c!, d!, height);
  const alpha = makePlane({ width: 1, height: 1 });
  return { alpha, colours: new Uint8Array(3), box: { left, right, top, bottom }, canMove: true, isCutBelow };
}

describe('a placed picture', () => {
  it('has even sides and positions, keeps its aspect ratio, and is no larger than needed', () => {
    fc.assert(
      fc.property(
        size,
        size,
        fc.array(share, { minLength: 4, maxLength: 4 }),
        fc.boolean(),
        (picture, frame, at, isCut) => {
          const subject = makeSubject(picture, at, isCut);
          const lying = placePicture(picture, subject, frame);
          for (const value of Object.values(lying)) expect(Math.abs(value % 2)).toBe(0);
          const cover = Math.max(frame.width / picture.width, frame.height / picture.height);
          const contain = Math.min(frame.width / picture.width, frame.height / picture.height);
          const scale = lying.width / picture.width;
          expect(scale).toBeLessThanOrEqual(cover + 1.01 / picture.width);
          expect(scale).toBeGreaterThanOrEqual(contain - 1.01 / picture.width);
          expect(Math.abs(lying.height - picture.height * scale)).toBeLessThanOrEqual(
            1 + picture.height / picture.width + 1e-6,
          );
        },
      ),
    );
  });

  it('in a frame of its aspect ratio is shown whole', () => {
    expect(placePicture({ width: 300, height: 200 }, undefined, { width: 600, height: 400 })).toEqual({
      width: 600,
      height: 400,
      left: 0,
      top: 0,
    });
  });

  it("that cuts the product off below stands on the frame's lower edge", () => {
    const picture = { width: 400, height: 400 };
    const lying = placePicture(picture, makeSubject(picture, [0.4, 0.6, 0.3, 0.95], true), { width: 400, height: 800 });
    expect(lying.top + lying.height).toBe(800);
  });

  it('that cuts the product off at its sides fills the frame, if that crops only background', () => {
    const picture = { width: 300, height: 400 };
    const frame = { width: 320, height: 400 };
    const place = (top: number, bottom: number) =>
      placePicture(picture, { ...makeSubject(picture, [0, 0.99, top, bottom], false), canMove: false }, frame);
    expect(place(0.2, 0.8)).toEqual({ width: 320, height: 426, left: 0, top: -14 });
    expect(place(0, 0.99).width, 'or shows all of it').toBe(300);
  });

  it('without a product is centred and never cropped', () => {
    const lying = placePicture({ width: 400, height: 100 }, undefined, { width: 300, height: 300 });
    expect(lying).toEqual({ width: 300, height: 76, left: 0, top: 112 });
  });
});

describe('depths', () => {
  const rows = { base: 150, bottom: 150, productHeight: 80 };

  it('increase continuously from wall to foot to camera', () => {
    const depths = layDepths(220, rows, 200);
    expect(depths[0]).toBeCloseTo(0.3, 5);
    expect(depths[150]).toBeCloseTo(1, 5);
    expect(depths[219]).toBeGreaterThan(1);
    for (let row = 1; row < depths.length; row += 1) {
      expect(depths[row]! - depths[row - 1]!).toBeGreaterThanOrEqual(-1e-9);
      expect(depths[row]! - depths[row - 1]!).toBeLessThan(0.05);
    }
    expect(Math.max(...depths)).toBeLessThanOrEqual(1.5);
  });

  it('are 1 for the rows of the foot, so that it is not sheared', () => {
    const depths = layDepths(220, rows, 200);
    for (const row of [148, 149, 150]) expect(depths[row]).toBe(1);
  });

  it('are numbers for a product of one pixel at the edge', () => {
    for (const base of [0, 1, 49]) {
      expect(layDepths(50, { base, bottom: base, productHeight: 1 }, 40).every(Number.isFinite)).toBe(true);
    }
  });
});
