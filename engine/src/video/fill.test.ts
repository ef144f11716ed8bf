import { describe, expect, it } from 'vitest';
import { fillBackdrop } from './fill.ts';
import { makeYuv } from './yuv.ts';

const SIDE = 96;

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
  return fillBackdrop({ ...makeYuv(SIDE, SIDE), y }, hole).y;
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
    ['a post that stands', (x: number) => (x >= 44 && x < 52 ? 200 : 90), 16],
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

  it('carries the grain of the floor into the hole', () => {
    const { plane, hole } = punch((x, y) => 120 + (((x * 31 + y * 57) * 2654435761) % 41) - 20);
    const filled = fillLuma(plane, hole);
    const inside = [...filled].filter((_, i) => hole[i] === 1);
    const mean = inside.reduce((sum, value) => sum + value, 0) / inside.length;
    const spread = Math.sqrt(inside.reduce((sum, value) => sum + (value - mean) ** 2, 0) / inside.length);
    expect(spread).toBeGreaterThan(6);
  });
});
