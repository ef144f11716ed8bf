import { describe, expect, it } from 'vitest';
import { drawRgb } from '../../test/draw.ts';
import { grabCut, linkNeighbours, SEED, type Seeds } from './grab-cut.ts';
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

it('finds the same in a mirror, and in a picture with its colours changed round', () => {
  const { picture } = makeDisc(20);
  const seeds = seedBox();
  const own = grabCut(picture, seeds, 2);
  const mirror = <T extends { data: Uint8Array }>(part: T, channels: number): T => ({
    ...part,
    data: part.data.map((_, n) => {
      const [i, c] = [Math.floor(n / channels), n % channels];
      const x = i % SIZE.width;
      return part.data[(i - x + SIZE.width - 1 - x) * channels + c]!;
    }),
  });
  expect(overlap(mirror(grabCut(mirror(picture, 3), mirror(seeds, 1), 2), 1), own)).toBeGreaterThan(0.98);
  const turned = { ...picture, data: picture.data.map((_, n) => picture.data[n - (n % 3) + ((n + 1) % 3)]!) };
  expect(overlap(grabCut(turned, seeds, 2), own)).toBeGreaterThan(0.98);
});

it('leaves the picture and the seeds as they were', () => {
  const { picture } = makeDisc(20);
  const seeds = seedBox();
  const before = [picture.data.slice(), seeds.data.slice()];
  grabCut(picture, seeds, 1);
  expect([picture.data, seeds.data]).toEqual(before);
});

describe('links between neighbours', () => {
  const size = { width: 6, height: 5 };
  const STEPS = [
    [1, 0],
    [0, 1],
    [1, 1],
    [-1, 1],
  ] as const;
  const linkOf = (links: Float32Array[], n: number, x: number, y: number) => links[2 * n]![y * size.width + x]!;
  const isInside = (x: number, y: number) => x >= 0 && y >= 0 && x < size.width && y < size.height;
  const edge = drawRgb(size, (x) => (x < 3 ? [200, 60, 60] : [60, 60, 200]));

  it('are as dear there as back, and none lead out of the picture', () => {
    const links = linkNeighbours(edge, 50);
    for (const [n, [dx, dy]] of STEPS.entries()) {
      for (let y = 0; y < size.height; y += 1) {
        for (let x = 0; x < size.width; x += 1) {
          const there = linkOf(links, n, x, y);
          if (!isInside(x + dx, y + dy)) expect(there).toBe(0);
          else expect(links[2 * n + 1]![(y + dy) * size.width + x + dx]).toBe(there);
        }
      }
    }
  });

  it('cost all where both have one colour, less the farther apart they lie, and little across an edge', () => {
    const links = linkNeighbours(edge, 50);
    expect(linkOf(links, 0, 0, 2)).toBeCloseTo(50, 4);
    expect(linkOf(links, 2, 0, 2)).toBeCloseTo(50 / Math.SQRT2, 4);
    expect(linkOf(links, 0, 2, 2)).toBeLessThan(10);
  });

  it('are made only where they are asked for', () => {
    const links = linkNeighbours(edge, 50, (i) => i % size.width === 1);
    expect(linkOf(links, 0, 1, 1)).toBeGreaterThan(0);
    expect(linkOf(links, 0, 0, 1)).toBe(0);
  });

  it('are numbers in a picture of one colour', () => {
    const flat = linkNeighbours(
      drawRgb(size, () => [9, 9, 9]),
      50,
    );
    expect(linkOf(flat, 0, 1, 1)).toBe(50);
    for (const plane of flat) expect(plane.every(Number.isFinite)).toBe(true);
  });
});
