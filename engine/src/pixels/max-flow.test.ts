import { describe, expect, it } from 'vitest';
import { cutGrid, type FlowGrid } from './max-flow.ts';
import { makeRandom } from './random.ts';

const WIDTH = 4;
const HEIGHT = 3;
const SIZE = WIDTH * HEIGHT;
const STEPS = [
  { dx: 1, dy: 0 },
  { dx: 0, dy: 1 },
  { dx: 1, dy: 1 },
  { dx: -1, dy: 1 },
];

/** The pixel that lies in the direction, when it lies inside. */
function findNeighbour(i: number, { dx, dy }: { dx: number; dy: number }): number | undefined {
  const [x, y] = [(i % WIDTH) + dx, Math.floor(i / WIDTH) + dy];
  return x >= 0 && x < WIDTH && y < HEIGHT ? y * WIDTH + x : undefined;
}

function randomGrid(seed: number, neighbours: 4 | 8): FlowGrid {
  const random = makeRandom(seed);
  const links = Array.from({ length: neighbours }, () => new Float32Array(SIZE));
  for (let d = 0; d < neighbours / 2; d += 1) {
    for (let i = 0; i < SIZE; i += 1) {
      const j = findNeighbour(i, STEPS[d]!);
      if (j !== undefined) links[2 * d]![i] = links[2 * d + 1]![j] = random();
    }
  }
  const pull = Float32Array.from({ length: SIZE }, () => (random() < 0.3 ? 0 : 3 * (random() - 0.5)));
  return { width: WIDTH, height: HEIGHT, links, pull };
}

/** What a division costs: the links it cuts and the pulls it goes against. */
function priceOf({ links, pull }: FlowGrid, mask: ArrayLike<number>): number {
  let price = 0;
  for (let i = 0; i < SIZE; i += 1) {
    if (mask[i] ? pull[i]! < 0 : pull[i]! > 0) price += Math.abs(pull[i]!);
    for (let d = 0; d < links.length / 2; d += 1) {
      const j = findNeighbour(i, STEPS[d]!);
      if (j !== undefined && mask[i] !== mask[j]) price += links[2 * d]![i]!;
    }
  }
  return price;
}

function cheapestPrice(grid: FlowGrid): number {
  let least = Infinity;
  const mask = new Uint8Array(SIZE);
  for (let choice = 0; choice < 2 ** SIZE; choice += 1) {
    for (let i = 0; i < SIZE; i += 1) mask[i] = (choice >> i) & 1;
    least = Math.min(least, priceOf(grid, mask));
  }
  return least;
}

describe('the minimum cut', () => {
  it.each([4, 8] as const)('is the cheapest of all divisions between %i neighbours', (neighbours) => {
    for (let seed = 1; seed <= 25; seed += 1) {
      const grid = randomGrid(seed, neighbours);
      const least = cheapestPrice(grid);
      const links = grid.links.map((plane) => plane.slice());
      const mask = cutGrid({ ...grid, links, pull: grid.pull.slice() });
      expect(priceOf(grid, mask.data)).toBeCloseTo(least, 3);
    }
  });

  it('does not reach round the end of a row', () => {
    const grid = randomGrid(1, 8);
    for (const plane of grid.links) plane.fill(0);
    grid.pull.fill(-0.1);
    grid.pull[WIDTH - 1] = 5;
    expect([...cutGrid(grid).data]).toEqual(Array.from({ length: SIZE }, (_, i) => (i === WIDTH - 1 ? 1 : 0)));
  });

  it('without links is what each pixel is pulled to', () => {
    const grid = randomGrid(5, 4);
    for (const plane of grid.links) plane.fill(0);
    const pull = grid.pull.slice();
    const { data } = cutGrid(grid);
    for (const [i, value] of data.entries()) if (pull[i] !== 0) expect(value).toBe(pull[i]! > 0 ? 1 : 0);
  });

  it('with links that are dearer than all pulls is one side for all, that of the stronger pull', () => {
    for (const sign of [-1, 1]) {
      const grid = randomGrid(3, 8);
      for (const plane of grid.links) for (const [i, link] of plane.entries()) plane[i] = link > 0 ? 1000 : 0;
      grid.pull.fill(-0.1 * sign);
      grid.pull[5] = 8 * sign;
      expect(new Set(cutGrid(grid).data)).toEqual(new Set([sign > 0 ? 1 : 0]));
    }
  });

  it('is the same when all capacities are a hundred times as large', () => {
    for (let seed = 1; seed < 12; seed += 1) {
      const [own, large] = [randomGrid(seed, 8), randomGrid(seed, 8)];
      for (const plane of [...large.links, large.pull])
        for (const [i, value] of plane.entries()) plane[i] = 100 * value;
      const prices = [own, large].map((grid) => {
        const links = grid.links.map((plane) => plane.slice());
        return priceOf(grid, cutGrid({ ...grid, links, pull: grid.pull.slice() }).data);
      });
      expect(prices[1]! / 100).toBeCloseTo(prices[0]!, 2);
    }
  });

  it('of one pixel is its own pull', () => {
    const links = Array.from({ length: 8 }, () => new Float32Array(1));
    for (const pull of [-1, 1]) {
      const grid = { width: 1, height: 1, links, pull: Float32Array.of(pull) };
      expect([...cutGrid(grid).data]).toEqual([pull > 0 ? 1 : 0]);
    }
  });
});
