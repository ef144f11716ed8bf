import { describe, expect, it } from 'vitest';
import { makeWearer, PERSON, readShirt, ROOM, SHIRT } from '../../test/clothes.ts';
import { threshold } from '../pixels/mask.ts';
import { fitGarment } from './fit.ts';
import type { Fit } from './fit-parts.ts';
import { makeAxis } from './sleeve.ts';

const shirt = readShirt();
const wearer = makeWearer();
const fitted = fit(wearer, shirt);
const SCALE = wearer.chest / shirt.chest;

function fit(...[who, what, category]: [typeof wearer, typeof shirt, 'tops'?]): Fit {
  const found = fitGarment(who, what, category ?? 'tops');
  if (!found) throw new Error('nothing was fitted');
  return found;
}

/** Place in the flat garment, and how much of it shows. */
const at = ({ x, y, cover }: Fit, column: number, row: number) => {
  const i = row * ROOM.width + column;
  return { x: x[i]!, y: y[i]!, cover: cover[i]! };
};

describe('a fitted shirt', () => {
  it('keeps its own scale, and its axis stays on the person', () => {
    for (const row of [90, 120, 150]) {
      const [left, middle, right] = [-10, 0, 10].map((away) => at(fitted, PERSON.middle + away, row));
      expect(middle!.x).toBeCloseTo(SHIRT.middle, 0);
      expect((right!.x - left!.x) / 20).toBeCloseTo(1 / SCALE, 1);
    }
  });

  it('lies chest on chest: its sides come to the sides of the body', () => {
    for (const row of [110, 140, 160]) {
      expect(Math.abs(at(fitted, PERSON.middle - PERSON.half, row).x - (SHIRT.middle - SHIRT.half))).toBeLessThan(5);
      expect(Math.abs(at(fitted, PERSON.middle + PERSON.half, row).x - (SHIRT.middle + SHIRT.half))).toBeLessThan(5);
    }
  });

  it('runs down from shoulder to hem, never back up', () => {
    for (const away of [-20, 0, 20]) {
      const rows = Array.from({ length: 90 }, (_, n) => at(fitted, PERSON.middle + away, 75 + n).y);
      for (const [n, y] of rows.entries()) if (n > 0) expect(y).toBeGreaterThanOrEqual(rows[n - 1]! - 1e-3);
    }
  });

  it('hides the old shirt, the neckline but, and never the head or the trousers', () => {
    const old = threshold(wearer.top, 0.5).data;
    const isNeckline = (i: number) => fitted.bare[i]! > 0.02;
    const seen = [...old.keys()].filter((i) => old[i] && !isNeckline(i) && fitted.cover[i]! < 0.9);
    expect(seen.length).toBeLessThan(0.03 * old.filter(Boolean).length);
    expect(at(fitted, PERSON.middle, 30).cover).toBe(0);
    for (let x = 0; x < ROOM.width; x += 1) expect(at(fitted, x, PERSON.hem + 25).cover).toBe(0);
  });

  it('bares skin in its neckline only', () => {
    const bared = [...fitted.bare.keys()].filter((i) => fitted.bare[i]! > 0.5);
    expect(bared.length).toBeGreaterThan(200);
    for (const i of bared) {
      expect(Math.abs((i % ROOM.width) - PERSON.middle)).toBeLessThan(22);
      expect(Math.floor(i / ROOM.width)).toBeLessThan(90);
    }
  });

  it('leads every pixel to a place on the fabric', () => {
    for (let i = 70 * ROOM.width; i < fitted.x.length; i += 7) {
      if (!fitted.cover[i]) continue;
      const place = Math.round(fitted.y[i]!) * shirt.mask.width + Math.round(fitted.x[i]!);
      expect(shirt.mask.data[place]).toBe(1);
    }
  });

  it('has shares between 0 and 1, and nothing that is no number', () => {
    for (const plane of Object.values(fitted)) expect(plane.every(Number.isFinite)).toBe(true);
    for (const plane of [fitted.cover, fitted.bare, fitted.keep, fitted.gone]) {
      expect(plane.every((share) => share >= 0 && share <= 1)).toBe(true);
    }
  });

  it('is left and right alike', () => {
    for (let y = 70; y < 165; y += 5) {
      for (let away = 1; away < 60; away += 4) {
        const [left, right] = [at(fitted, PERSON.middle - away, y), at(fitted, PERSON.middle + away, y)];
        expect(Math.abs(left.cover - right.cover)).toBeLessThan(0.3);
        if (left.cover > 0.9) expect(Math.abs(SHIRT.middle - left.x - (right.x - SHIRT.middle))).toBeLessThan(3);
      }
    }
  });
});

describe('what cannot be fitted', () => {
  it('is a shirt without sleeves over one with them: nobody knows the arms below', () => {
    expect(fitGarment(wearer, readShirt({ hasSleeves: false }), 'tops')).toBeUndefined();
  });

  it('is a shirt that is much shorter than the old one', () => {
    const short = { ...shirt, bottom: 110 };
    expect(fitGarment(wearer, short, 'tops')).toBeUndefined();
    expect(fitGarment(wearer, short, 'one-pieces')).toBeDefined();
  });

  it('is a person with one sleeve', () => {
    const top = { ...wearer.top, data: wearer.top.data.slice() };
    for (let i = 0; i < top.data.length; i += 1) {
      if (i % ROOM.width > PERSON.middle + PERSON.half && Math.floor(i / ROOM.width) > 75) top.data[i] = 0;
    }
    expect(fitGarment({ ...wearer, top }, shirt, 'tops')).toBeUndefined();
  });
});

it('leaves what is under a jacket that is worn open', () => {
  const deep = readShirt({ neck: 70 });
  const open = fit(wearer, deep);
  expect(open.bare.every((share) => share === 0)).toBe(true);
  expect(open.keep.some((share) => share > 0.9)).toBe(true);
});

it('covers the arm with longer sleeves than the old ones', () => {
  const armLength = wearer.arms[0].length;
  const stretched = shirt.sleeves.map((sleeve) => {
    const [seam, end] = sleeve!.strip.axis.points;
    const times = 1.6;
    const far = { x: seam!.x + times * (end!.x - seam!.x), y: seam!.y + times * (end!.y - seam!.y) };
    return { ...sleeve!, strip: { ...sleeve!.strip, axis: makeAxis([seam!, far]) } };
  }) as typeof shirt.sleeves;
  const long = fit(wearer, { ...shirt, sleeves: stretched });
  const below = (fitness: Fit) => {
    let count = 0;
    for (let i = (PERSON.sleeveEnd + 4) * ROOM.width; i < fitness.cover.length; i += 1) {
      if (Math.abs((i % ROOM.width) - PERSON.middle) > PERSON.half + 4 && fitness.cover[i]! > 0.5) count += 1;
    }
    return count;
  };
  expect(armLength).toBeGreaterThan(90);
  expect(below(fitted)).toBe(0);
  expect(below(long)).toBeGreaterThan(100);
});
