import { expect, it } from 'vitest';
import { bulge } from './hull.ts';

it('has no hollow in its convex hull', () => {
  const edge = Float32Array.of(9, 8, 10, 4, 4, 5, 6, 6, 7);
  bulge(edge, 1);
  expect([...edge]).toEqual([9, 9.5, 10, 9.5, 9, 8.5, 8, 7.5, 7]);
  const mirrored = Float32Array.of(-9, -8, -10, -4, -4, -5, -6, -6, -7);
  bulge(mirrored, -1);
  expect(mirrored.every((value, n) => value === -edge[n]!)).toBe(true);
});
