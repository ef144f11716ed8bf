import { describe, expect, it } from 'vitest';
import { drawPlane } from '../../test/draw.ts';
import { makePlane, type Plane } from '../pixels/plane.ts';
import { resizePlane } from '../pixels/sample.ts';
import { findContact } from './contact.ts';

const SIDE = 200;

function draw(isInside: (x: number, y: number) => boolean): Plane {
  const out = makePlane({ width: SIDE, height: SIDE });
  for (let i = 0; i < out.data.length; i += 1) out.data[i] = isInside(i % SIDE, Math.floor(i / SIDE)) ? 1 : 0;
  return out;
}

const within = (value: number, from: number, to: number) => value >= from && value < to;
const touches = (plane: Plane, x: number) => findContact(plane).spots.some((spot) => Math.abs(spot.x - x) < 3);

/** Seat and back, and legs 4 px wide: the front ones end at 196, the back ones at 170. */
const chair = draw(
  (x, y) =>
    (within(x, 30, 170) && within(y, 90, 110)) ||
    (within(x, 40, 160) && within(y, 4, 100)) ||
    ((within(x, 32, 36) || within(x, 164, 168)) && within(y, 100, 196)) ||
    ((within(x, 55, 59) || within(x, 141, 145)) && within(y, 100, 170)),
);

describe('contact points', () => {
  it('of a chair are its four thin legs, not its seat', () => {
    for (const leg of [34, 57, 143, 166]) expect(touches(chair, leg)).toBe(true);
    expect(touches(chair, 100)).toBe(false);
    expect(findContact(chair).ground).toBeGreaterThan(165);
  });

  it('of a mug are at its base, not at its handle', () => {
    const mug = draw((x, y) => {
      const handle = Math.hypot(x - 130, y - 90);
      return (within(x, 40, 130) && within(y, 20, 180)) || (x >= 130 && within(handle, 35, 48));
    });
    expect(touches(mug, 85)).toBe(true);
    expect(touches(mug, 165)).toBe(false);
  });

  it('of a mug are at its base only, even if its handle reaches nearly as low', () => {
    const mug = draw((x, y) => {
      const handle = Math.hypot(x - 120, y - 130);
      return (within(x, 41, 120) && within(y, 61, 180)) || (x >= 118 && within(handle, 30.01, 40));
    });
    expect(touches(mug, 80)).toBe(true);
    expect(touches(mug, 130)).toBe(false);
  });

  it('of a pair of shoes are under both, though one is further back and they touch', () => {
    const shoe = (x: number, y: number, left: number, sole: number) =>
      within(x, left, left + 60) && within(y, 40, sole - Math.abs(x - left - 30) / 6);
    const pair = draw((x, y) => shoe(x, y, 30, 176) || shoe(x, y, 90, 190));
    expect(touches(pair, 60)).toBe(true);
    expect(touches(pair, 122)).toBe(true);
  });

  it('of a bag are at its base, not at its strap in front', () => {
    const bag = draw((x, y) => {
      const strap = Math.hypot((x - 100) / 90, (y - 120) / 70);
      return (within(x, 40, 160) && within(y, 30, 160 - (x - 40) / 6)) || (y > 120 && within(strap, 0.95, 1));
    });
    const { spots, ground } = findContact(bag);
    expect(spots.some(({ x, y }) => Math.abs(x - 100) < 3 && Math.abs(y - 150) < 4)).toBe(true);
    expect(spots.some(({ y }) => y > 165)).toBe(false);
    expect(ground).toBeLessThan(165);
  });

  it('of a ball are around its lowest point only', () => {
    const ball = draw((x, y) => Math.hypot(x - 100, y - 100) < 90);
    expect(touches(ball, 100)).toBe(true);
    expect(touches(ball, 20)).toBe(false);
    expect(touches(ball, 180)).toBe(false);
  });

  it('of an empty shape do not exist', () => {
    expect(findContact(draw(() => false)).spots).toEqual([]);
  });

  it('are mirrored for a mirrored product', () => {
    const leaning = draw((x, y) => within(x, 40, 90) && within(y, 20, 180) && x - 40 > (y - 20) / 8);
    const mirrored = draw((x, y) => leaning.data[y * SIDE + SIDE - 1 - x] === 1);
    const [own, other] = [findContact(leaning), findContact(mirrored)];
    expect(other.ground).toBe(own.ground);
    expect(Math.abs(other.left - (SIDE - 1 - own.right))).toBeLessThanOrEqual(4);
    expect(Math.abs(other.right - (SIDE - 1 - own.left))).toBeLessThanOrEqual(4);
  });

  it("do not depend on the photo's size", () => {
    const own = findContact(chair);
    for (const share of [0.5, 2.5, 6]) {
      const large = findContact(resizePlane(chair, { width: share * SIDE, height: share * SIDE }));
      for (const key of ['left', 'right', 'ground'] as const) {
        expect(Math.abs(large[key] / share - own[key])).toBeLessThan(4);
      }
      const legs = large.spots.map(({ x }) => x / share);
      for (const leg of [34, 166]) expect(legs.some((x) => Math.abs(x - leg) < 4)).toBe(true);
    }
  });

  it('ignore a crumb beside the product, and of a dish are at its centre', () => {
    const crumbed = draw((x, y) => (within(x, 60, 140) && within(y, 40, 150)) || (within(x, 10, 13) && y === 190));
    expect(touches(crumbed, 11)).toBe(false);
    expect(findContact(crumbed).ground).toBe(150);
    const dish = draw((x, y) => y > 100 && Math.hypot((x - 100) / 90, (y - 100) / 60) < 1);
    expect(touches(dish, 100)).toBe(true);
    expect(touches(dish, 15)).toBe(false);
  });

  it("lie in the product's columns at its lower edge", () => {
    for (const shape of [chair, draw((x, y) => Math.hypot(x - 100, y - 100) < 90)]) {
      for (const { x, y } of findContact(shape).spots) {
        expect(shape.data[Math.round(y - 1) * SIDE + x]).toBe(1);
      }
    }
  });

  it.each([
    ['of one pixel', 1, 1],
    ['of a line', 1, 90],
    ['wider than what is looked at', 900, 20],
  ])('lie inside the shape of a thing %s', (_, width, height) => {
    const { left, right, ground } = findContact(drawPlane({ width, height }, () => 1));
    expect(left).toBeGreaterThanOrEqual(0);
    expect(right).toBeLessThan(width);
    expect(ground).toBeLessThanOrEqual(height);
  });

  it.each([
    ['of which hardly a pixel is covered', 1, 5, (_: number, y: number) => Number(y % 2 === 0)],
    ['as thin as a hair, aslant', 1, 34, (_: number, y: number) => Number(y < 1)],
    ['of three columns', 3, 4, (x: number, y: number) => Number(x === 1 && y === 1)],
  ])('are finite for a thing %s', (_, width, height, alphaAt) => {
    const { left, right, ground } = findContact(drawPlane({ width, height }, alphaAt));
    expect([left, right, ground].every(Number.isFinite)).toBe(true);
    expect(left).toBeLessThanOrEqual(right);
  });
});
