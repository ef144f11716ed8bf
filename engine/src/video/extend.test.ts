import type { Box } from '../pixels/plane.ts';
import { describe, expect, it } from 'vitest';
import { extendOnto, softenBeyond } from './extend.ts';

const LYING = { width: 40, height: 30, left: 20, top: 4 };
const CANVAS = { width: 80, height: 40 };
const ramp = Float32Array.from({ length: 40 * 30 }, (_, i) => (i % 40) + 3 * Math.floor(i / 40));

describe('a picture on a larger canvas', () => {
  it('is unchanged in its rectangle, and continues without a seam', () => {
    const plane = extendOnto(ramp, 1, LYING, CANVAS);
    softenBeyond({ ...CANVAS, data: plane }, LYING);
    for (let y = 0; y < 30; y += 1) {
      for (let x = 0; x < 40; x += 1) expect(plane[(y + 4) * 80 + x + 20]).toBe(ramp[y * 40 + x]);
    }
    for (let y = 0; y < 40; y += 1) {
      for (const x of [19, 59]) expect(Math.abs(plane[y * 80 + x]! - plane[y * 80 + x + 1]!)).toBeLessThan(2);
    }
  });

  it('repeats its edge and no detail', () => {
    const plane = extendOnto(ramp, 1, LYING, CANVAS);
    for (const x of [0, 10, 19]) expect(plane[10 * 80 + x]).toBe(plane[10 * 80 + 20]);
    for (const y of [35, 39]) expect(plane[y * 80 + 30]).toBe(plane[33 * 80 + 30]);
  });

  it('shows no second product, and continues one that the photo cuts off', () => {
    const values = new Float32Array(40 * 30);
    for (let y = 10; y < 30; y += 1) for (let x = 15; x < 25; x += 1) values[y * 40 + x] = 1;
    const kept = extendOnto(values, 1, LYING, CANVAS);
    expect(kept[36 * 80 + 40]).toBe(1); // below the cut
    expect(kept[36 * 80 + 30]).toBe(0);
    expect([...kept].filter((_, i) => i % 80 < 20 || i % 80 >= 60).every((value) => value === 0)).toBe(true);
  });

  it('does not repeat a line outside', () => {
    const lined = Float32Array.from({ length: 40 * 30 }, (_, i) => (Math.floor(i / 40) === 15 ? 20 : 200));
    const tall = { width: 40, height: 120 };
    const plane = extendOnto(lined, 1, { ...LYING, left: 0, top: 45 }, tall);
    softenBeyond({ ...tall, data: plane }, { ...LYING, left: 0, top: 45 });
    const added = [...Array(40).keys()];
    for (const y of [...added, ...added.map((n) => 80 + n)]) {
      expect(plane[y * 40 + 20]!, `row ${y}`).toBeGreaterThan(195);
    }
  });

  it.each<[string, Box]>([
    ['in the middle', LYING],
    ['over the edges', { width: 40, height: 30, left: -6, top: -4 }],
    ['in a corner', { width: 40, height: 30, left: 40, top: 10 }],
    ['larger than the canvas', { width: 120, height: 90, left: -20, top: -30 }],
    ['of one pixel', { width: 1, height: 1, left: 3, top: 3 }],
  ])('placed %s contains only its own values', (_, lying) => {
    const values = Float32Array.from({ length: lying.width * lying.height }, (_v, i) => 10 + (i % 90));
    const known = new Set(values);
    const plane = extendOnto(values, 1, lying, CANVAS);
    expect(plane.every((value) => known.has(value))).toBe(true);
    for (let y = Math.max(0, lying.top); y < Math.min(40, lying.top + lying.height); y += 1) {
      for (let x = Math.max(0, lying.left); x < Math.min(80, lying.left + lying.width); x += 7) {
        expect(plane[y * 80 + x]).toBe(values[(y - lying.top) * lying.width + x - lying.left]);
      }
    }
  });

  it("keeps a pixel's channels together", () => {
    const colours = Uint8Array.from({ length: 40 * 30 * 3 }, (_, i) => (Math.floor(i / 3) % 80) + 80 * (i % 3));
    const plane = extendOnto(colours, 3, LYING, CANVAS);
    for (let i = 0; i < plane.length; i += 3) {
      expect([plane[i + 1]! - plane[i]!, plane[i + 2]! - plane[i]!]).toEqual([80, 160]);
    }
  });

  it('stays uniform where it is uniform', () => {
    const plane = extendOnto(new Float32Array(40 * 30).fill(140), 1, LYING, CANVAS);
    softenBeyond({ ...CANVAS, data: plane }, LYING);
    expect(plane.every((value) => Math.abs(value - 140) < 0.01)).toBe(true);
  });

  it('gets softer with distance', () => {
    const large = { width: 400, height: 80 };
    const lying = { width: 160, height: 80, left: 120, top: 0 };
    const striped = Float32Array.from({ length: 160 * 80 }, (_, i) => (i % 4 < 2 ? 200 : 100));
    const plane = extendOnto(striped, 1, lying, large);
    softenBeyond({ ...large, data: plane }, lying);
    const contrast = (from: number) => {
      const part = plane.subarray(40 * 400 + from, 40 * 400 + from + 8);
      return Math.max(...part) - Math.min(...part);
    };
    const contrasts = [130, 108, 80, 40, 4].map(contrast);
    expect(contrasts[0]).toBe(100);
    for (let n = 1; n < contrasts.length; n += 1) expect(contrasts[n]!).toBeLessThanOrEqual(contrasts[n - 1]! + 0.5);
    expect(contrasts.at(-1)).toBeLessThan(50);
  });
});
