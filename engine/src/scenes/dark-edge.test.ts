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
