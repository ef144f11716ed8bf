import { describe, expect, it } from 'vitest';
import { makePlane, type Plane } from '../pixels/plane.ts';
import { resizePlane } from '../pixels/resize.ts';
import { findTilt, findView } from './view.ts';

const SIDE = 400;

function draw(isInside: (x: number, y: number) => boolean): Plane {
  const out = makePlane({ width: SIDE, height: SIDE });
  for (let i = 0; i < out.data.length; i += 1)
    out.data[i] = isInside((i % SIDE) - 200, Math.floor(i / SIDE) - 200) ? 1 : 0;
  return out;
}

/** An upright can, radius 90 and height 200 px, seen from so many degrees above the horizon. */
function can(degrees: number, slant = 0): Plane {
  const [sine, cosine] = [Math.sin((degrees * Math.PI) / 180), Math.cos((degrees * Math.PI) / 180)];
  const reach = 100 * cosine;
  const disc = (x: number, y: number, radius: number) => Math.hypot(x, y / sine) <= radius;
  return draw((x, y) => {
    const radius = 90 - (slant * y) / 100;
    const isSide = Math.abs(y) <= reach && Math.abs(x) <= radius;
    return isSide || disc(x, y + reach, 90 + slant * cosine) || disc(x, y - reach, 90 - slant * cosine);
  });
}

const can40 = can(40);

const seen = (shape: Plane) => findView({ ...shape, top: 0 }, shape);

describe('how far the camera looks down', () => {
  it.each([15, 25, 35, 45, 55, 65])('is read from a can seen from %i degrees', (degrees) => {
    expect(Math.abs(findTilt(can(degrees))! - degrees)).toBeLessThan(7);
  });

  it('is read from a cup that is wider above', () => {
    expect(Math.abs(findTilt(can(50, 15))! - 50)).toBeLessThan(12);
  });

  it.each([
    ['a ball', draw((x, y) => Math.hypot(x, y) < 120)],
    ['a lemon', draw((x, y) => Math.hypot(x / 1.4, y) < 90)],
    ['a box', draw((x, y) => Math.abs(x) < 80 && Math.abs(y) < 120)],
    ['a bottle', draw((x, y) => (Math.abs(x) < 70 && y > -40 && y < 150) || (Math.abs(x) < 20 && y > -150 && y < 0))],
    ['a cone', draw((x, y) => y < 150 && Math.abs(x) < (y + 150) / 3)],
    ['a capsule', draw((x, y) => Math.hypot(x, Math.max(0, Math.abs(y) - 100)) < 80)],
    ['nothing', draw(() => false)],
  ])('is unknown for %s, which is shown at eye level', (_, shape) => {
    expect(findTilt(shape)).toBeUndefined();
    expect(seen(shape)).toBe('eye');
  });

  it('is the same for a can that stands on its head, aside, or in a photo of another size', () => {
    const straight = findTilt(can40)!;
    const turned = { ...can40, data: can40.data.toReversed() };
    expect(findTilt(turned)).toBeCloseTo(straight, 5);
    const aside = draw((x, y) => can40.data[(y + 200) * SIDE + Math.min(SIDE - 1, x + 260)] === 1);
    expect(findTilt(aside)).toBeCloseTo(straight, 5);
    expect(Math.abs(findTilt(resizePlane(can40, { width: 200, height: 200 }))! - straight)).toBeLessThan(5);
  });

  it('rises with every step up', () => {
    const tilts = [15, 25, 35, 45, 55, 65].map((degrees) => findTilt(can(degrees))!);
    expect(tilts).toEqual(tilts.toSorted((one, other) => one - other));
    expect(tilts[0]).toBeLessThan(tilts[5]! - 30);
  });

  it('is unknown of a vessel that is cut off, where one end is no circle', () => {
    const cut = draw((x, y) => y < 60 && can40.data[(y + 200) * SIDE + x + 200] === 1);
    expect(findTilt(cut)).toBeUndefined();
  });

  it.each([
    ['one pixel', { width: 1, height: 1 }],
    ['one row', { width: 90, height: 1 }],
    ['one column', { width: 1, height: 90 }],
  ])('is unknown of a picture of %s', (_, size) => {
    const full = makePlane(size);
    full.data.fill(1);
    expect(findTilt(full)).toBeUndefined();
  });

  it('is read from the edges of what has no rims', () => {
    const carton = draw((x, y) => {
      const isLid = y >= -150 && y <= -50 && Math.abs(x) <= 90 + (y + 150) / 5;
      return isLid || (y >= -50 && y <= 140 && Math.abs(x) <= 110 - (y + 50) / 3);
    });
    expect(findTilt(carton)).toBeUndefined();
    expect(seen(carton)).toBe('above');
  });

  it('puts only what is seen from well above on a plate seen from above', () => {
    expect([20, 30, 50, 60].map((degrees) => seen(can(degrees)))).toEqual(['eye', 'eye', 'above', 'above']);
  });
});
