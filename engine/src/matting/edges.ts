// From a coarse 0/1 mask to soft alpha: only a band along the outline may change, a wide one where the outline is fur.
import type { Picture } from '../pixels/decode.ts';
import { resizePlane, softBlur } from '../pixels/planes.ts';
import { measureFuzz } from './fuzz.ts';
import { applyAlpha, fitAlpha, type Coefficients } from './guided.ts';
import { distanceInside, invert } from './regions.ts';
import type { Segmentation } from './segmentation.ts';

/** Shares of the long side: how far the true edge may lie from the mask's, and the window over which colours are compared. */
const SOLID = { band: 0.008, window: 0.0045 };
const FURRY = { band: 0.03, window: 0.04 };
const LEAST_WINDOW = 4; // px
const LEAST_FUR = 0.4; // of the outline: a smooth bag on a carpet has up to a third that looks like it

export function refineEdges(picture: Picture, { mask, lab, isDistinct, width, height }: Segmentation): Float32Array {
  const long = Math.max(picture.width, picture.height);
  const soft = softBlur(new Float32Array(mask), width, height, 1.2);
  const start = resizePlane(soft, width, height, picture.width, picture.height).map((v) => (v > 0.5 ? 1 : 0));
  const coarse = measureFuzz(lab, mask, width, height);
  // A wide window needs colours that differ: in the background's own colours it would find crumbs everywhere.
  const isFurry = isDistinct && shareOfFur(coarse, mask, width) > LEAST_FUR;
  const fuzz = isFurry ? resizePlane(coarse, width, height, picture.width, picture.height) : undefined;
  const fits = {
    solid: fitAlpha(picture, start, Math.max(LEAST_WINDOW, Math.round(SOLID.window * long))),
    furry: fuzz && fitAlpha(picture, start, Math.round(FURRY.window * long)),
  };
  const hard = new Uint8Array(start);
  const depth = distanceInside(hard, picture.width, picture.height);
  const away = distanceInside(invert(hard), picture.width, picture.height);
  const alpha = new Float32Array(start.length);
  for (let i = 0; i < alpha.length; i += 1) {
    const furry = fuzz?.[i] ?? 0;
    const band = Math.max(3, (SOLID.band + (FURRY.band - SOLID.band) * furry) * long);
    if (depth[i]! > 0.8 * band) alpha[i] = 1;
    else if (away[i]! <= band) {
      const solid = levelOf(fits.solid, picture, i);
      alpha[i] = furry > 0 && fits.furry ? solid + (levelOf(fits.furry, picture, i) - solid) * furry : solid;
    }
  }
  return alpha;
}

/** Of the outline, 0..1. */
function shareOfFur(fuzz: Float32Array, mask: Uint8Array, width: number): number {
  let [count, furry] = [0, 0];
  for (let i = width; i < mask.length - width; i += 1) {
    if (!mask[i] || (mask[i - 1] && mask[i + 1] && mask[i - width] && mask[i + width])) continue;
    count += 1;
    if (fuzz[i]! > 0.5) furry += 1;
  }
  return furry / Math.max(1, count);
}

function levelOf(fit: Coefficients, { rgb }: Picture, i: number): number {
  const fitted = applyAlpha(fit, i, rgb[i * 3]!, rgb[i * 3 + 1]!, rgb[i * 3 + 2]!);
  return Math.min(1, Math.max(0, (fitted - 0.04) / 0.92));
}
