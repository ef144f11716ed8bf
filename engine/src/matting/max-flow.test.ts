import { describe, expect, it } from 'vitest';
import { makeRandom } from '../pixels/random.ts';
import { cutGrid, type FlowGrid } from './max-flow.ts';

const WIDTH = 4;
const HEIGHT = 3;
const SIZE = WIDTH * HEIGHT;

function randomGrid(seed: number): FlowGrid {
  const random = makeRandom(seed);
  const links = [0, 1, 2, 3].map(() => new Float32Array(SIZE)) as FlowGrid['links'];
  for (let i = 0; i < SIZE; i += 1) {
    if (i % WIDTH < WIDTH - 1) links[0][i] = links[1][i + 1] = random();
    if (i + WIDTH < SIZE) links[2][i] = links[3][i + WIDTH] = random();
  }
  const pull = Float32Array.from({ length: SIZE }, () => (random() < 0.3 ? 0 : 3 * (random() - 0.5)));
  return { width: WIDTH, height: HEIGHT, links, pull };
}

/** What a division costs: the links it cuts and the pulls it goes against. */
function priceOf({ links, pull }: FlowGrid, mask: ArrayLike<number>): number {
  let price = 0;
  for (let i = 0; i < SIZE; i += 1) {
    if (mask[i] ? pull[i]! < 0 : pull[i]! > 0) price += Math.abs(pull[i]!);
    if (i % WIDTH < WIDTH - 1 && mask[i] !== mask[i + 1]) price += links[0][i]!;
    if (i + WIDTH < SIZE && mask[i] !== mask[i + WIDTH]) price += links[2][i]!;
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
  it('is the cheapest of all divisions', () => {
    for (let seed = 1; seed <= 40; seed += 1) {
      const grid = randomGrid(seed);
      const least = cheapestPrice(grid);
      const copy = { ...grid, links: grid.links.map((plane) => plane.slice()) as FlowGrid['links'] };
      const mask = cutGrid({ ...copy, pull: grid.pull.slice() });
      expect(priceOf(grid, mask)).toBeCloseTo(least, 3);
    }
  });

  it('does not reach round the end of a row', () => {
    const grid = randomGrid(1);
    for (const plane of grid.links) plane.fill(0);
    grid.pull.fill(-0.1);
    grid.pull[WIDTH - 1] = 5;
    expect([...cutGrid(grid)]).toEqual(Array.from({ length: SIZE }, (_, i) => (i === WIDTH - 1 ? 1 : 0)));
  });
});
