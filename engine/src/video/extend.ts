/** Extends a picture to a larger canvas: its edge is repeated, without a seam, and blurred until no detail repeats. */
import { softBlur } from '../pixels/blur.ts';
import { pickPixels } from '../pixels/sample.ts';
import { smoothStep, type Box, type Plane, type Size } from '../pixels/plane.ts';

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

/**
 * Sigmas, and the distance at which the last one is fully applied, as shares of the canvas's long side; `shade`: the
 * light lost there.
 */
const SOFTNESS = {
  /** For parts that only camera moves reveal. */
  margin: { sigmas: [0.002, 0.006, 0.016], fullAt: 0.1, shade: 0 },
  /** For another aspect ratio than the frame's: the extension must not look like more of the picture. */
  gap: { sigmas: [0.006, 0.02, 0.05], fullAt: 0.13, shade: 0.3 },
  /** A plain background simply continues. */
  plain: { sigmas: [0.006, 0.02, 0.05], fullAt: 0.13, shade: 0 },
};

const SHADED_OVER = 3; // times `fullAt`

/**
 * Blurs and darkens, in place, what is outside the picture.
 * @param black the plane's value of black; undefined for chroma
 */
export function softenBeyond(plane: Plane, pictureBox: Box, kind: keyof typeof SOFTNESS, black?: number): void {
  const { data, width, height } = plane;
  const long = Math.max(width, height);
  const { sigmas, fullAt, shade } = SOFTNESS[kind];
  const copies = sigmas.map((sigma) => softBlur(plane, sigma * long).data);
  for (let y = 0; y < height; y += 1) {
    const above = Math.max(pictureBox.top - y, y - (pictureBox.top + pictureBox.height - 1), 0);
    for (let x = 0; x < width; x += 1) {
      const beside = Math.max(pictureBox.left - x, x - (pictureBox.left + pictureBox.width - 1), 0);
      if (above === 0 && beside === 0) continue;
      const i = y * width + x;
      const away = Math.hypot(above, beside) / (fullAt * long);
      const near = Math.max(0, 1 - away);
      // a gap: blurred at once, without a step at its end
      const softness = 2.999 * (kind === 'margin' ? 1 - near : 1 - near * near);
      const step = Math.floor(softness);
      const sharper = step === 0 ? data[i]! : copies[step - 1]![i]!;
      data[i] = sharper + (softness - step) * (copies[step]![i]! - sharper);
      if (black !== undefined) data[i] -= shade * smoothStep(0, SHADED_OVER, away) * (data[i] - black);
    }
  }
}
