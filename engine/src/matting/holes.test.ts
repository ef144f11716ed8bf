import { describe, expect, it } from 'vitest';
import { toLabPlanes } from '../pixels/lab.ts';
import { makeRandom } from '../pixels/random.ts';
import { closeStrangeHoles } from './holes.ts';
import { countOnes } from './regions.ts';

const SIDE = 200;
const reach = (i: number) => Math.hypot((i % SIDE) - SIDE / 2, Math.floor(i / SIDE) - SIDE / 2);

/** A red ring on brown wood; answers whether what is inside it was taken for product. */
function isClosed(inside: readonly [number, number, number], radius = 14): boolean {
  const random = makeRandom(2);
  const mask = Uint8Array.from({ length: SIDE * SIDE }, (_, i) => Number(reach(i) < 50 && reach(i) >= radius));
  const rgb = new Uint8Array(SIDE * SIDE * 3);
  for (let i = 0; i < mask.length; i += 1) {
    const light = 0.92 + 0.16 * random();
    const colour = reach(i) < radius ? inside : mask[i] ? [190, 40, 24] : [128, 74, 40];
    for (let c = 0; c < 3; c += 1) rgb[i * 3 + c] = Math.round(colour[c]! * light);
  }
  const closed = closeStrangeHoles(mask, toLabPlanes({ width: SIDE, height: SIDE, rgb }), SIDE, SIDE);
  return countOnes(closed) > countOnes(mask);
}

describe('a hole in the product', () => {
  it('stays open where the background is seen through it, in the light and in the shade', () => {
    expect(isClosed([128, 74, 40])).toBe(false);
    expect(isClosed([96, 54, 28])).toBe(false);
  });

  it('is closed where it has another colour', () => {
    expect(isClosed([92, 20, 14])).toBe(true);
  });

  it('stays open where it is as large as the space under a strap', () => {
    expect(isClosed([92, 20, 14], 36)).toBe(false);
  });
});
