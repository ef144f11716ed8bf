import { boxBlur, softBlur } from '../pixels/blur.ts';
import { halve, type Yuv } from './yuv.ts';

/**
 * Fills the place of the product, where `hole` is above 0, from what surrounds it. Each pixel asks left, right, up and
 * down for the rim and believes the near ones most, and those whose lines point its way: the edges of tables, walls and
 * posts run on behind the product. Texture comes as the mirror image across the rim.
 */
export function fillBackdrop({ width, height, y, u, v }: Yuv, hole: Float32Array): Yuv {
  const half = halve(hole, width, height);
  const rims = findRims(half, width / 2, height / 2);
  const fill = makeFiller(hole, width, height, { rims, step: 2 });
  const fillHalf = makeFiller(half, width / 2, height / 2, { rims, step: 1 });
  return { width, height, y: fill(y), u: fillHalf(u), v: fillHalf(v) };
}

/** For the unknown pixels of a grid, known ones that are near them; `step` pixels of the plane make one of the grid. */
type RimGrid = {
  rims: Int32Array;
  step: number;
};

function makeFiller(hole: Float32Array, width: number, height: number, { rims, step }: RimGrid) {
  const known = hole.map((value) => (value > 0 ? 0 : 1));
  const weights = softBlur({ data: known, width, height }, GRAIN_SIGMA).data;
  return (plane: Float32Array): Float32Array => {
    const ground = findGround(plane, known, weights, width, height);
    const filled = runOn(ground, known, width, height);
    const out = plane.map((value, i) => (known[i] ? value : filled[i]!));
    const texture = findTexture(plane, ground, known, width, height);
    for (let i = 0; i < out.length; i += 1) {
      if (known[i]) continue;
      const column = i % width;
      const row = (i - column) / width;
      const rim = rims[Math.floor(row / step) * (width / step) + Math.floor(column / step)]!;
      if (rim < 0) continue;
      const x = mirrorAt(step * (rim % (width / step)), step, column);
      const y = mirrorAt(step * Math.floor(rim / (width / step)), step, row);
      if (x < 0 || y < 0 || x >= width || y >= height) continue;
      out[i]! += texture[y * width + x]!;
    }
    return out;
  };
}

// times the usual size of the texture round about: more belongs to a line or a thing, and mirrored it would be a scar
const PLAIN = 1.5;

/** What the known pixels have beyond their ground; none of what is unknown. */
function findTexture(
  plane: Float32Array,
  ground: Float32Array,
  known: Float32Array,
  width: number,
  height: number,
): Float32Array {
  const size = new Float32Array(plane.length);
  for (let i = 0; i < size.length; i += 1) size[i] = known[i]! * Math.abs(plane[i]! - ground[i]!);
  const reach = 4 * GRAIN_SIGMA;
  const sums = boxBlur({ data: size, width, height }, reach).data;
  const counts = boxBlur({ data: known, width, height }, reach).data;
  return plane.map((value, i) => {
    const most = (PLAIN * sums[i]!) / Math.max(1e-6, counts[i]!);
    return known[i] ? Math.min(most, Math.max(-most, value - ground[i]!)) : 0;
  });
}

/** The mirror image of a place beyond the nearest of the `step` places from `rim` on. */
function mirrorAt(rim: number, step: number, place: number): number {
  return 2 * Math.min(rim + step - 1, Math.max(rim, place)) - place;
}

const GRAIN_SIGMA = 3; // pixels; what is finer counts as texture

/**
 * The known pixels without their texture: the mean of their known neighbours; `weights` says how many of them are
 * known.
 */
function findGround(
  plane: Float32Array,
  known: Float32Array,
  weights: Float32Array,
  width: number,
  height: number,
): Float32Array {
  const seen = new Float32Array(plane.length);
  for (let i = 0; i < seen.length; i += 1) seen[i] = plane[i]! * known[i]!;
  const ground = softBlur({ data: seen, width, height }, GRAIN_SIGMA).data;
  for (let i = 0; i < ground.length; i += 1) ground[i] = known[i] ? ground[i]! / weights[i]! : plane[i]!;
  return ground;
}

