import { describe, expect, it } from 'vitest';
import { makeFace } from '../../test/face.ts';
import { countOnes } from '../pixels/mask.ts';
import type { Point } from '../pixels/plane.ts';
import { LEFT_BROW, LEFT_EYE, LIPS, RIGHT_EYE } from './landmarks.ts';
import { paintSkin, pick } from './skin.ts';

const SIZE = { width: 120, height: 150 };
const { points } = makeFace({ left: 30, top: 35, width: 60, height: 80 });
const middleOf = (landmarks: readonly number[]): Point => {
  const some = pick(points, landmarks);
  return {
    x: some.reduce((sum, { x }) => sum + x, 0) / some.length,
    y: some.reduce((sum, { y }) => sum + y, 0) / some.length,
  };
};

describe('the skin of a face', () => {
  const skin = paintSkin(points, SIZE);
  const isSkin = ({ x, y }: Point) => skin.data[Math.round(y) * SIZE.width + Math.round(x)] === 1;

  it('excludes eyes, brows and lips', () => {
    expect(countOnes(skin)).toBeGreaterThan(800);
    for (const part of [LEFT_EYE, RIGHT_EYE, LEFT_BROW, LIPS]) expect(isSkin(middleOf(part))).toBe(false);
    expect(isSkin({ x: 44, y: 85 })).toBe(true);
    expect(isSkin({ x: 10, y: 10 })).toBe(false);
  });

  it('is empty outside the picture, and throws for an incomplete mesh', () => {
    expect(
      countOnes(
        paintSkin(
          points.map(({ x, y }) => ({ x: x + 500, y })),
          SIZE,
        ),
      ),
    ).toBe(0);
    expect(() => paintSkin(points.slice(0, 100), SIZE)).toThrow('no landmark');
  });
});
