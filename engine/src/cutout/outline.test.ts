import { expect, it } from 'vitest';
import { drawPlane } from '../../test/draw.ts';
import { traceBoundary } from './outline.ts';

const SIZE = { width: 100, height: 80 };
const draw = (isIn: (x: number, y: number) => boolean) => drawPlane(SIZE, (x, y) => (isIn(x, y) ? 1 : 0));

it('traces the largest part with at most 200 points', () => {
  const points = traceBoundary(draw((x, y) => Math.hypot(x - 50, y - 40) < 30 || (x < 5 && y < 5)));
  expect(points.length).toBeGreaterThan(100);
  expect(points.length).toBeLessThanOrEqual(200);
  for (const [x, y] of points) expect(Math.abs(Math.hypot(x * 100 - 50.5, y * 80 - 40.5) - 29.5)).toBeLessThan(1.5);
});

it("traces objects of one pixel and along the picture's border", () => {
  expect(traceBoundary(draw((x, y) => x === 7 && y === 9))).toEqual([[0.075, 9.5 / 80]]);
  expect(traceBoundary(draw(() => true)).length).toBe(200);
  expect(traceBoundary(draw(() => false))).toEqual([]);
});

it('traces a line there and back', () => {
  expect(traceBoundary(draw((x, y) => y === 4 && x >= 10 && x < 14))).toHaveLength(6);
});
