import { expect, test } from 'vitest';
import { findStanding, footOf, toPlacement, turnOutline, type Outline, type Pixels } from './standing.ts';

const SIDE = 120;
const OUTLINE: Outline = [
  [0.3, 0.2],
  [0.7, 0.2],
  [0.6, 0.8],
  [0.4, 0.8],
];

/** A striped product of the outline's bounds on a ground of its own, its foot at (x, y), `size` times as large. */
function draw(x: number, y: number, size: number, ground: number): Pixels {
  const data = new Uint8ClampedArray(SIDE * SIDE * 4).fill(255);
  for (let row = 0; row < SIDE; row += 1)
    for (let column = 0; column < SIDE; column += 1) {
      const [inX, inY] = [((column + 0.5) / SIDE - x) / size + 0.5, ((row + 0.5) / SIDE - y) / size + 0.8];
      const isProduct = inX > 0.3 && inX < 0.7 && inY > 0.2 && inY < 0.8;
      const noise = (column * 31 + row * 17) % 40;
      const colour = isProduct ? [200 - 150 * inY, 40 + 300 * (inX - 0.3), inY > 0.5 ? 180 : 30] : null;
      data.set(colour ?? [ground + noise, ground, ground - noise], (row * SIDE + column) * 4);
    }
  return { data, width: SIDE, height: SIDE };
}

const photo = draw(0.5, 0.8, 1, 90);

test.each([
  [0.5, 0.8, 1],
  [0.62, 0.7, 0.6],
  [0.3, 0.9, 0.45],
])('the product is found where it stands: foot at %f, %f, %f times as large', (x, y, size) => {
  const found = findStanding(photo, OUTLINE, draw(x, y, size, 190));
  expect(found?.x).toBeCloseTo(x, 1);
  expect(found?.y).toBeCloseTo(y, 1);
  expect(Math.abs((found?.size ?? 0) / size - 1)).toBeLessThan(0.12);
});

test('nothing like it is nothing', () => {
  const empty: Pixels = { ...photo, data: Array.from({ length: SIDE * SIDE * 4 }, (_none, at) => (at * 7919) % 251) };
  expect(findStanding(photo, OUTLINE, empty)).toBeNull();
});

test('the foot is the middle of what is lowest, also of a product that was turned', () => {
  expect(footOf(OUTLINE)).toEqual([0.5, 0.8]);
  const [x, y] = footOf(turnOutline(OUTLINE, 1, 90));
  expect(y).toBeCloseTo(0.7);
  expect(x).toBeCloseTo(0.8);
});

test('what is told the server stays within what it takes', () => {
  expect(toPlacement({ x: 1.2, y: 0.51234, size: 9, rotate: 12.34 }, 0.5)).toEqual({
    x: 1,
    y: 0.5123,
    scale: 4,
    rotate: 12.3,
  });
});
