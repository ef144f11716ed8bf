/**
 * The wall behind a person or under a garment, as it is known round about: light runs over it, so it is no single
 * colour.
 */
import { softBlur } from '../pixels/blur.ts';
import { toLabPlanes } from '../pixels/colour.ts';
import { makePlane, type Mask, type Plane, type Rgb } from '../pixels/plane.ts';
import { resizePlane } from '../pixels/resize.ts';
import { fillGaps } from './fill-gaps.ts';

const CELL = 2; // pixels: walls are smooth, and a quarter of the pixels takes a quarter of the time
const WALL_BLUR = 12; // pixels at the working size

/**
 * Lab distance of every pixel from the wall as it is known round about.
 * @param wall 1 where a pixel surely is wall
 * @param shade Lab lightness that a shadow may take from the wall without counting
 */
export function measureUnlikeWall(picture: Rgb, wall: Mask, shade = 0): Plane {
  const { width, height } = picture;
  const lab = toLabPlanes(picture);
  // not evened out: gaps under arms are told by small steps
  const spread = (data: Float32Array) => resizePlane(fillCells({ width, height, data }, wall, WALL_BLUR), picture).data;
  const [l, a, b] = [spread(lab.l), spread(lab.a), spread(lab.b)];
  const data = lab.l.map((light, i) => {
    const step = light - l[i]!;
    const lighting = step < 0 ? Math.min(0, step + shade) : step;
    return Math.hypot(lighting, lab.a[i]! - a[i]!, lab.b[i]! - b[i]!);
  });
  return { width, height, data };
}

/**
 * A smooth plane through what is known of another, run on over what is not.
 * @param known 1 where the plane's values count
 * @param blur sigma in pixels
 */
export function spreadKnown(plane: Plane, known: Mask, blur: number): Plane {
  return resizePlane(softBlur(fillCells(plane, known, blur), EVEN / CELL), plane);
}

const EVEN = 4; // pixels: what push-pull leaves of its squares

/** Means of what is known, a value for every square of CELL pixels. */
function fillCells({ data, width, height }: Plane, known: Mask, blur: number): Plane {
  const cells = { width: Math.ceil(width / CELL), height: Math.ceil(height / CELL) };
  const sums = makePlane(cells);
  const counts = makePlane(cells);
  for (let y = 0; y < height; y += 1) {
    const row = Math.floor(y / CELL) * cells.width;
    for (let x = 0; x < width; x += 1) {
      if (!known.data[y * width + x]) continue;
      const at = row + Math.floor(x / CELL);
      sums.data[at]! += data[y * width + x]!;
      counts.data[at]! += 1;
    }
  }
  const near = softBlur(sums, blur / CELL);
  const weight = softBlur(counts, blur / CELL);
  for (let i = 0; i < near.data.length; i += 1) near.data[i]! /= Math.max(1e-4, weight.data[i]!);
  const sure = weight.data.map((count) => Math.min(1, (4 * count) / (CELL * CELL)));
  return fillGaps(near, { ...weight, data: sure });
}
