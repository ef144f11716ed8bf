// From a picture to a larger canvas: the picture goes on as its mirror image, which has no seam, and that grows a
// little softer the farther out, as things beyond the focus do. Nothing is ever stretched.
import { softBlur } from '../pixels/planes.ts';

/** Where a picture lies on a canvas, in whole pixels; it may reach beyond it. */
export interface Lying {
  width: number;
  height: number;
  left: number;
  top: number;
}

interface Size {
  width: number;
  height: number;
}

/** Interleaved values of the picture, `channels` a pixel, on the whole canvas. */
export function mirrorOnto(
  values: Uint8Array | Float32Array,
  channels: number,
  lying: Lying,
  { width, height }: Size,
): Float32Array {
  const out = new Float32Array(width * height * channels);
  const columns = Int32Array.from({ length: width }, (_, x) => reflect(x - lying.left, lying.width) * channels);
  for (let y = 0; y < height; y += 1) {
    const row = reflect(y - lying.top, lying.height) * lying.width * channels;
    for (let x = 0; x < width; x += 1) {
      const from = row + columns[x]!;
      const to = (y * width + x) * channels;
      for (let c = 0; c < channels; c += 1) out[to + c] = values[from + c]!;
    }
  }
  return out;
}

/** Takes a mirrored cover back to the picture, except where the photo cut the product off: there it goes on. */
export function keepOwnCover(mirrored: Float32Array, lying: Lying, { width, height }: Size): Float32Array {
  const out = mirrored.slice();
  const lastX = Math.min(width, lying.left + lying.width) - 1;
  const lastY = Math.min(height, lying.top + lying.height) - 1;
  for (let y = 0; y < height; y += 1) {
    const edgeY = Math.min(lastY, Math.max(lying.top, y, 0));
    for (let x = 0; x < width; x += 1) {
      const edgeX = Math.min(lastX, Math.max(lying.left, x, 0));
      const isBeyond = edgeX !== x || edgeY !== y;
      if (isBeyond && mirrored[edgeY * width + edgeX]! < 0.5) out[y * width + x] = 0;
    }
  }
  return out;
}

/** Sigmas, and how far outside the last of them stands alone, as shares of the canvas's long side. */
const SLIGHTLY = { sigmas: [0.001, 0.003, 0.008], fullAt: 0.3 };
const STRONGLY = { sigmas: [0.008, 0.025, 0.06], fullAt: 0.1 };
/** Of the picture's own length. Farther out one would count the mirror images; a product that nobody took out comes sooner. */
const MOST_MIRRORED = { withoutProduct: 0.75, withProduct: 0.2 };

/** Softens, in place, what lies outside the picture; `kind` tells whether the product is still in what was mirrored. */
export function softenBeyond(
  plane: Float32Array,
  lying: Lying,
  { width, height }: Size,
  kind: keyof typeof MOST_MIRRORED,
): void {
  const long = Math.max(width, height);
  const sideways = Math.max(lying.left, width - lying.left - lying.width);
  const upright = Math.max(lying.top, height - lying.top - lying.height);
  if (Math.max(sideways, upright) <= 0) return;
  const most = MOST_MIRRORED[kind];
  const isFar = sideways > most * lying.width || upright > most * lying.height;
  const { sigmas, fullAt } = isFar ? STRONGLY : SLIGHTLY;
  const copies = sigmas.map((sigma) => softBlur(plane, width, height, sigma * long));
  for (let y = 0; y < height; y += 1) {
    const above = Math.max(lying.top - y, y - (lying.top + lying.height - 1), 0);
    for (let x = 0; x < width; x += 1) {
      const beside = Math.max(lying.left - x, x - (lying.left + lying.width - 1), 0);
      if (above === 0 && beside === 0) continue;
      const i = y * width + x;
      const softness = Math.min(2.999, 3 * (Math.hypot(above, beside) / (fullAt * long)));
      const step = Math.floor(softness);
      const sharper = step === 0 ? plane[i]! : copies[step - 1]![i]!;
      plane[i] = sharper + (softness - step) * (copies[step]![i]! - sharper);
    }
  }
}

function reflect(at: number, length: number): number {
  const period = 2 * length;
  const folded = ((at % period) + period) % period;
  return folded < length ? folded : period - 1 - folded;
}
