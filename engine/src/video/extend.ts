/**
 * From a picture to a larger canvas: it goes on as its own edge, which has no seam, and soon too soft to show anything:
 * nothing comes twice.
 */
import { softBlur } from '../pixels/blur.ts';
import { pickPixels } from '../pixels/sample.ts';
import { smoothStep, type Box, type Plane, type Size } from '../pixels/plane.ts';

/** Where a picture lies on a canvas, in whole pixels; it may reach beyond it. */
export type Lying = Box;

/** Interleaved values of the picture, `channels` a pixel, on the whole canvas. */
export function extendOnto(
  values: Uint8Array | Float32Array,
  channels: number,
  lying: Lying,
  { width, height }: Size,
): Float32Array {
  const clamped = (length: number, start: number, own: number) =>
    Int32Array.from({ length }, (_, at) => Math.min(own - 1, Math.max(0, at - start)));
  const columns = clamped(width, lying.left, lying.width);
  return pickPixels(values, channels, lying.width, columns, clamped(height, lying.top, lying.height));
}

/**
 * Sigmas, and how far outside the last of them stands alone, as shares of the canvas's long side; `shade` is the light
 * lost there.
 */
const SOFTNESS = {
  /** Only moves look beyond the picture. */
  margin: { sigmas: [0.002, 0.006, 0.016], fullAt: 0.1, shade: 0 },
  /** The picture has another shape than the frame: what is added must not look like more of it. */
  gap: { sigmas: [0.006, 0.02, 0.05], fullAt: 0.13, shade: 0.3 },
};

const SHADED_OVER = 3; // times `fullAt`

/**
 * Softens, in place, what lies outside the picture, and takes light from it.
 * @param black the plane's value of no light; nothing for chroma
 */
export function softenBeyond(plane: Plane, lying: Lying, kind: keyof typeof SOFTNESS, black?: number): void {
  const { data, width, height } = plane;
  const long = Math.max(width, height);
  const { sigmas, fullAt, shade } = SOFTNESS[kind];
  const copies = sigmas.map((sigma) => softBlur(plane, sigma * long).data);
  for (let y = 0; y < height; y += 1) {
    const above = Math.max(lying.top - y, y - (lying.top + lying.height - 1), 0);
    for (let x = 0; x < width; x += 1) {
      const beside = Math.max(lying.left - x, x - (lying.left + lying.width - 1), 0);
      if (above === 0 && beside === 0) continue;
      const i = y * width + x;
      const away = Math.hypot(above, beside) / (fullAt * long);
      const near = Math.max(0, 1 - away);
      // a gap: soft at once, without a step at the end
      const softness = 2.999 * (kind === 'gap' ? 1 - near * near : 1 - near);
      const step = Math.floor(softness);
      const sharper = step === 0 ? data[i]! : copies[step - 1]![i]!;
      data[i] = sharper + (softness - step) * (copies[step]![i]! - sharper);
      if (black !== undefined) data[i] -= shade * smoothStep(0, SHADED_OVER, away) * (data[i] - black);
    }
  }
}
