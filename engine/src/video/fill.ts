import { softBlur } from '../pixels/planes.ts';

const GRAIN_SIGMA = 5; // pixels; what is finer counts as texture

/**
 * Where `hole` is above 0, fills the plane from what surrounds it: the large shapes by averages on ever coarser copies, then back
 * (push-pull), the texture as its mirror image across the rim of the hole.
 */
export function fillFromAround(plane: Float32Array, hole: Float32Array, width: number, height: number): Float32Array {
  const known = hole.map((value) => (value > 0 ? 0 : 1));
  const out = plane.slice();
  pushPull({ values: out, weights: known.slice(), width, height });
  const texture = findTexture(plane, known, width, height);
  const nearest = findNearestKnown(known, width);
  for (let i = 0; i < out.length; i += 1) {
    if (known[i]) continue;
    const rim = nearest[i]!;
    if (rim < 0) continue;
    const x = 2 * (rim % width) - (i % width);
    const y = 2 * Math.floor(rim / width) - Math.floor(i / width);
    if (x >= 0 && y >= 0 && x < width && y < height) out[i]! += texture[y * width + x]!;
  }
  return out;
}

/** What is left of the known pixels without their neighbourhood's mean; 0 where nothing is known. */
function findTexture(plane: Float32Array, known: Float32Array, width: number, height: number): Float32Array {
  const sums = softBlur(
    plane.map((value, i) => value * known[i]!),
    width,
    height,
    GRAIN_SIGMA,
  );
  const weights = softBlur(known, width, height, GRAIN_SIGMA);
  return plane.map((value, i) => (known[i] && weights[i]! > 0.3 ? value - sums[i]! / weights[i]! : 0));
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
      for (const next of [x > 0 ? i - 1 : -1, x < width - 1 ? i + 1 : -1, i - width, i + width]) {
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

interface Level {
  values: Float32Array;
  /** 1 where the value counts, 0 where it is wanted. */
  weights: Float32Array;
  width: number;
  height: number;
}

function pushPull(level: Level): void {
  if (level.width <= 2 || level.height <= 2 || !level.weights.includes(0)) return;
  const coarse = halve(level);
  pushPull(coarse);
  const { values, weights, width, height } = level;
  for (let y = 0; y < height; y += 1) {
    for (let x = 0; x < width; x += 1) {
      const i = y * width + x;
      const weight = weights[i]!;
      if (weight < 1) values[i] = weight * values[i]! + (1 - weight) * readSmoothly(coarse, x, y);
    }
  }
}

function halve({ values, weights, width, height }: Level): Level {
  const w = (width + 1) >> 1;
  const h = (height + 1) >> 1;
  const out = { values: new Float32Array(w * h), weights: new Float32Array(w * h), width: w, height: h };
  for (let y = 0; y < h; y += 1) {
    for (let x = 0; x < w; x += 1) {
      let sum = 0;
      let total = 0;
      for (let n = 0; n < 4; n += 1) {
        const at = Math.min(height - 1, 2 * y + (n >> 1)) * width + Math.min(width - 1, 2 * x + (n & 1));
        sum += weights[at]! * values[at]!;
        total += weights[at]!;
      }
      out.values[y * w + x] = total > 0 ? sum / total : 0;
      out.weights[y * w + x] = Math.min(1, total);
    }
  }
  return out;
}

/** Bilinear, so that the coarse squares never show. */
function readSmoothly({ values, width, height }: Level, x: number, y: number): number {
  const sx = Math.max(0, (x + 0.5) / 2 - 0.5);
  const sy = Math.max(0, (y + 0.5) / 2 - 0.5);
  const left = Math.min(width - 1, Math.floor(sx));
  const top = Math.min(height - 1, Math.floor(sy));
  const right = Math.min(width - 1, left + 1);
  const bottom = Math.min(height - 1, top + 1);
  const fx = sx - left;
  const fy = sy - top;
  const upper = values[top * width + left]! * (1 - fx) + values[top * width + right]! * fx;
  const lower = values[bottom * width + left]! * (1 - fx) + values[bottom * width + right]! * fx;
  return upper * (1 - fy) + lower * fy;
}
