import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { cutPlane, cutRgb } from '../pixels/plane.ts';
import { cropProduct, scaleProduct, turnProduct } from './product.ts';

const WIDTH = 80;
const HEIGHT = 60;

function cutoutOf(left: number, top: number, right: number, bottom: number) {
  const alpha = new Uint8Array(WIDTH * HEIGHT);
  for (let y = top; y < bottom; y += 1) alpha.fill(255, y * WIDTH + left, y * WIDTH + right);
  return { width: WIDTH, height: HEIGHT, alpha, data: new Uint8Array(WIDTH * HEIGHT * 3).fill(90) };
}

describe('the product of a cut-out', () => {
  it('is cropped to its visible part with a small margin', () => {
    const product = cropProduct(cutoutOf(20, 10, 50, 40));
    expect([product.width, product.height]).toEqual([36, 36]);
    expect([product.left, product.top, product.isCut]).toEqual([17, 7, false]);
  });

  it.each([
    ['bottom', cutoutOf(20, 10, 50, 60), { left: 17, top: 7 }],
    ['left', cutoutOf(0, 10, 50, 40), { left: 0, top: 7 }],
    ['right', cutoutOf(20, 10, 80, 40), { left: 17, top: 7 }],
    ['top', cutoutOf(20, 0, 50, 40), { left: 17, top: 0 }],
  ])('keeps its position if the %s border cuts it off, also when it is scaled', async (border, cutout, place) => {
    const product = cropProduct(cutout);
    const cut = { ...place, isCut: true, isCutBelow: border === 'bottom' };
    expect(product).toMatchObject(cut);
    expect(await scaleProduct(product, 0.5)).toMatchObject(cut);
  });

  it('is not cut off by a strap that just touches the border', () => {
    const cutout = cutoutOf(20, 10, 60, 40);
    for (let y = 40; y < HEIGHT; y += 1) cutout.alpha.fill(255, y * WIDTH + 30, y * WIDTH + 32);
    expect(cropProduct(cutout).isCut).toBe(false);
  });

  it("keeps the photo's bytes", () => {
    const cutout = cutoutOf(20, 10, 50, 40);
    cutout.data = cutout.data.map((_, n) => n % 251);
    cutout.alpha[25 * WIDTH + 30] = 77;
    const { data: rgb, alpha, left, top, width, height } = cropProduct(cutout);
    for (let y = 0; y < height; y += 1) {
      const from = (top + y) * WIDTH + left;
      expect(rgb.subarray(3 * y * width, 3 * (y + 1) * width)).toEqual(
        cutout.data.subarray(3 * from, 3 * (from + width)),
      );
      expect([...alpha.subarray(y * width, (y + 1) * width)]).toEqual([...cutout.alpha.subarray(from, from + width)]);
    }
  });

  it('contains all visible pixels, wherever they lie', () => {
    const place = fc.record({ x: fc.nat(WIDTH - 1), y: fc.nat(HEIGHT - 1), value: fc.integer({ min: 24, max: 255 }) });
    fc.assert(
      fc.property(fc.array(place, { minLength: 1, maxLength: 8 }), (dots) => {
        const cutout = cutoutOf(30, 20, 50, 40);
        for (const { x, y, value } of dots)
          cutout.alpha[Math.max(1, Math.min(HEIGHT - 2, y)) * WIDTH + Math.max(1, Math.min(WIDTH - 2, x))] = value;
        const { alpha } = cropProduct(cutout);
        const sum = (values: Uint8Array) => values.reduce((so, value) => so + value, 0);
        expect(sum(alpha)).toBe(sum(cutout.alpha));
      }),
      { numRuns: 40 },
    );
  });

  it('does not exist without visible pixels', () => {
    const cutout = cutoutOf(20, 10, 50, 40);
    cutout.alpha = cutout.alpha.map((value) => Math.min(value, 23));
    expect(() => cropProduct(cutout)).toThrow('shows nothing');
  });
});

describe('a scaled product', () => {
  const product = cropProduct(cutoutOf(20, 10, 50, 40));

  it('is unchanged at scale 1', async () => {
    const { data: rgb, alpha } = await scaleProduct(product, 1);
    expect([Buffer.compare(rgb, product.data), Buffer.compare(alpha, product.alpha)]).toEqual([0, 0]);
  });

  it.each([0.7, 3])('by %d has parts that equal the same parts of the whole', async (scale) => {
    const striped = {
      ...product,
      data: product.data.map((_, n) => (7 * n) % 251),
      alpha: product.alpha.map((_, n) => n % 256),
    };
    const whole = await scaleProduct(striped, scale);
    const part = { left: 5, top: 9, width: 11, height: 6 };
    const { data, alpha, ...size } = await scaleProduct(striped, scale, part);
    expect(size).toMatchObject({ width: 11, height: 6 });
    expect([...data]).toEqual([...cutRgb(whole, part).data]);
    expect([...alpha]).toEqual([...cutPlane({ ...whole, data: new Float32Array(whole.alpha) }, part).data]);
  });

  it.each([
    [0.5, 18, 18],
    [0.25, 9, 9],
    [0.001, 1, 1],
    [2, 72, 72],
  ])('by %d is %i by %i pixels, with as many bytes of colour and alpha', async (scale, width, height) => {
    const small = await scaleProduct(product, scale);
    expect(small).toMatchObject({ width, height });
    expect([small.data.length, small.alpha.length]).toEqual([3 * width * height, width * height]);
  });

  it('covers the same share in the same colour', async () => {
    const small = await scaleProduct(product, 0.5);
    const share = (alpha: Uint8Array) => alpha.reduce((sum, value) => sum + value, 0) / (255 * alpha.length);
    expect(share(small.alpha)).toBeCloseTo(share(product.alpha), 2);
    expect(new Set(small.data)).toEqual(new Set([90]));
  });
});

describe('a rotated product', () => {
  const product = cropProduct(cutoutOf(20, 20, 60, 30));

  it('is unchanged at 0 degrees', async () => {
    expect(await turnProduct(product, 0)).toBe(product);
  });

  it('keeps its centre and size, clockwise', async () => {
    const turned = await turnProduct(product, 30);
    const middle = (one: typeof product) => [one.left + one.width / 2, one.top + one.height / 2];
    for (const [n, at] of middle(turned).entries()) expect(Math.abs(at - middle(product)[n]!)).toBeLessThan(1.5);
    const sum = (alpha: Uint8Array) => alpha.reduce((so, value) => so + value, 0);
    expect(sum(turned.alpha) / sum(product.alpha)).toBeCloseTo(1, 1);
    const rowOf = (x: number) => {
      const rows = Array.from({ length: turned.height }, (_, y) => turned.alpha[y * turned.width + x]!);
      return rows.reduce((so, value, y) => so + value * y, 0) / rows.reduce((so, value) => so + value, 1);
    };
    expect(rowOf(turned.width - 8)).toBeGreaterThan(rowOf(7) + 8);
  });
});
