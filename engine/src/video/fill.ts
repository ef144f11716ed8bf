import { boxBlur, softBlur } from '../pixels/planes.ts';

/**
 * Where `hole` is above 0, fills the plane from what surrounds it. Each pixel asks left, right, up and down for the rim and
 * believes the near ones most, and those whose lines point its way: the edges of tables, walls and posts run on behind the
 * product. Texture comes as the mirror image across the rim.
 */
export function fillFromAround(plane: Float32Array, hole: Float32Array, width: number, height: number): Float32Array {
  const known = hole.map((value) => (value > 0 ? 0 : 1));
  const ground = findGround(plane, known, width, height);
  const out = runOn(ground, plane, known, width, height);
  const nearest = findNearestKnown(known, width);
  for (let i = 0; i < out.length; i += 1) {
    if (known[i]) continue;
    const rim = nearest[i]!;
    if (rim < 0) continue;
    const x = 2 * (rim % width) - (i % width);
    const y = 2 * Math.floor(rim / width) - Math.floor(i / width);
    if (x < 0 || y < 0 || x >= width || y >= height) continue;
    const from = y * width + x;
    if (known[from]) out[i]! += plane[from]! - ground[from]!;
  }
  return out;
}

const GRAIN_SIGMA = 3; // pixels; what is finer counts as texture

/** The known pixels without their texture: the mean of their known neighbours. */
function findGround(plane: Float32Array, known: Float32Array, width: number, height: number): Float32Array {
  const sums = softBlur(
    plane.map((value, i) => value * known[i]!),
    width,
    height,
    GRAIN_SIGMA,
  );
  const weights = softBlur(known, width, height, GRAIN_SIGMA);
  return plane.map((value, i) => (known[i] ? sums[i]! / weights[i]! : value));
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
  const sums = boxBlur(slopes, width, height, reach);
  const weights = boxBlur(counted, width, height, reach);
  return sums.map((sum, i) => (FLAT + sum / Math.max(0.01, weights[i]!)) ** 2);
}

function runOn(
  ground: Float32Array,
  plane: Float32Array,
  known: Float32Array,
  width: number,
  height: number,
): Float32Array {
  const sums = new Float32Array(plane.length);
  const weights = new Float32Array(plane.length);
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
  return plane.map((value, i) => (known[i] || weights[i] === 0 ? value : sums[i]! / weights[i]!));
}

/** For every unknown pixel a known one that is (nearly) the nearest, found by passing it on from neighbour to neighbour. */
function findNearestKnown(known: Float32Array, width: number): Int32Array {
  const nearest = Int32Array.from(known, (value, i) => (value ? i : -1));
  const distance = (i: number, to: number) => {
    const dx = (i % width) - (to % width);
    const dy = Math.floor(i / width) - Math.floor(to / width);
    return dx * dx + dy * dy;
  };
  const pass = (start: number, end: number, step: number) => {
    for (let i = start; i !== end; i += step) {
      if (known[i]) continue;
      const x = i % width;
      let best = nearest[i]!;
      let least = best < 0 ? Infinity : distance(i, best);
      for (let side = 0; side < 4; side += 1) {
        const isOff = (side === 0 && x === 0) || (side === 1 && x === width - 1);
        const next = isOff ? -1 : i + (side === 0 ? -1 : side === 1 ? 1 : side === 2 ? -width : width);
        if (next < 0 || next >= known.length || nearest[next]! < 0) continue;
        const candidate = distance(i, nearest[next]!);
        if (candidate >= least) continue;
        least = candidate;
        best = nearest[next]!;
      }
      nearest[i] = best;
    }
  };
  for (let round = 0; round < 2; round += 1) {
    pass(0, known.length, 1);
    pass(known.length - 1, -1, -1);
  }
  return nearest;
}
