import { softBlur } from './blur.ts';
import { makePlane, mapFloats, type Mask, type Plane } from './plane.ts';
import { resizePlane } from './sample.ts';

const CELL = 2; // pixels: smooth planes are computed at half the resolution

/**
 * Fills gaps in a plane smoothly from their surroundings by a pyramid of weighted means (push-pull, Gortler et al.
 * 1996). Gaps may be of any size; the time is proportional to the picture.
 * @param plane values are ignored where `weight` is 0
 * @param weight 0..1, the confidence of each value; of the plane's size
 * @returns a new plane that equals the old where weight is 1
 */
export function fillGaps(plane: Plane, weight: Plane): Plane {
  const { width, height } = plane;
  if (width <= 1 && height <= 1) return { ...plane, data: plane.data.slice() };
  const { sums, weights } = sumSquares(plane, weight);
  for (let i = 0; i < sums.data.length; i += 1) if (weights.data[i]! > 0) sums.data[i]! /= weights.data[i]!;
  const coarse = fillGaps(sums, { ...weights, data: weights.data.map((known) => Math.min(1, known)) });
  return mixFromCoarse(plane, weight, coarse);
}

/** Weights and weighted values per square of CELL pixels. */
function sumSquares({ data, width, height }: Plane, weight: Pick<Mask | Plane, 'data'>) {
  const cells = { width: Math.ceil(width / CELL), height: Math.ceil(height / CELL) };
  const [sums, weights] = [makePlane(cells), makePlane(cells)];
  for (let y = 0; y < height; y += 1) {
    for (let x = 0; x < width; x += 1) {
      const known = weight.data[y * width + x]!;
      const at = (y >> 1) * cells.width + (x >> 1);
      sums.data[at]! += known * data[y * width + x]!;
      weights.data[at]! += known;
    }
  }
  return { sums, weights };
}

/** Mixes known values with those of the coarser level, which is exactly doubled: odd sides must not shift it. */
function mixFromCoarse(plane: Plane, weight: Plane, coarse: Plane): Plane {
  const { width, height } = plane;
  const doubled = resizePlane(coarse, { width: CELL * coarse.width, height: CELL * coarse.height });
  const data = mapFloats(weight.data, (known, i) => {
    const x = i % width;
    const around = doubled.data[((i - x) / width) * doubled.width + x]!;
    if (known >= 1) return plane.data[i]!;
    return known === 0 ? around : known * plane.data[i]! + (1 - known) * around;
  });
  return { width, height, data };
}

/**
 * Extrapolates the known values of a plane smoothly over the unknown ones.
 * @param known 1 where the plane's values are known
 * @param blur sigma in pixels
 */
export function spreadKnown(plane: Plane, known: Mask, blur: number): Plane {
  return resizePlane(softBlur(fillCells(plane, known, blur), EVEN / CELL), plane);
}

const EVEN = 4; // pixels: blur that hides the squares of push-pull

/** Mean of the known values per square of CELL pixels. */
function fillCells(plane: Plane, known: Mask, blur: number): Plane {
  const { sums, weights } = sumSquares(plane, known);
  const near = softBlur(sums, blur / CELL);
  const weight = softBlur(weights, blur / CELL);
  for (let i = 0; i < near.data.length; i += 1) near.data[i]! /= Math.max(1e-4, weight.data[i]!);
  const sure = weight.data.map((count) => Math.min(1, (4 * count) / (CELL * CELL)));
  return fillGaps(near, { ...weight, data: sure });
}
