import { describe, expect, it } from 'vitest';
import { fitWarp, type Pair } from './warp.ts';

const SIZE = { width: 200, height: 300 };

function pairs(move: (x: number, y: number) => { x: number; y: number }): Pair[] {
  const places = [20, 100, 180].flatMap((x) => [30, 150, 270].map((y) => ({ x, y })));
  return places.map((to) => [to, move(to.x, to.y)]);
}

const PLACES = [
  [3, 3],
  [60, 90],
  [150, 200],
  [110, 155],
  [190, 290],
] as const;

describe('a warp', () => {
  it('reproduces rotation and scaling everywhere, also beyond its points', () => {
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

  it('bends smoothly around a moved point, and nearly interpolates it', () => {
    const bent = pairs((x, y) => ({ x, y: x === 100 && y === 150 ? y + 20 : y }));
    const warp = fitWarp(bent, SIZE);
    expect(warp(100, 150).y).toBeGreaterThan(166);
    for (let x = 20; x < 180; x += 1) {
      expect(Math.abs(warp(x + 1, 150).y - warp(x, 150).y)).toBeLessThan(1);
    }
  });

  it('does not depend on the order of its points', () => {
    const bent = pairs((x, y) => ({ x: x + 9 * Math.sin(y / 60), y: y + 7 * Math.cos(x / 50) }));
    const [own, turned] = [fitWarp(bent, SIZE), fitWarp(bent.toReversed(), SIZE)];
    for (const [x, y] of PLACES) {
      expect(turned(x, y).x).toBeCloseTo(own(x, y).x, 6);
      expect(turned(x, y).y).toBeCloseTo(own(x, y).y, 6);
    }
  });

  it('is translated and mirrored with its points', () => {
    const bend = (x: number, y: number) => ({ x: x + 9 * Math.sin(y / 60), y: y + 7 * Math.cos(x / 50) });
    const own = fitWarp(pairs(bend), SIZE);
    const moved = fitWarp(
      pairs((x, y) => ({ x: bend(x, y).x + 40, y: bend(x, y).y - 25 })),
      SIZE,
    );
    const mirrored = fitWarp(
      pairs((x, y) => ({ x: 200 - bend(200 - x, y).x, y: bend(200 - x, y).y })),
      SIZE,
    );
    for (const [x, y] of PLACES) {
      const here = own(x, y);
      expect(moved(x, y).x - here.x).toBeCloseTo(40, 4);
      expect(moved(x, y).y - here.y).toBeCloseTo(-25, 4);
      expect(Math.abs(200 - mirrored(200 - x, y).x - here.x)).toBeLessThan(0.6); // cells of six pixels
      expect(Math.abs(mirrored(200 - x, y).y - here.y)).toBeLessThan(0.6);
    }
  });

  it('accepts three points, and contradictory ones', () => {
    const three = fitWarp(
      [
        [
          { x: 0, y: 0 },
          { x: 5, y: 5 },
        ],
        [
          { x: 100, y: 0 },
          { x: 205, y: 5 },
        ],
        [
          { x: 0, y: 100 },
          { x: 5, y: 105 },
        ],
      ],
      SIZE,
    );
    expect(three(50, 50).x).toBeCloseTo(105, 0);
    expect(three(50, 50).y).toBeCloseTo(55, 0);
    const torn: Pair[] = [
      ...pairs((x, y) => ({ x, y })),
      [
        { x: 100, y: 150 },
        { x: 100, y: 190 },
      ],
    ];
    const place = fitWarp(torn, SIZE)(100, 150);
    expect(place.y).toBeGreaterThan(150);
    expect(place.y).toBeLessThan(190);
  });

  it('is continuous between its cells and outside the picture', () => {
    const warp = fitWarp(
      pairs((x, y) => ({ x: x + 9 * Math.sin(y / 60), y: y + 7 * Math.cos(x / 50) })),
      SIZE,
    );
    for (let x = 0; x < 199; x += 0.5) {
      const [here, next] = [warp(x, 77.7), warp(x + 0.5, 77.7)];
      expect(Math.hypot(next.x - here.x, next.y - here.y)).toBeLessThan(1);
    }
    const outside = [204, 206, 208, 210].map((x) => warp(x, 100).x);
    expect(outside[3]! - outside[2]!).toBeCloseTo(outside[1]! - outside[0]!, 0);
  });
});
