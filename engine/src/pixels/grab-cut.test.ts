import { expect, it } from 'vitest';
import { grabCut, SEED, type Seeds } from './grab-cut.ts';
import { overlap } from './mask.ts';
import { makeMask, type Mask, type Rgb } from './plane.ts';
import { makeRandom } from './random.ts';

const SIZE = { width: 90, height: 70 };

/** A disc of two colours before a wall of two, all with grain. */
function makeDisc(grain: number): { picture: Rgb; truth: Mask } {
  const random = makeRandom(7);
  const truth = makeMask(SIZE);
  const data = new Uint8Array(truth.data.length * 3);
  for (let i = 0; i < truth.data.length; i += 1) {
    const [x, y] = [i % SIZE.width, Math.floor(i / SIZE.width)];
    truth.data[i] = Math.hypot(x - 45, y - 35) < 22 ? 1 : 0;
    const front = x < 45 ? [180, 60, 50] : [70, 60, 160];
    const back = y < 40 ? [150, 150, 140] : [90, 130, 80];
    const colour = truth.data[i] ? front : back;
    for (let c = 0; c < 3; c += 1) data[i * 3 + c] = colour[c]! + grain * (random() + random() - 1);
  }
  return { picture: { ...SIZE, data }, truth };
}

function seedBox(): Seeds {
  const seeds = makeMask(SIZE);
  for (let i = 0; i < seeds.data.length; i += 1) {
    const [x, y] = [i % SIZE.width, Math.floor(i / SIZE.width)];
    if (x > 18 && x < 72 && y > 8 && y < 62) seeds.data[i] = SEED.probablyForeground;
  }
  return seeds;
}

it('finds what differs from its surroundings inside a rough box', () => {
  const { picture, truth } = makeDisc(40);
  expect(overlap(grabCut(picture, seedBox(), 3), truth)).toBeGreaterThan(0.98);
});

it('leaves sure pixels as they are, whatever their colour', () => {
  const { picture } = makeDisc(20);
  const seeds = seedBox();
  const [wall, disc] = [20 * SIZE.width + 22, 35 * SIZE.width + 45];
  seeds.data[wall] = SEED.foreground;
  seeds.data[disc] = SEED.background;
  const mask = grabCut(picture, seeds, 2);
  expect(mask.data[wall]).toBe(1);
  expect(mask.data[disc]).toBe(0);
});

it('gives the seeds back when there is nothing to learn one side from', () => {
  const { picture } = makeDisc(20);
  const seeds = { ...SIZE, data: new Uint8Array(SIZE.width * SIZE.height).fill(SEED.probablyForeground) };
  expect(grabCut(picture, seeds, 2).data).toEqual(new Uint8Array(seeds.data.length).fill(1));
});

it('copes with flat colours, and gives the same answer twice', () => {
  const { picture, truth } = makeDisc(0);
  const first = grabCut(picture, seedBox(), 2);
  expect(overlap(first, truth)).toBeGreaterThan(0.99);
  expect(grabCut(picture, seedBox(), 2).data).toEqual(first.data);
});
