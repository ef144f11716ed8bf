import { expect, it } from 'vitest';
import { toLabPlanes } from '../pixels/lab.ts';
import { makeRandom } from '../pixels/random.ts';
import { learnBackdrop } from './background.ts';
import { measureLeftOut, measureUnlikeBorder } from './left-out.ts';

const SIDE = 160;

/** 1 in a square about the middle of the picture. */
function square(half: number): Uint8Array {
  return Uint8Array.from({ length: SIDE * SIDE }, (_, i) => {
    const [x, y] = [(i % SIDE) - SIDE / 2, Math.floor(i / SIDE) - SIDE / 2];
    return Math.max(Math.abs(x), Math.abs(y)) < half ? 1 : 0;
  });
}

function measure(mask: Uint8Array, paint: (i: number) => readonly [number, number, number]): number {
  const rgb = Uint8Array.from({ length: SIDE * SIDE * 3 }, (_, n) => paint(Math.floor(n / 3))[n % 3]!);
  const lab = toLabPlanes({ width: SIDE, height: SIDE, rgb });
  return measureLeftOut(mask, measureUnlikeBorder(lab, learnBackdrop(lab, SIDE, SIDE)), SIDE, SIDE);
}

it('tells a label from the bottle that it is on', () => {
  const [label, bottle, random] = [square(14), square(40), makeRandom(5)];
  const grain = Uint8Array.from({ length: SIDE * SIDE }, () => 90 + 60 * random());
  const paint = (i: number): [number, number, number] => {
    if (label[i]) return [240, 236, 226];
    return bottle[i] ? [150, 74, 20] : [grain[i]!, grain[i]!, grain[i]!];
  };
  expect(measure(label, paint)).toBeGreaterThan(1.5);
  expect(measure(bottle, paint)).toBeLessThan(0.05);
});

it('does not miss the shadow of the product', () => {
  const [product, shade] = [square(24), square(38)];
  const paint = (i: number): [number, number, number] => {
    if (product[i]) return [30, 90, 160];
    return shade[i] ? [150, 141, 130] : [200, 189, 174];
  };
  expect(measure(product, paint)).toBeLessThan(0.05);
});
