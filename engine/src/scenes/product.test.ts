import { describe, expect, it } from 'vitest';
import { cropProduct, scaleProduct } from './product.ts';

const WIDTH = 80;
const HEIGHT = 60;

function cutoutOf(left: number, top: number, right: number, bottom: number) {
  const alpha = new Uint8Array(WIDTH * HEIGHT);
  for (let y = top; y < bottom; y += 1) alpha.fill(255, y * WIDTH + left, y * WIDTH + right);
  return { width: WIDTH, height: HEIGHT, alpha, rgb: new Uint8Array(WIDTH * HEIGHT * 3).fill(90) };
}

describe('the product of a cut-out', () => {
  it('is cropped to what can be seen, with a small margin', () => {
    const product = cropProduct(cutoutOf(20, 10, 50, 40));
    expect([product.width, product.height]).toEqual([36, 36]);
    expect([product.left, product.top, product.isCut]).toEqual([17, 7, false]);
  });

  it.each([
    ['bottom', cutoutOf(20, 10, 50, 60), { left: 17, top: 7 }],
    ['left', cutoutOf(0, 10, 50, 40), { left: 0, top: 7 }],
    ['right', cutoutOf(20, 10, 80, 40), { left: 17, top: 7 }],
    ['top', cutoutOf(20, 0, 50, 40), { left: 17, top: 0 }],
  ])('remembers its place when the %s border cuts it off, also when it is scaled', async (border, cutout, place) => {
    const product = cropProduct(cutout);
    const cut = { ...place, isCut: true, isCutBelow: border === 'bottom' };
    expect(product).toMatchObject(cut);
    expect(await scaleProduct(product, 0.5)).toMatchObject(cut);
  });

  it('does not count a strap that just touches the border', () => {
    const cutout = cutoutOf(20, 10, 60, 40);
    for (let y = 40; y < HEIGHT; y += 1) cutout.alpha.fill(255, y * WIDTH + 30, y * WIDTH + 32);
    expect(cropProduct(cutout).isCut).toBe(false);
  });

  it('leaves out a piece of something else at the border', () => {
    const cutout = cutoutOf(20, 10, 50, 40);
    for (let y = 20; y < 30; y += 1) cutout.alpha.fill(255, y * WIDTH + 74, y * WIDTH + 80);
    expect(cropProduct(cutout)).toMatchObject({ left: 17, top: 7, width: 36, height: 36, isCut: false });
  });
});
