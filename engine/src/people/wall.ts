// The wall behind a person or under a garment, as it is known round about: light runs over it, so it is no single colour.
import type { Picture } from '../pixels/decode.ts';
import { toLabPlanes } from '../pixels/lab.ts';
import { resizePlane, softBlur } from '../pixels/planes.ts';
import { fillGaps } from './fill-gaps.ts';

const CELL = 2; // pixels: walls are smooth, and a quarter of the pixels takes a quarter of the time
const WALL_BLUR = 12; // pixels at the working size

/**
 * Lab distance of every pixel from the wall as it is known round about.
 * @param wall 1 where a pixel surely is wall
 * @param shade Lab lightness that a shadow may take from the wall without counting
 */
export function measureUnlikeWall(
  picture: Picture,
  wall: Uint8Array,
  shade = 0,
  lab = toLabPlanes(picture),
): Float32Array {
  const { width, height } = picture;
  const [l, a, b] = [lab.l, lab.a, lab.b].map((plane) => {
    const { cells, columns, rows } = fillCells(plane, wall, width, height, WALL_BLUR);
    return resizePlane(cells, columns, rows, width, height); // not evened out: gaps under arms are told by small steps
  }) as [Float32Array, Float32Array, Float32Array];
  return lab.l.map((light, i) => {
    const step = light - l[i]!;
    const lighting = step < 0 ? Math.min(0, step + shade) : step;
    return Math.hypot(lighting, lab.a[i]! - a[i]!, lab.b[i]! - b[i]!);
  });
}

/**
 * A smooth plane through what is known of another, run on over what is not.
 * @param known 1 where the plane's values count
 * @param blur sigma in pixels
 */
export function spreadKnown(
  plane: Float32Array,
  known: Uint8Array,
  width: number,
  height: number,
  blur: number,
): Float32Array {
  const { cells, columns, rows } = fillCells(plane, known, width, height, blur);
  return resizePlane(softBlur(cells, columns, rows, EVEN / CELL), columns, rows, width, height);
}

const EVEN = 4; // pixels: what push-pull leaves of its squares

function fillCells(plane: Float32Array, known: Uint8Array, width: number, height: number, blur: number) {
  const columns = Math.ceil(width / CELL);
  const rows = Math.ceil(height / CELL);
  const sums = new Float32Array(columns * rows);
  const counts = new Float32Array(columns * rows);
  for (let y = 0; y < height; y += 1) {
    const row = Math.floor(y / CELL) * columns;
    for (let x = 0; x < width; x += 1) {
      if (!known[y * width + x]) continue;
      const at = row + Math.floor(x / CELL);
      sums[at]! += plane[y * width + x]!;
      counts[at]! += 1;
    }
  }
  const near = softBlur(sums, columns, rows, blur / CELL);
  const weight = softBlur(counts, columns, rows, blur / CELL);
  for (let i = 0; i < near.length; i += 1) near[i]! /= Math.max(1e-4, weight[i]!);
  const sure = weight.map((count) => Math.min(1, (4 * count) / (CELL * CELL)));
  return { cells: fillGaps(near, sure, columns, rows), columns, rows };
}
