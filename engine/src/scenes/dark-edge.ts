/**
 * On a dark scene every crumb of a light old background glows along the product's edge: there the edge is peeled once
 * more.
 */
import { boxBlur } from '../pixels/blur.ts';
import { readLuminance } from '../pixels/colour.ts';
import { mapBytes, mapFloats } from '../pixels/map.ts';
import { distanceInside } from '../pixels/mask.ts';
import type { Box, Size } from '../pixels/plane.ts';

const DARK = 0.09; // linear light round about the product: dark marble has 0.02-0.06, a plain studio 0.4
const FAINTEST = 0.15; // cover below it is a crumb
const RIM = 2.5; // px of opaque product along its edge that may be rim
const DEPTH = 8; // px into the product, where its own colour is sure
const BRIGHTER = 1.25; // times the light of the product beside it

export type Cut = Size & {
  /** sRGB bytes. */
  rgb: Uint8Array;
  /** 0..1. */
  alpha: Float32Array;
};

/** Whether the scene is dark behind a product that lies at (left, top). @param light linear light, interleaved */
export function isDarkAround(light: Float32Array, frame: Size, at: Box): boolean {
  let [sum, count] = [0, 0];
  for (let y = Math.max(0, at.top); y < Math.min(frame.height, at.top + at.height); y += 4) {
    for (let x = Math.max(0, at.left); x < Math.min(frame.width, at.left + at.width); x += 4) {
      const i = (y * frame.width + x) * 3;
      sum += 0.2126 * light[i]! + 0.7152 * light[i + 1]! + 0.0722 * light[i + 2]!;
      count += 1;
    }
  }
  return count > 0 && sum / count < DARK;
}

/**
 * The cover without crumbs: the faintest goes, and what is partly covered and brighter than the product beside it keeps
 * only as much cover as brings it to the product's light.
 */
export function peelEdge({ width, height, rgb, alpha }: Cut): Float32Array {
  const out = alpha.map((cover) => Math.max(0, (cover - FAINTEST) / (1 - FAINTEST)));
  const solid = mapBytes(alpha, (cover) => (cover > 0.5 ? 1 : 0));
  const depth = distanceInside({ width, height, data: solid }).data;
  const light = mapFloats(solid, (_, i) => readLuminance(rgb, i));
  const core = mapFloats(depth, (d) => (d > RIM ? 1 : 0));
  const share = boxBlur({ width, height, data: core }, DEPTH).data;
  const lit = { width, height, data: light.map((value, i) => value * core[i]!) };
  const sums = boxBlur(lit, DEPTH).data;
  for (let i = 0; i < out.length; i += 1) {
    if (out[i] === 0 || alpha[i]! >= 1 || depth[i]! > RIM || share[i]! < 0.02) continue;
    const most = (BRIGHTER * sums[i]!) / share[i]!;
    if (light[i]! > most) out[i]! *= most / light[i]!;
  }
  return out;
}
