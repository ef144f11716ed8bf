import { expect, it } from 'vitest';
import { makeRandom } from '../pixels/random.ts';
import { isLyingFlat } from './lying-flat.ts';

const SIDE = 256;
const SIZE = { width: SIDE, height: SIDE };
const random = makeRandom(3);
type Ground = (x: number, y: number) => number;

/** A grey ground with an object where `isThing` is true; x and y are relative to the centre. */
function isLying(ground: Ground, isThing: (x: number, y: number) => boolean) {
  const rgb = new Uint8Array(3 * SIDE * SIDE);
  const alpha = new Uint8Array(SIDE * SIDE);
  for (let i = 0; i < alpha.length; i += 1) {
    const [x, y] = [i % SIDE, Math.floor(i / SIDE)];
    alpha[i] = isThing(x - SIDE / 2, y - SIDE / 2) ? 255 : 0;
    rgb.fill(ground(x, y), 3 * i, 3 * i + 3);
  }
  return isLyingFlat({ ...SIZE, small: { ...SIZE, data: rgb }, alpha });
}

const carpet: Ground = () => 140 + 24 * (random() - 0.5);
const shirt = (x: number, y: number) => Math.abs(x) < (y < -40 ? 90 : 60) && Math.abs(y) < 90;
const bottle = (x: number, y: number) => Math.abs(x) < 22 && Math.abs(y) < 100;

it('a product lies flat if a carpet continues all around it', async () => {
  for (const shape of [shirt, bottle]) expect(await isLying(carpet, shape)).toBe(true);
});

it.each<[string, Ground]>([
  ['on a smooth sweep', () => 200],
  ['on a table before a wall', (x, y) => (y < 150 ? 210 : carpet(x, y))],
  ['on a dark floor before a bright wall', (x, y) => carpet(x, y) + (y < 150 ? 90 : -60)],
])('a product is not known to lie flat %s', async (_, ground) => {
  expect(await isLying(ground, shirt)).toBe(false);
});

it('a product is not known to lie flat if no background is visible', async () => {
  expect(await isLying(carpet, () => true)).toBe(false);
});
