// Where the picture has crisp edges. Defocused things behind the product and soft shadows have none, a product in focus has them
// all round, even white on white.
import type { LabPlanes } from '../pixels/lab.ts';
import { softBlur } from '../pixels/planes.ts';
import { quantile } from './background.ts';
import { measureGradient } from './geodesic.ts';

export interface Sharpness {
  /** Lab units per pixel across crisp edges, about 0 elsewhere. */
  edges: Float32Array;
  /** What the backdrop's own grain reaches in `edges`. */
  noise: number;
}

const COARSE = 4; // px: an edge that is as steep after this blur was not crisp before
const FLAT = 0.25; // Lab units per pixel that no one sees

export function measureSharpness(lab: LabPlanes, ring: Uint8Array, width: number, height: number): Sharpness {
  const fine = measureGradient(lab, width, height, 1);
  const soft = {
    l: softBlur(lab.l, width, height, COARSE),
    a: softBlur(lab.a, width, height, COARSE),
    b: softBlur(lab.b, width, height, COARSE),
  };
  const coarse = measureGradient(soft, width, height, 0);
  const edges = fine.map((value, i) => value * rise(value / (coarse[i]! + FLAT), 1.3, 2));
  const grain: number[] = [];
  for (let i = 0; i < ring.length; i += 2) if (ring[i]) grain.push(edges[i]!);
  return { edges, noise: Math.max(0.15, quantile(grain, 0.75)) };
}

function rise(value: number, from: number, to: number): number {
  return Math.min(1, Math.max(0, (value - from) / (to - from)));
}
