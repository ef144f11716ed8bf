import { boxBlur } from '../pixels/planes.ts';
import type { LabPlanes } from '../pixels/lab.ts';
import { quantile } from './background.ts';

export interface GeodesicMap {
  distance: Float32Array;
  /** The noise of the backdrop: gradients below it cost nothing. */
  threshold: number;
  gradient: Float32Array;
}

const MAX_COST = 20;
const BUCKETS_PER_UNIT = 4;
const NOISY = 1.2; // above it one more blur before the gradient is better than edges a pixel sharper

/** How many outlines must be crossed from the border to reach a pixel: soft shadows cost nothing, object edges do. */
export function measureGeodesic(lab: LabPlanes, ring: Uint8Array, width: number, height: number): GeodesicMap {
  let gradient = widen(measureGradient(lab, width, height, 1), width, height, 2);
  let threshold = noiseOf(gradient, ring);
  if (threshold > NOISY) {
    gradient = widen(measureGradient(lab, width, height, 2), width, height, 2);
    threshold = noiseOf(gradient, ring);
  }
  const cost = gradient.map((g) => Math.min(MAX_COST, Math.max(0, g - threshold)));
  return { distance: spreadFromBorder(cost, ring, width, height), threshold, gradient };
}

function noiseOf(gradient: Float32Array, ring: Uint8Array): number {
  const values: number[] = [];
  for (let i = 0; i < ring.length; i += 2) if (ring[i]) values.push(gradient[i]!);
  return Math.max(0.35, 1.2 * quantile(values, 0.75));
}

export function measureGradient(lab: LabPlanes, width: number, height: number, radius: number): Float32Array {
  const out = new Float32Array(width * height);
  for (const [plane, weight] of [
    [lab.l, 1],
    [lab.a, 1.5],
    [lab.b, 1.5],
  ] as const) {
    let smooth = boxBlur(plane, width, height, radius);
    if (radius > 1) smooth = boxBlur(smooth, width, height, radius);
    for (let y = 1; y < height - 1; y += 1) {
      for (let x = 1; x < width - 1; x += 1) {
        const i = y * width + x;
        const dx = (smooth[i + 1]! - smooth[i - 1]!) * 0.5 * weight;
        const dy = (smooth[i + width]! - smooth[i - width]!) * 0.5 * weight;
        out[i]! += dx * dx + dy * dy;
      }
    }
  }
  for (let i = 0; i < out.length; i += 1) out[i] = Math.sqrt(out[i]!);
  return out;
}

/** Maximum over (2r+1)² pixels: closes gaps in weak outlines. For plain gradients 5x5 is best: larger windows were worse, none at all leaks. */
export function widen(plane: Float32Array, width: number, height: number, radius: number): Float32Array {
  const rows = new Float32Array(plane.length);
  for (let y = 0; y < height; y += 1) {
    for (let x = 0; x < width; x += 1) {
      let most = 0;
      for (let k = Math.max(0, x - radius); k <= Math.min(width - 1, x + radius); k += 1)
        most = Math.max(most, plane[y * width + k]!);
      rows[y * width + x] = most;
    }
  }
  const out = new Float32Array(plane.length);
  for (let y = 0; y < height; y += 1) {
    const first = Math.max(0, y - radius);
    const last = Math.min(height - 1, y + radius);
    for (let x = 0; x < width; x += 1) {
      let most = 0;
      for (let k = first; k <= last; k += 1) most = Math.max(most, rows[k * width + x]!);
      out[y * width + x] = most;
    }
  }
  return out;
}

/** Dijkstra from all border pixels of the ring with a queue of buckets. */
function spreadFromBorder(cost: Float32Array, ring: Uint8Array, width: number, height: number): Float32Array {
  const distance = new Float32Array(cost.length).fill(Infinity);
  const isDone = new Uint8Array(cost.length);
  const buckets: number[][] = [];
  const reach = (i: number, d: number) => {
    if (isDone[i] || d >= distance[i]!) return;
    distance[i] = d;
    (buckets[Math.floor(d * BUCKETS_PER_UNIT)] ??= []).push(i);
  };
  const leave = (i: number) => {
    isDone[i] = 1;
    const x = i % width;
    if (x > 0) reach(i - 1, distance[i]! + cost[i - 1]!);
    if (x < width - 1) reach(i + 1, distance[i]! + cost[i + 1]!);
    if (i >= width) reach(i - width, distance[i]! + cost[i - width]!);
    if (i < cost.length - width) reach(i + width, distance[i]! + cost[i + width]!);
  };
  for (let i = 0; i < cost.length; i += 1) {
    const x = i % width;
    const y = (i - x) / width;
    if (ring[i] && (x === 0 || y === 0 || x === width - 1 || y === height - 1)) reach(i, 0);
  }
  for (let level = 0; level < buckets.length; level += 1) {
    const bucket = buckets[level] ?? []; // grows while it is worked off
    for (let n = 0; n < bucket.length; n += 1) if (!isDone[bucket[n]!]) leave(bucket[n]!);
  }
  return distance;
}
