import { describe, expect, it } from 'vitest';
import { keepOwnCover, mirrorOnto, softenBeyond } from './extend.ts';

const LYING = { width: 40, height: 30, left: 20, top: 4 };
const CANVAS = { width: 80, height: 40 };
const ramp = Float32Array.from({ length: 40 * 30 }, (_, i) => (i % 40) + 3 * Math.floor(i / 40));

describe('a picture on a larger canvas', () => {
  it('stays as it is where it lies, and goes on without a seam', () => {
    const plane = mirrorOnto(ramp, 1, LYING, CANVAS);
    softenBeyond(plane, LYING, CANVAS, 'margin');
    for (let y = 0; y < 30; y += 1) {
      for (let x = 0; x < 40; x += 1) expect(plane[(y + 4) * 80 + x + 20]).toBe(ramp[y * 40 + x]);
    }
    for (let y = 0; y < 40; y += 1) {
      for (const x of [19, 59]) expect(Math.abs(plane[y * 80 + x]! - plane[y * 80 + x + 1]!)).toBeLessThan(2);
    }
  });

  it('is never stretched: one step aside outside is one step aside in the picture', () => {
    const plane = mirrorOnto(ramp, 1, LYING, CANVAS);
    expect(plane[10 * 80 + 15]! - plane[10 * 80 + 16]!).toBe(1);
  });

  it('has no second product beside it, but goes on with one that the photo cuts off', () => {
    const cover = new Float32Array(40 * 30);
    for (let y = 10; y < 30; y += 1) for (let x = 15; x < 25; x += 1) cover[y * 40 + x] = 1;
    const kept = keepOwnCover(mirrorOnto(cover, 1, LYING, CANVAS), LYING, CANVAS);
    expect(kept[36 * 80 + 40]).toBe(1); // below the cut
    expect(kept[36 * 80 + 30]).toBe(0);
    expect([...kept].filter((_, i) => i % 80 < 20 || i % 80 >= 60).every((value) => value === 0)).toBe(true);
  });

  it('does not come again outside: of a picture with a line, the added part has none', () => {
    const lined = Float32Array.from({ length: 40 * 30 }, (_, i) => (Math.floor(i / 40) === 15 ? 20 : 200));
    const tall = { width: 40, height: 120 };
    const plane = mirrorOnto(lined, 1, { ...LYING, left: 0, top: 45 }, tall);
    softenBeyond(plane, { ...LYING, left: 0, top: 45 }, tall, 'gap');
    const added = [...Array(40).keys()];
    for (const y of [...added, ...added.map((n) => 80 + n)]) {
      expect(plane[y * 40 + 20]!, `row ${y}`).toBeGreaterThan(195);
    }
  });

  it('grows darker where the picture has another shape than the frame', () => {
    const even = new Float32Array(40 * 30).fill(200);
    const plane = mirrorOnto(even, 1, LYING, CANVAS);
    softenBeyond(plane, LYING, CANVAS, 'gap', 16);
    const row = [...plane.subarray(20 * 80, 20 * 80 + 20)].reverse();
    for (let n = 1; n < row.length; n += 1) expect(row[n]!).toBeLessThanOrEqual(row[n - 1]! + 0.01);
    expect(row.at(-1)).toBeLessThan(180);
    expect(plane[20 * 80 + 30]).toBe(200);
  });
});