const LINE_REACH = 0.02; // of the width: so far from a line the rim still knows of it
const FLAT = 0.12; // levels a pixel: less slope than this is no line
const UPRIGHT_DISTANCE = 1.6; // floors, tables and walls go on sideways more than up and down

/** Slope of the ground along one axis, `step` apart in memory, averaged round about, of known pixels only. */
function findLines(ground: Float32Array, known: Float32Array, width: number, height: number, step: number) {
  const slopes = new Float32Array(ground.length);
  const counted = new Float32Array(ground.length);
  for (let i = step; i < ground.length - step; i += 1) {
    if (!known[i - step] || !known[i] || !known[i + step]) continue;
    slopes[i] = Math.abs(ground[i + step]! - ground[i - step]!) / 2;
    counted[i] = 1;
  }
  const reach = Math.max(2, Math.round(LINE_REACH * width));
  const sums = boxBlur({ data: slopes, width, height }, reach).data;
  const weights = boxBlur({ data: counted, width, height }, reach).data;
  return sums.map((sum, i) => (FLAT + sum / Math.max(0.01, weights[i]!)) ** 2);
}

/** The ground of the whole plane. */
function runOn(ground: Float32Array, known: Float32Array, width: number, height: number): Float32Array {
  const sums = new Float32Array(ground.length);
  const weights = new Float32Array(ground.length);
  const walk = (start: number, step: number, count: number, stride: number, lines: Float32Array) => {
    let value = 0;
    let force = 0;
    let away = -1; // nothing known yet
    for (let n = 0, i = start; n < count; n += 1, i += step) {
      if (known[i]) {
        value = ground[i]!;
        force = lines[i]!;
        away = 0;
      } else if (away >= 0) {
        away += stride;
        const weight = force / (away * away);
        sums[i]! += weight * value;
        weights[i]! += weight;
      }
    }
  };
  const level = findLines(ground, known, width, height, width); // lines that lie, found by slopes up and down
  for (let y = 0; y < height; y += 1) {
    walk(y * width, 1, width, 1, level);
    walk(y * width + width - 1, -1, width, 1, level);
  }
  const upright = findLines(ground, known, width, height, 1);
  for (let x = 0; x < width; x += 1) {
    walk(x, width, height, UPRIGHT_DISTANCE, upright);
    walk(x + (height - 1) * width, -width, height, UPRIGHT_DISTANCE, upright);
  }
  return ground.map((value, i) => (known[i] || weights[i] === 0 ? value : sums[i]! / weights[i]!));
}

/**
 * For every pixel of a hole a known one that is (nearly) the nearest, found by passing it on from neighbour to
 * neighbour.
 */
function findRims(hole: Float32Array, width: number, height: number): Int32Array {
  const rims = Int32Array.from(hole, (value, i) => (value > 0 ? -1 : i));
  const unknown = Int32Array.from([...hole.keys()].filter((i) => hole[i]! > 0));
  const columns = Uint16Array.from(hole, (_, i) => i % width);
  const rows = Uint16Array.from(hole, (_, i) => Math.floor(i / width));
  const offer = (i: number, from: number) => {
    const candidate = rims[from]!;
    if (candidate < 0) return;
    const old = rims[i]!;
    if (old < 0 || distance(i, candidate) < distance(i, old)) rims[i] = candidate;
  };
  const distance = (i: number, to: number) => {
    const dx = columns[i]! - columns[to]!;
    const dy = rows[i]! - rows[to]!;
    return dx * dx + dy * dy;
  };
  const ask = (i: number) => {
    if (columns[i]! > 0) offer(i, i - 1);
    if (columns[i]! < width - 1) offer(i, i + 1);
    if (rows[i]! > 0) offer(i, i - width);
    if (rows[i]! < height - 1) offer(i, i + width);
  };
  for (let round = 0; round < 2; round += 1) {
    for (let n = 0; n < unknown.length; n += 1) ask(unknown[n]!);
    for (let n = unknown.length - 1; n >= 0; n -= 1) ask(unknown[n]!);
  }
  return rims;
}
