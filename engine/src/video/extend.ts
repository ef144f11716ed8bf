/** Extends a picture to a larger canvas: its edge is repeated, without a seam, and blurred until no detail repeats. */
import { softBlur } from '../pixels/blur.ts';
import { pickPixels } from '../pixels/sample.ts';
import type { Box, Plane, Size } from '../pixels/plane.ts';

/**
 * Extends interleaved values, `channels` per pixel, to the whole canvas.
 * @param pictureBox the picture's rectangle on the canvas; it may extend beyond it
 */
export function extendOnto(
  values: Uint8Array | Float32Array,
  channels: number,
  pictureBox: Box,
  { width, height }: Size,
): Float32Array {
  const clamped = (length: number, start: number, own: number) =>
    Int32Array.from({ length }, (_, at) => Math.min(own - 1, Math.max(0, at - start)));
  const columns = clamped(width, pictureBox.left, pictureBox.width);
  return pickPixels(values, channels, pictureBox.width, columns, clamped(height, pictureBox.top, pictureBox.height));
}

const SIGMAS = [0.006, 0.02, 0.05]; // of the canvas's long side
const FULL_AT = 0.13; // of it: distance from the picture at which the last one is fully applied

/** Blurs, in place, what is outside the picture: at once, without a step at its end. */
export function softenBeyond(plane: Plane, pictureBox: Box): void {
  const { data, width, height } = plane;
  const long = Math.max(width, height);
  const copies = SIGMAS.map((sigma) => softBlur(plane, sigma * long).data);
  for (let y = 0; y < height; y += 1) {
    const above = Math.max(pictureBox.top - y, y - (pictureBox.top + pictureBox.height - 1), 0);
    for (let x = 0; x < width; x += 1) {
      const beside = Math.max(pictureBox.left - x, x - (pictureBox.left + pictureBox.width - 1), 0);
      if (above === 0 && beside === 0) continue;
      const i = y * width + x;
      const near = Math.max(0, 1 - Math.hypot(above, beside) / (FULL_AT * long));
      const softness = 2.999 * (1 - near * near);
      const step = Math.floor(softness);
      const sharper = step === 0 ? data[i]! : copies[step - 1]![i]!;
      data[i] = sharper + (softness - step) * (copies[step]![i]! - sharper);
    }
  }
}
