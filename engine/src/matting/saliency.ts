import type { LabPlanes } from '../pixels/lab.ts';
import { boxBlur } from '../pixels/planes.ts';
import { mapFloats } from '../pixels/map.ts';
import { distanceToClusters, type Backdrop } from './background.ts';
import { measureBarrier } from './barrier.ts';
import type { GeodesicMap } from './geodesic.ts';
import { centreWeight } from './pieces.ts';

export interface Saliency {
  /** 0..1: how much a pixel looks like the product. */
  map: Float32Array;
  /** Otsu's threshold of the map. */
  threshold: number;
  /** A plain, quiet backdrop: outlines alone tell where the product is. */
  isTrusted: boolean;
}

const QUIET = 2.2;
const SATURATED = 8; // Lab units of crossed outline that count as "certainly inside"

export function rateSaliency(
  lab: LabPlanes,
  backdrop: Backdrop,
  geodesic: GeodesicMap,
  width: number,
  height: number,
): Saliency {
  const isTrusted = backdrop.isPlain && geodesic.threshold < QUIET;
  const inside = geodesic.distance.map((d) => Math.min(1, d / SATURATED));
  const barrier = normalise(sumPlanes([lab.l, lab.a, lab.b].map((plane) => measureBarrier(plane, width, height))));
  const foreign = normalise(rateForeign(lab, backdrop)).map((value) => value * value);
  const shares = isTrusted
    ? { inside: 0.9, barrier: 0.05, foreign: 0.05 }
    : { inside: 0.3, barrier: 0.4, foreign: 0.3 };
  let map = new Float32Array(inside.length);
  for (let i = 0; i < map.length; i += 1) {
    const mixed = shares.inside * inside[i]! + shares.barrier * barrier[i]! + shares.foreign * foreign[i]!;
    map[i] = isTrusted ? mixed : mixed * centreWeight(i, width, height);
  }
  map = normalise(boxBlur(map, width, height, 3));
  return { map, threshold: otsu(map), isTrusted };
}

function rateForeign(lab: LabPlanes, backdrop: Backdrop): Float32Array {
  const out = new Float32Array(lab.l.length);
  for (let i = 0; i < out.length; i += 1) out[i] = Math.min(40, distanceToClusters(lab, i, backdrop.clusters));
  return out;
}

function sumPlanes(planes: Float32Array[]): Float32Array {
  const out = new Float32Array(planes[0]?.length ?? 0);
  for (const plane of planes) for (let i = 0; i < out.length; i += 1) out[i]! += plane[i]!;
  return out;
}

function normalise(plane: Float32Array): Float32Array<ArrayBuffer> {
  let most = 1e-6;
  for (const value of plane) most = Math.max(most, value);
  return mapFloats(plane, (value) => value / most);
}

function otsu(map: Float32Array): number {
  const bins = new Float64Array(256);
  for (const value of map) bins[Math.min(255, Math.floor(value * 256))]! += 1;
  let total = 0;
  for (let n = 0; n < 256; n += 1) total += n * bins[n]!;
  let below = 0;
  let sumBelow = 0;
  let best = 0;
  let threshold = 0.5;
  for (let n = 0; n < 255; n += 1) {
    below += bins[n]!;
    sumBelow += n * bins[n]!;
    const above = map.length - below;
    if (below === 0 || above === 0) continue;
    const gap = sumBelow / below - (total - sumBelow) / above;
    const between = below * above * gap * gap;
    if (between > best) {
      best = between;
      threshold = (n + 1) / 256;
    }
  }
  return threshold;
}
