import { lineOf, type Side, SIDES, whole } from './border.ts';
import { type Grid, listIslands } from './cells.ts';
import type { Box, Raster } from './opened.ts';

/** Of the largest, in squares: what is smaller is a part of it, a crumb, or a letter beside it. */
const LEAST_MAIN = 0.2;

/** 1 for the product's squares, which are not 0 in `cells`, without what is small beside it. */
export function findMain(cells: Uint8Array, grid: Squares): Uint8Array {
  const islands = listIslands(cells, grid);
  const most = islands.reduce((found, { length }) => Math.max(found, length), 0);
  const main = new Uint8Array(cells.length);
  for (const island of islands) if (island.length >= LEAST_MAIN * most) for (const cell of island) main[cell] = 1;
  return main;
}

type Squares = Pick<Grid, 'columns' | 'rows' | 'at'>;

/** What a picture shows of its product: how many things stand apart, and whether the frame cuts one off. */

/** Things of about one size and colour are a pair or a set: one product. */
const LIKE_SIZE = 0.6;
const LIKE_COLOUR = 40;
/** Of the product's extent along a side of the frame: so much of it lies on that side where it is cut off. */
const CUT = 0.08;
// Of 255.
const HALF_SEEN = 128;
/** In pixels: every so many in a row, and of the rows, are enough for a mean colour. */
const SAMPLE_PX = 4;

/** @param cells 1 for every square of the product. @returns things that are neither parts nor a pair */
export function countThings(picture: Raster, cells: Uint8Array, grid: Squares): number {
  const things = listIslands(cells, grid);
  const colours = meanColours(picture, things, grid);
  const kinds: number[] = [];
  for (const [n, thing] of things.entries()) {
    const isLike = (kind: number) => {
      const sizes = [thing.length, things[kind]?.length ?? 0];
      const apart = [0, 1, 2].map((c) => Math.abs((colours[n]?.[c] ?? 0) - (colours[kind]?.[c] ?? 0)));
      return Math.min(...sizes) >= LIKE_SIZE * Math.max(...sizes) && Math.max(...apart) <= LIKE_COLOUR;
    };
    if (!kinds.some(isLike)) kinds.push(n);
  }
  return kinds.length;
}

function meanColours({ data, width, height, channels }: Raster, things: number[][], grid: Squares) {
  const thingOf = new Int32Array(grid.columns * grid.rows).fill(-1);
  things.forEach((cells, n) => cells.forEach((cell) => (thingOf[cell] = n)));
  const sums = things.map(() => [0, 0, 0, 0]);
  for (let y = 0; y < height; y += SAMPLE_PX) {
    for (let x = 0; x < width; x += SAMPLE_PX) {
      const sum = sums[thingOf[grid.at(x, y)] ?? -1];
      if (sum === undefined) continue;
      const from = (y * width + x) * channels;
      for (let c = 0; c < 3; c += 1) sum[c] = (sum[c] ?? 0) + (data[from + c] ?? 0);
      sum[3] = (sum[3] ?? 0) + 1;
    }
  }
  return sums.map((sum) => sum.map((value) => value / Math.max(1, sum[3] ?? 1)));
}

/** The sides of the frame that the product lies on, and does not only touch. @param shown above 0 where it is */
export function findCutSides(shown: Raster, box: Box): Side[] {
  return SIDES.filter((side) => {
    const { start, step, length } = lineOf(shown, whole(shown), side, 0);
    let reached = 0;
    for (let n = 0, at = start; n < length; n += 1, at += step) if ((shown.data[at] ?? 0) >= HALF_SEEN) reached += 1;
    return reached >= CUT * (side === 'left' || side === 'right' ? box.height : box.width);
  });
}
