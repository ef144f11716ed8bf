import { lineOf, type Side, SIDES, wholeBox } from './border.ts';
import { type Grid, listIslands } from './cells.ts';
import type { Box, Raster } from './raster.ts';

/** Of the largest region, in cells: smaller ones are parts, crumbs or letters. */
const MIN_MAIN_SHARE = 0.2;

/** Marks the product's cells without small regions. @param cells not 0 on the product */
export function markMain(cells: Uint8Array, grid: CellGrid): Uint8Array {
  const islands = listIslands(cells, grid);
  const largest = islands.reduce((largestYet, { length }) => Math.max(largestYet, length), 0);
  const mainCells = new Uint8Array(cells.length);
  for (const island of islands)
    if (island.length >= MIN_MAIN_SHARE * largest) for (const cell of island) mainCells[cell] = 1;
  return mainCells;
}

type CellGrid = Pick<Grid, 'columns' | 'rows' | 'at'>;

/** Counts separate objects and detects whether the frame cuts one off. */

/** Objects of similar size and colour are a pair or a set: one product. */
const SIMILAR_SIZE = 0.6;
const SIMILAR_COLOUR = 40;
/** Least share of the product's extent that lies on the frame's side if it is cut off there. */
const MIN_CUT_SHARE = 0.08;
// Of 255: half transparent.
const HALF_OPAQUE = 128;
/** Sampling distance in pixels for a mean colour. */
const SAMPLE_PX = 4;

/** Counts objects of different kinds. @param cells 1 for every cell of the product */
export function countObjects(picture: Raster, cells: Uint8Array, grid: CellGrid): number {
  const objects = listIslands(cells, grid);
  const colours = meanColours(picture, objects, grid);
  const kinds: number[] = [];
  for (const [n, object] of objects.entries()) {
    const isSimilar = (kind: number) => {
      const sizes = [object.length, objects[kind]?.length ?? 0];
      const differences = [0, 1, 2].map((c) => Math.abs((colours[n]?.[c] ?? 0) - (colours[kind]?.[c] ?? 0)));
      return Math.min(...sizes) >= SIMILAR_SIZE * Math.max(...sizes) && Math.max(...differences) <= SIMILAR_COLOUR;
    };
    if (!kinds.some(isSimilar)) kinds.push(n);
  }
  return kinds.length;
}

function meanColours({ data, width, height, channels }: Raster, objects: number[][], grid: CellGrid) {
  const objectOf = new Int32Array(grid.columns * grid.rows).fill(-1);
  objects.forEach((cells, n) => cells.forEach((cell) => (objectOf[cell] = n)));
  const sums = objects.map(() => [0, 0, 0, 0]);
  for (let y = 0; y < height; y += SAMPLE_PX) {
    for (let x = 0; x < width; x += SAMPLE_PX) {
      const sum = sums[objectOf[grid.at(x, y)] ?? -1];
      if (sum === undefined) continue;
      const from = (y * width + x) * channels;
      for (let c = 0; c < 3; c += 1) sum[c] = (sum[c] ?? 0) + (data[from + c] ?? 0);
      sum[3] = (sum[3] ?? 0) + 1;
    }
  }
  return sums.map((sum) => sum.map((value) => value / Math.max(1, sum[3] ?? 1)));
}

/** The sides of the frame that cut the product off rather than only touch it. @param shown above 0 on the product */
export function findCutSides(shown: Raster, box: Box): Side[] {
  return SIDES.filter((side) => {
    const { start, step, length } = lineOf(shown, wholeBox(shown), side, 0);
    let reached = 0;
    for (let n = 0, at = start; n < length; n += 1, at += step) if ((shown.data[at] ?? 0) >= HALF_OPAQUE) reached += 1;
    return reached >= MIN_CUT_SHARE * (side === 'left' || side === 'right' ? box.height : box.width);
  });
}
