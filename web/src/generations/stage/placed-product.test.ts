import { expect, test } from 'vitest';
import { clampPlace, drawGhost, footOf, makeGhost, roundPlace, turnOutline, type Outline } from './placed-product.ts';

const OUTLINE: Outline = [
  [0.3, 0.2],
  [0.7, 0.2],
  [0.6, 0.8],
  [0.4, 0.8],
];

test('the foot is the middle of what is lowest, also of a product that was turned', () => {
  expect(footOf(OUTLINE)).toEqual([0.5, 0.8]);
  const [x, y] = footOf(turnOutline(OUTLINE, 1, 90));
  expect(y).toBeCloseTo(0.7);
  expect(x).toBeCloseTo(0.8);
});

test('what is told the server stays within what it takes', () => {
  expect(roundPlace(clampPlace({ x: 1.2, y: 0.51234, scale: 9, rotate: 12.34 }))).toEqual({
    x: 1,
    y: 0.5123,
    scale: 4,
    rotate: 12.3,
  });
});

test('the product is drawn over itself, also where the engine takes something else for its foot', () => {
  const placed = { x: 0.5, y: 0.75, scale: 1.5, rotate: 0, size: 0.5, box: [0.32, 0.5, 0.52, 0.8] } as const;
  const ghost = makeGhost({ ...placed, box: [...placed.box] }, OUTLINE, 1);
  const { left, top, right, bottom } = drawGhost(ghost, placed).corners;
  for (const [side, at] of [left, top, right, bottom].entries()) expect(at).toBeCloseTo(placed.box[side]!);
  expect(ghost.full).toBeCloseTo(1 / 3);
});
