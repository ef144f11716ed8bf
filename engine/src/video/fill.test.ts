import { describe, expect, it } from 'vitest';
import { fillBackdrop } from './fill.ts';
import { halve, toYuv } from './yuv.ts';

const SIDE = 96;
const FULL = { width: SIDE, height: SIDE };
const HALF = { width: SIDE / 2, height: SIDE / 2 };
const black = toYuv(new Uint8Array(SIDE * SIDE * 3), SIDE, SIDE);

/** A plane from its coordinates, and a hole of 24 x 32 in its middle in which it is unknown. */
function punch(paint: (x: number, y: number) => number): { plane: Float32Array; hole: Float32Array } {
  const plane = new Float32Array(SIDE * SIDE);
  const hole = new Float32Array(SIDE * SIDE);
  for (let i = 0; i < plane.length; i += 1) {
    const x = i % SIDE;
    const y = Math.floor(i / SIDE);
    hole[i] = x >= 36 && x < 60 && y >= 32 && y < 64 ? 1 : 0;
    plane[i] = hole[i] ? 255 : paint(x, y);
  }
  return { plane, hole };
}

function fillLuma(y: Float32Array, hole: Float32Array): Float32Array {
  return fillBackdrop({ ...black, y: { ...FULL, data: y } }, halve({ ...FULL, data: hole })).y.data;
}

describe('filling what was behind the product', () => {
  it('leaves every known pixel as it was', () => {
    const { plane, hole } = punch((x, y) => 60 + ((x * 7 + y * 13) % 80));
    const filled = fillLuma(plane, hole);
    expect(filled.every((value, i) => hole[i] === 1 || value === plane[i])).toBe(true);
  });

  it.each([
    ['an even wall', () => 120, 1],
    ['a table edge that lies', (_: number, y: number) => (y < 48 ? 180 : 70), 16],
    ['light that fades to one side', (x: number) => 60 + x, 6],
  ])('lets %s run on', (_, paint, tolerance) => {
    const { plane, hole } = punch(paint);
    const filled = fillLuma(plane, hole);
    let fault = 0;
    let count = 0;
    for (let i = 0; i < filled.length; i += 1) {
      if (hole[i] === 0) continue;
      fault += Math.abs(filled[i]! - paint(i % SIDE, Math.floor(i / SIDE)));
      count += 1;
    }
    expect(fault / count).toBeLessThan(tolerance);
  });

  it('makes nothing brighter or darker than what is round about, but for its grain', () => {
    const { plane, hole } = punch((x, y) => 100 + 30 * Math.sin(x / 9) + 20 * Math.cos(y / 7));
    const filled = fillLuma(plane, hole);
    expect(Math.min(...filled)).toBeGreaterThan(40);
    expect(Math.max(...filled)).toBeLessThan(160);
  });

  it('does so on the left as on the right', () => {
    const paint = (x: number, y: number) => 90 + x / 2 + ((x * 7 + y * 3) % 9);
    const { plane, hole } = punch(paint);
    const mirror = (values: Float32Array) => values.map((_, i) => values[i - (i % SIDE) + SIDE - 1 - (i % SIDE)]!);
    const [own, mirrored] = [fillLuma(plane, hole), mirror(fillLuma(mirror(plane), mirror(hole)))];
    let fault = 0;
    for (const [i, value] of own.entries()) fault = Math.max(fault, Math.abs(value - mirrored[i]!));
    expect(fault).toBeLessThan(12); // grain may come from either of two rims that are as near
  });

  it('goes by what is near: between a bright and a dark side it is bright here and dark there', () => {
    const isHole = (i: number) => i % SIDE >= 36 && i % SIDE < 60;
    const plane = Float32Array.from({ length: SIDE * SIDE }, (_, i) => (isHole(i) ? 255 : i % SIDE < 48 ? 180 : 60));
    const row = fillLuma(
      plane,
      Float32Array.from(plane, (_, i) => (isHole(i) ? 1 : 0)),
    ).subarray(48 * SIDE);
    expect(row[38]).toBeGreaterThan(170);
    expect(row[57]).toBeLessThan(70);
    for (let x = 37; x < 60; x += 1) expect(row[x]!).toBeLessThanOrEqual(row[x - 1]! + 0.1);
  });

  it('fills colours as it does brightness', () => {
    const { hole } = punch(() => 0);
    const half = SIDE / 2;
    const isHole = (i: number) => i % half >= 18 && i % half < 30 && i >= 16 * half && i < 32 * half;
    const [u, v] = [90, 160].map((value) => ({
      ...HALF,
      data: Float32Array.from({ length: half * half }, (_, i) => (isHole(i) ? 255 : value)),
    }));
    const filled = fillBackdrop({ ...black, u: u!, v: v! }, halve({ ...FULL, data: hole }));
    expect(filled.u.data.every((value) => Math.abs(value - 90) < 0.01)).toBe(true);
    expect(filled.v.data.every((value) => Math.abs(value - 160) < 0.01)).toBe(true);
  });

  it.each<[string, (x: number, y: number) => boolean]>([
    ['at the edge of the picture', (x) => x < 20],
    ['in a corner', (x, y) => x > 70 && y > 70],
    ['of one pixel', (x, y) => x === 50 && y === 50],
    ['from side to side', (_, y) => y > 30 && y < 60],
    ['of all but a column', (x) => x !== 5],
  ])('fills a hole %s', (_, isHole) => {
    const at = (i: number) => isHole(i % SIDE, Math.floor(i / SIDE));
    const plane = Float32Array.from({ length: SIDE * SIDE }, (_v, i) => (at(i) ? 255 : 70));
    const filled = fillLuma(
      plane,
      Float32Array.from(plane, (_v, i) => (at(i) ? 1 : 0)),
    );
    expect(Math.max(...filled)).toBeLessThan(71);
    expect(Math.min(...filled)).toBeGreaterThan(69);
  });

  it('changes nothing where there is no hole, and makes nothing up where there is nothing else', () => {
    const plane = Float32Array.from({ length: SIDE * SIDE }, (_, i) => i % 200);
    expect(fillLuma(plane, new Float32Array(SIDE * SIDE))).toEqual(plane);
    expect(fillLuma(plane, new Float32Array(SIDE * SIDE).fill(1))).toEqual(plane);
  });
});
