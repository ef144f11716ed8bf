import { expect, it } from 'vitest';
import { readMask } from '../../test/draw.ts';
import { nearestInside } from './nearest.ts';

it('leaves a place on the mask, between its pixels too, and leads any other to the nearest', () => {
  const nearest = nearestInside(readMask(['.....', '.##..', '.##..', '....#']));
  expect(nearest(1.3, 1.4)).toEqual({ x: 1.3, y: 1.4 });
  expect(nearest(0, 0)).toEqual({ x: 1, y: 1 });
  expect(nearest(4, 2)).toEqual({ x: 4, y: 3 });
  expect(nearest(-20, 2)).toEqual({ x: 1, y: 2 });
});
