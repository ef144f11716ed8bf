import { expect, it } from 'vitest';
import { drawMask } from '../../test/draw.ts';
import { nearestInside } from './nearest.ts';

const SIZE = { width: 80, height: 60 };
const nearest = nearestInside(drawMask(SIZE, (x, y) => x >= 20 && x < 60 && y >= 15 && y < 45));

it('keeps points on the mask, also between pixels', () => {
  expect(nearest(30.3, 20.4)).toEqual({ x: 30.3, y: 20.4 });
});

it.each([
  ['beside it', 5, 30, 20, 30],
  ['above it', 40, 3, 40, 15],
  ['at a corner', 70, 55, 59, 44],
  ['beyond the picture', -20, 30, 20, 30],
])('maps a point %s to the nearest one of the mask, within the blur', (_, x, y, nearX, nearY) => {
  const place = nearest(x, y);
  expect(Math.hypot(place.x - nearX, place.y - nearY)).toBeLessThan(3);
});

it('maps neighbours to neighbours, also at a ragged edge', () => {
  const ragged = nearestInside(drawMask(SIZE, (x, y) => x >= 20 + (y % 4 < 2 ? 5 : 0) && x < 60));
  for (let y = 10; y < 50; y += 1) {
    const [one, other] = [ragged(8, y), ragged(8, y + 1)];
    expect(Math.hypot(one.x - other.x, one.y - other.y)).toBeLessThan(2);
  }
});
