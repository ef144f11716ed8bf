// How foreign a pixel is to the background nearby, when a shadow of the background is not counted as foreign.
import type { LabPlanes } from '../pixels/lab.ts';
import { boxBlur } from '../pixels/planes.ts';
import { clusterColours, distanceToClusters, type Backdrop, type Cluster } from './background.ts';

/** A shadow multiplies linear light by s; in Lab that is (L + 16), a and b times the cube root of s. */
const DARKEST = Math.cbrt(0.38);
const BRIGHTEST = Math.cbrt(1.07);
const LOCAL_CLUSTERS = 12;
const BRIGHTER_BY = 3;
const BESIDE = 12;

/** Lab distance from the nearest background colour in any light between deep shadow and full. */
export function measureForeign(
  lab: LabPlanes,
  backdrop: Backdrop,
  guess: Uint8Array,
  near: number[],
  width: number,
  height: number,
): Float32Array {
  const clusters = clusterColours(lab, near, LOCAL_CLUSTERS);
  const smooth = {
    l: boxBlur(lab.l, width, height, 1),
    a: boxBlur(lab.a, width, height, 1),
    b: boxBlur(lab.b, width, height, 1),
  };
  const out = new Float32Array(lab.l.length);
  for (let i = 0; i < out.length; i += 1) {
    let least = distanceToClusters(smooth, i, backdrop.clusters) + remoteness(i, width, height);
    for (const cluster of clusters) least = Math.min(least, distanceInAnyLight(smooth, i, cluster));
    if (backdrop.isPlain) {
      const { l, a, b } = backdrop.surface;
      least = Math.min(least, distanceInAnyLight(smooth, i, { colour: [l[i]!, a[i]!, b[i]!], spread: 1, share: 1 }));
    }
    out[i] = least;
  }
  const glow = measureGlow(smooth.l, guess, width, height, 'brighter side');
  for (let i = 0; i < out.length; i += 1) out[i] = Math.max(out[i]!, glow[i]!);
  return out;
}

/** Colours of the ring speak for background near the ring (books cut by the frame), less and less further in. */
function remoteness(i: number, width: number, height: number): number {
  const x = i % width;
  const y = (i - x) / width;
  const share = Math.min(x, y, width - 1 - x, height - 1 - y) / Math.max(width, height);
  return Math.max(0, (share - 0.2) / 0.05) * 4;
}

export type Beside = 'brighter side' | 'both sides';

/**
 * How much brighter a pixel of the guess is than what lies left and right of the product in its row: a paper label or an
 * unglazed foot may have the colour of the wall or the table, but a shadow is never brighter.
 */
export function measureGlow(
  luma: Float32Array,
  guess: Uint8Array,
  width: number,
  height: number,
  beside: Beside,
): Float32Array {
  const smooth = boxBlur(luma, width, height, 3);
  const glow = new Float32Array(luma.length);
  for (let y = 0; y < height; y += 1) {
    for (let x = 0; x < width; x += 1) {
      const start = x;
      while (x < width && guess[y * width + x]) x += 1;
      if (x === start) continue;
      const left = meanOf(smooth, y * width + Math.max(0, start - BESIDE), y * width + start);
      const right = meanOf(smooth, y * width + x, y * width + Math.min(width, x + BESIDE));
      const brighter = Math.max(left, right);
      const mean = Number.isFinite(left + right) ? (left + right) / 2 : brighter;
      const reference = (beside === 'both sides' ? mean : brighter) + BRIGHTER_BY;
      for (let i = y * width + start; i < y * width + x; i += 1) glow[i] = smooth[i]! - reference;
    }
  }
  return glow;
}

function meanOf(plane: Float32Array, from: number, to: number): number {
  if (from >= to) return -Infinity;
  let sum = 0;
  for (let i = from; i < to; i += 1) sum += plane[i]!;
  return sum / (to - from);
}

/** Lab distance from a background colour, whatever light between deep shadow and a little glare falls on it. */
export function distanceInAnyLight(lab: LabPlanes, i: number, { colour, spread }: Cluster): number {
  const light = Math.min(BRIGHTEST, Math.max(DARKEST, (lab.l[i]! + 16) / (colour[0] + 16)));
  const dl = lab.l[i]! + 16 - light * (colour[0] + 16);
  const da = lab.a[i]! - light * colour[1];
  const db = lab.b[i]! - light * colour[2];
  return Math.max(0, Math.sqrt(dl * dl + da * da + db * db) - 0.7 * Math.min(spread, 6));
}
