import { describe, expect, it } from 'vitest';
import { fitWarp, type Pair } from './warp.ts';

const SIZE = { width: 200, height: 300 };

function pairs(move: (x: number, y: number) => { x: number; y: number }): Pair[] {
  const places = [20, 100, 180].flatMap((x) => [30, 150, 270].map((y) => ({ x, y })));
  return places.map((to) => [to, move(to.x, to.y)]);
}

describe('a warp', () => {
  it('repeats a turn and a change of size everywhere, beyond its points too', () => {
    const move = (x: number, y: number) => ({ x: 0.8 * x - 0.2 * y + 40, y: 0.2 * x + 0.8 * y - 7 });
    const warp = fitWarp(pairs(move), SIZE);
    for (const [x, y] of [
      [60, 90],
      [150, 200],
      [5, 295],
    ] as const) {
      expect(warp(x, y).x).toBeCloseTo(move(x, y).x, 1);
      expect(warp(x, y).y).toBeCloseTo(move(x, y).y, 1);
    }
  });

  it('bends smoothly where one point is moved, and nearly goes through it', () => {
    const bent = pairs((x, y) => ({ x, y: x === 100 && y === 150 ? y + 20 : y }));
    const warp = fitWarp(bent, SIZE);
    expect(warp(100, 150).y).toBeGreaterThan(166);
    for (let x = 20; x < 180; x += 1) {
      expect(Math.abs(warp(x + 1, 150).y - warp(x, 150).y)).toBeLessThan(1);
    }
  });
});
