import { describe, expect, it } from 'vitest';
import { drawRgb } from '../../test/draw.ts';
import { runNetwork, wholePicture } from './networks.ts';

const grey = (width: number, height: number) => drawRgb({ width, height }, () => [128, 128, 128]);

describe('the output of a people network', () => {
  it.each([
    [300, 200],
    [200, 300],
    [2000, 1500],
  ])('maps from the square to pixels of a picture of %i x %i', async (width, height) => {
    const picture = grey(width, height);
    const { toPicture } = await runNetwork('movenet', picture, wholePicture(picture));
    const side = Math.max(width, height);
    expect(toPicture(0.5, 0.5)).toEqual({ x: width / 2, y: height / 2 });
    expect(toPicture(0, 0)).toEqual({ x: (width - side) / 2, y: (height - side) / 2 });
    expect(toPicture(1, 1)).toEqual({ x: (width + side) / 2, y: (height + side) / 2 });
  });

  it("maps back by a rotated view's angle", async () => {
    const view = { centre: { x: 50, y: 40 }, side: 20, turn: Math.PI / 2 };
    const { toPicture } = await runNetwork('facemesh', grey(100, 80), view);
    const right = toPicture(1, 0.5);
    expect(right.x).toBeCloseTo(50, 9); // the view's right is the picture's bottom
    expect(right.y).toBeCloseTo(50, 9);
  });

  it('throws for an unknown output name', async () => {
    const picture = grey(64, 64);
    const { read } = await runNetwork('blazeface', picture, wholePicture(picture));
    expect(read('scores')).toHaveLength(896);
    expect(() => read('alpha')).toThrow('no output "alpha"');
  });
});
