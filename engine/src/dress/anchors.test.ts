import { describe, expect, it } from 'vitest';
import { makeBodyPlan, makeWearer, PERSON, readShirt, ROOM, SHIRT } from '../../test/clothes.ts';
import { anchorBody, anchorSleeve } from './anchors.ts';
import { planSleeves } from './fit-sleeves.ts';
import { projectOnAxis } from './sleeve.ts';
import { fitWarp, type Pair } from './warp.ts';

const wearer = makeWearer();
const shirt = readShirt();
const body = makeBodyPlan(wearer, shirt);
const pairs = anchorBody(wearer, shirt, body);
const SCALE = body.scale;
const plans = planSleeves(wearer, shirt, body)!;

/** Nearly the place, of the person and of the shirt. */
const isAt = ([to, from]: Pair, x: number, y: number, flatX: number, flatY: number) =>
  Math.hypot(to.x - x, to.y - y) < 4 && Math.hypot(from.x - flatX, from.y - flatY) < 8;

describe('what a body is fastened to', () => {
  it('are places on the person and places on the fabric, each place once', () => {
    for (const [to, from] of pairs) {
      expect(to.x >= 0 && to.y >= 0 && to.x < ROOM.width && to.y < ROOM.height).toBe(true);
      expect(shirt.mask.data[Math.round(from.y) * shirt.mask.width + Math.round(from.x)]).toBe(1);
    }
    expect(new Set(pairs.map(([{ x, y }]) => `${x.toFixed(1)} ${y.toFixed(1)}`)).size).toBe(pairs.length);
  });

  it('are armpit on armpit and side on side', () => {
    for (const side of [-1, 1]) {
      const [worn, flat] = [PERSON.middle + side * PERSON.half, SHIRT.middle + side * SHIRT.half];
      expect(pairs.some((pair) => isAt(pair, worn, PERSON.pitRow, flat, SHIRT.pitRow))).toBe(true);
      const row = PERSON.pitRow + 0.5 * (body.hem - PERSON.pitRow);
      const flatRow = (SHIRT.pitRow + SHIRT.hem) / 2;
      expect(pairs.some((pair) => isAt(pair, worn, row, flat, flatRow))).toBe(true);
    }
  });

  it('are the shoulders beside the neck, and nothing across it', () => {
    const high = pairs.filter(([, from]) => from.y < 40);
    expect(high.length).toBeGreaterThan(3);
    for (const [, from] of high) expect(Math.abs(from.x - SHIRT.middle)).toBeGreaterThan(15);
  });

  it('lie left and right alike', () => {
    for (const [to, from] of pairs) {
      const [x, flatX] = [2 * PERSON.middle - to.x, 2 * SHIRT.middle - from.x];
      expect(pairs.some((pair) => isAt(pair, x, to.y, flatX, from.y))).toBe(true);
    }
  });

  it('keep a print in the middle at the scale of the chest, in every row', () => {
    const rows = Map.groupBy(
      pairs.filter(([to]) => to.y >= PERSON.pitRow && Math.abs(to.x - PERSON.middle) < 0.7 * PERSON.half),
      ([to]) => Math.round(to.y),
    );
    expect(rows.size).toBe(5);
    for (const row of rows.values()) {
      const sorted = row.toSorted(([one], [other]) => one.x - other.x);
      expect(sorted).toHaveLength(3);
      const [left, , right] = sorted as [Pair, Pair, Pair];
      expect((right[0].x - left[0].x) / (right[1].x - left[1].x)).toBeCloseTo(SCALE, 2);
    }
  });

  it('go down the garment as they go down the body', () => {
    const middle = pairs
      .filter(([to]) => Math.abs(to.x - PERSON.middle) < 1)
      .toSorted(([one], [other]) => one.y - other.y)
      .map(([, from]) => from.y);
    expect(middle.length).toBeGreaterThan(3);
    expect(middle).toEqual(middle.toSorted((one, other) => one - other));
  });

  it('are enough for a smooth map, which brings each of them nearly home', () => {
    const warp = fitWarp(pairs, ROOM);
    for (const [to, from] of pairs) {
      const { x, y } = warp(to.x, to.y);
      expect(Math.hypot(x - from.x, y - from.y)).toBeLessThan(3);
    }
  });

  it('are there for a garment without sleeves, too', () => {
    const vest = readShirt({ hasSleeves: false });
    const own = anchorBody(wearer, vest, makeBodyPlan(wearer, vest));
    expect(own.length).toBeGreaterThan(20);
    for (const [to, from] of own) {
      const isMiddle = Math.abs(to.x - PERSON.middle) < 1;
      expect(isMiddle || to.x < PERSON.middle === from.x < vest.middle).toBe(true);
    }
  });
});

describe('what a sleeve is fastened to', () => {
  const sleevePairs = ([0, 1] as const).map((side) => anchorSleeve(wearer, shirt, body, plans[side], side));

  it('are the armhole and both edges, from the seam to the end of the sleeve', () => {
    for (const [side, own] of sleevePairs.entries()) {
      const arm = plans[side as 0 | 1].arm.axis;
      const flat = shirt.sleeves[side]!.strip.axis;
      const last = own.slice(-3);
      for (const [to, from] of last) {
        expect(projectOnAxis(arm, to.x, to.y).along).toBeCloseTo(plans[side as 0 | 1].end, 3);
        expect(projectOnAxis(flat, from.x, from.y).along).toBeCloseTo(flat.length - 3, 3);
      }
      const across = last.map(([to]) => projectOnAxis(arm, to.x, to.y).across);
      const flatAcross = last.map(([, from]) => projectOnAxis(flat, from.x, from.y).across);
      for (const edges of [across, flatAcross]) {
        expect(edges[0]).toBeLessThan(edges[1]!);
        expect(edges[1]).toBeLessThan(edges[2]!);
      }
    }
  });

  it('lie on the arm of their own side', () => {
    for (const [side, own] of sleevePairs.entries()) {
      const sign = side === 0 ? -1 : 1;
      for (const [to, from] of own.slice(-12)) {
        expect((to.x - PERSON.middle) * sign).toBeGreaterThan(PERSON.half - 6);
        expect((from.x - SHIRT.middle) * sign).toBeGreaterThan(SHIRT.half - 6);
      }
    }
  });

  it('are the armhole alone where the garment has none', () => {
    const vest = { ...plans[0], sleeve: undefined };
    const own = anchorSleeve(wearer, shirt, body, vest, 0);
    expect(own).toHaveLength(sleevePairs[0]!.length - 12);
  });
});
