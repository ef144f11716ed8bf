import { expect, test } from 'vitest';
import { makePlane, type Plane } from './plane.ts';
import { tidy } from './tidy.ts';

const SIDE = 100;
type Rectangle = [left: number, top: number, right: number, bottom: number];

function cover(...rectangles: Rectangle[]): Plane {
  const plane = makePlane({ width: SIDE, height: SIDE });
  for (const [left, top, right, bottom] of rectangles)
    for (let y = top; y < bottom; y += 1) plane.data.fill(1, y * SIDE + left, y * SIDE + right);
  return plane;
}
const PRODUCT: Rectangle = [30, 30, 70, 70];
const at = (plane: Plane, x: number, y: number) => plane.data[y * SIDE + x];

test('crumbs beside the product go, a part of it that stands apart stays', () => {
  const found = tidy(cover(PRODUCT, [5, 5, 8, 8], [75, 30, 85, 60]), 1);
  expect(at(found, 6, 6)).toBe(0);
  expect(at(found, 80, 40)).toBe(1);
  expect(at(found, 50, 50)).toBe(1);
});

test('another thing that reaches in over the border goes', () => {
  expect(at(tidy(cover(PRODUCT, [90, 40, 100, 60]), 1), 95, 50)).toBe(0);
});

test('a line out of the picture goes; a strap that stays inside does not', () => {
  const found = tidy(cover(PRODUCT, [50, 70, 53, 100], [40, 15, 42, 30]), 1);
  expect(at(found, 51, 90)).toBe(0);
  expect(at(found, 41, 20)).toBe(1);
});

test('a product that the picture cuts off keeps everything that hangs on it', () => {
  const found = tidy(cover([30, 30, 70, 100], [70, 50, 100, 53]), 1);
  expect(at(found, 90, 51)).toBe(1);
});

test('of nothing nothing is left', () => {
  expect(tidy(cover(), 1).data.some((value) => value > 0)).toBe(false);
});
