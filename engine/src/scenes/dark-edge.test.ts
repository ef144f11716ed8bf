import { describe, expect, it } from 'vitest';
import { isDarkAround, peelEdge } from './dark-edge.ts';

const SIDE = 60;

/** A brown square with a rim, half covered, of the given grey. */
function rimmedSquare(rim: number) {
  const rgb = new Uint8Array(SIDE * SIDE * 3);
  const alpha = new Float32Array(SIDE * SIDE);
  for (let i = 0; i < alpha.length; i += 1) {
    const inside =
      Math.min(i % SIDE, Math.floor(i / SIDE), SIDE - 1 - (i % SIDE), SIDE - 1 - Math.floor(i / SIDE)) - 10;
    alpha[i] = inside < 0 ? 0 : inside === 0 ? 0.6 : 1;
    rgb.set(inside === 0 ? [rim, rim, rim] : [90, 60, 40], i * 3);
  }
  return { width: SIDE, height: SIDE, rgb, alpha };
}

const EDGE = 30 * SIDE + 10;

describe('peelEdge', () => {
  it('takes cover from a rim that is brighter than the product, and none from the product', () => {
    const peeled = peelEdge(rimmedSquare(230));
    expect(peeled[EDGE]).toBeLessThan(0.1);
    expect(peeled[EDGE + 6]).toBe(1);
  });

  it("leaves a rim of the product's own light nearly as it was", () => {
    expect(peelEdge(rimmedSquare(60))[EDGE]).toBeCloseTo((0.6 - 0.15) / 0.85, 5);
  });
});

it('calls a scene dark by the light behind the product only', () => {
  const light = new Float32Array(SIDE * SIDE * 3).fill(0.5);
  for (let i = 0; i < SIDE * SIDE; i += 1) if (i % SIDE < 30) light.fill(0.02, i * 3, i * 3 + 3);
  const frame = { width: SIDE, height: SIDE };
  expect(isDarkAround(light, frame, { left: 0, top: 0, width: 28, height: SIDE })).toBe(true);
  expect(isDarkAround(light, frame, { left: 32, top: 0, width: 28, height: SIDE })).toBe(false);
});

describe('a peeled cover', () => {
  it('is never more than it was, and whole where the product is', () => {
    for (const rim of [0, 60, 120, 230, 255]) {
      const square = rimmedSquare(rim);
      const before = square.alpha.slice();
      const peeled = peelEdge(square);
      expect(peeled.every((cover, i) => cover >= 0 && cover <= before[i]!)).toBe(true);
      expect(peeled.every((cover, i) => before[i]! < 1 || cover === 1)).toBe(true);
      expect(square.alpha.every((cover, i) => cover === before[i])).toBe(true);
    }
  });

  it('is the less, the brighter the rim', () => {
    const covers = [60, 110, 160, 210, 255].map((rim) => peelEdge(rimmedSquare(rim))[EDGE]!);
    for (const [n, cover] of covers.entries()) if (n > 0) expect(cover).toBeLessThanOrEqual(covers[n - 1]!);
    expect(covers[4]).toBeLessThan(0.5 * covers[0]!);
  });

  it('has no crumbs: the faintest cover goes, wherever it lies', () => {
    const square = rimmedSquare(60);
    square.alpha[5 * SIDE + 5] = 0.14;
    square.alpha[5 * SIDE + 50] = 0.4;
    const peeled = peelEdge(square);
    expect(peeled[5 * SIDE + 5]).toBe(0);
    expect(peeled[5 * SIDE + 50]).toBeGreaterThan(0.2);
  });

  it.each([
    ['nothing', 0],
    ['a product that fills the picture', 1],
  ])('of %s is as it was', (_, cover) => {
    const size = { width: 9, height: 7 };
    const cut = { ...size, rgb: new Uint8Array(189).fill(200), alpha: new Float32Array(63).fill(cover) };
    expect(new Set(peelEdge(cut))).toEqual(new Set([cover]));
  });
});

it('calls nothing dark where the product lies wholly beside the picture', () => {
  const light = new Float32Array(SIDE * SIDE * 3);
  expect(isDarkAround(light, { width: SIDE, height: SIDE }, { left: 200, top: 0, width: 20, height: 20 })).toBe(false);
  expect(isDarkAround(light, { width: SIDE, height: SIDE }, { left: -10, top: -10, width: 20, height: 20 })).toBe(true);
});
