import { boxBlur, softBlur } from '../pixels/blur.ts';
import type { Plane } from '../pixels/plane.ts';
import type { Planes } from './yuv.ts';

/**
 * Fills the place of the product, where `holes` are above 0, from what surrounds it. Each pixel asks left, right, up
 * and down for the rim and believes the near ones most, and those whose lines point its way: the edges of tables, walls
 * and posts run on behind the product. Texture comes as the mirror image across the nearest of the four rims.
 */
export function fillBackdrop({ y, u, v }: Planes, holes: Planes): Planes {
  const fill = makeFiller(holes.y);
  const fillHalf = makeFiller(holes.u);
  return { y: fill(y), u: fillHalf(u), v: fillHalf(v) };
}

function makeFiller(hole: Plane) {
  const known = { ...hole, data: hole.data.map((value) => (value > 0 ? 0 : 1)) };
  const weights = softBlur(known, GRAIN_SIGMA).data;
  return (plane: Plane): Plane => {
    const ground = findGround(plane.data, known, weights);
    const filled = runOn(ground, findTexture(plane.data, ground, known), known);
    return { ...plane, data: plane.data.map((value, i) => (known.data[i] ? value : filled[i]!)) };
  };
}

const GRAIN_SIGMA = 3; // pixels; what is finer counts as texture

/**
 * The known pixels without their texture: the mean of their known neighbours; `weights` says how many of them are
 * known.
 */
function findGround(plane: Float32Array, known: Plane, weights: Float32Array): Float32Array {
  const seen = softBlur({ ...known, data: plane.map((value, i) => value * known.data[i]!) }, GRAIN_SIGMA).data;
  return plane.map((value, i) => (known.data[i] ? seen[i]! / weights[i]! : value));
}

// times the usual size of the texture round about: more belongs to a line or a thing, and mirrored it would be a scar
const PLAIN = 1.5;

/** What the known pixels have beyond their ground; none of what is unknown. */
function findTexture(plane: Float32Array, ground: Float32Array, known: Plane): Float32Array {
  const size = plane.map((value, i) => known.data[i]! * Math.abs(value - ground[i]!));
  const usual = meanOfKnown(size, known, 4 * GRAIN_SIGMA, 1e-6);
  return plane.map((value, i) => {
    const most = PLAIN * usual[i]!;
    return known.data[i] ? Math.min(most, Math.max(-most, value - ground[i]!)) : 0;
  });
}

/** Mean of what is known within `reach` pixels, of values that are 0 where nothing is; at least `least` counts. */
function meanOfKnown(values: Float32Array, known: Plane, reach: number, least: number): Float32Array {
  const counts = boxBlur(known, reach).data;
  return boxBlur({ ...known, data: values }, reach).data.map((sum, i) => sum / Math.max(least, counts[i]!));
}

const LINE_REACH = 0.02; // of the width: so far from a line the rim still knows of it
const FLAT = 0.12; // levels a pixel: less slope than this is no line
const UPRIGHT_DISTANCE = 1.6; // floors, tables and walls go on sideways more than up and down

/** How much a rim is believed: by the ground's slope along one axis, `step` apart in memory, averaged round about. */
function findLines(ground: Float32Array, known: Plane, step: number): Float32Array {
  const slopes = new Float32Array(ground.length);
  const counted = { ...known, data: new Float32Array(ground.length) };
  for (let i = step; i < ground.length - step; i += 1) {
    if (!known.data[i - step] || !known.data[i] || !known.data[i + step]) continue;
    slopes[i] = Math.abs(ground[i + step]! - ground[i - step]!) / 2;
    counted.data[i] = 1;
  }
  const reach = Math.max(2, Math.round(LINE_REACH * known.width));
  return meanOfKnown(slopes, counted, reach, 0.01).map((slope) => (FLAT + slope) ** 2);
}

/** The ground of the whole plane, and the texture of what is as far before the nearest rim as each place behind it. */
function runOn(ground: Float32Array, texture: Float32Array, plane: Plane): Float32Array {
  const { data: known, width, height } = plane;
  const sums = new Float32Array(ground.length);
  const weights = new Float32Array(ground.length);
  const nearest = new Float32Array(ground.length).fill(Infinity);
  const mirrored = new Float32Array(ground.length);
  const walk = (start: number, step: number, count: number, stride: number, lines: Float32Array) => {
    let rim = -1; // nothing known yet
    for (let n = 0, i = start; n < count; n += 1, i += step) {
      if (known[i]) rim = n;
      else if (rim >= 0) {
        const at = start + rim * step;
        const weight = lines[at]! / (stride * (n - rim)) ** 2;
        sums[i]! += weight * ground[at]!;
        weights[i]! += weight;
        if (n - rim >= nearest[i]!) continue;
        nearest[i] = n - rim;
        const before = 2 * rim - n;
        mirrored[i] = before < 0 ? 0 : texture[start + before * step]!;
      }
    }
  };
  const level = findLines(ground, plane, width); // lines that lie, found by slopes up and down
  for (let y = 0; y < height; y += 1) {
    walk(y * width, 1, width, 1, level);
    walk(y * width + width - 1, -1, width, 1, level);
  }
  const upright = findLines(ground, plane, 1);
  for (let x = 0; x < width; x += 1) {
    walk(x, width, height, UPRIGHT_DISTANCE, upright);
    walk(x + (height - 1) * width, -width, height, UPRIGHT_DISTANCE, upright);
  }
  return ground.map((value, i) => (weights[i] === 0 ? value : sums[i]! / weights[i]! + mirrored[i]!));
}
