import type { LookSettings } from '@plinth/contract/looks';
import type { Frame } from '@plinth/contract/packs';
import { MIN_ALPHA, type Raster } from './raster.ts';
import { clearShine, clearStray } from './product.ts';

/** Draws a product on its canvas, with its shadow. */

/** Draws the product on white. Haze is dropped, so that white is pure up to the product. @param product RGBA */
export function drawOnWhite(product: Raster, frame: Frame, left: number, top: number): Raster {
  const drawn = new Uint8Array(frame.width * frame.height * 3).fill(255);
  for (let y = 0; y < product.height; y += 1) {
    let from = y * product.width * 4;
    let to = ((y + top) * frame.width + left) * 3;
    for (let x = 0; x < product.width; x += 1, from += 4, to += 3) {
      const alpha = product.data[from + 3] ?? 0;
      if (alpha < MIN_ALPHA) continue;
      for (let c = 0; c < 3; c += 1)
        drawn[to + c] = Math.round(((product.data[from + c] ?? 0) * alpha + 255 * (255 - alpha)) / 255);
    }
  }
  const shown = { data: drawn, width: frame.width, height: frame.height, channels: 3 };
  clearShine(shown, clearStray(shown));
  return shown;
}

/** Puts shadow and canvas colour behind a picture drawn on white, in place. @param shadow shadow of the frame's size */
export function fillBackground(
  drawn: Raster,
  product: Raster,
  { left, top }: { left: number; top: number },
  canvas: string,
  shadow: Raster | undefined,
): void {
  const background = [1, 3, 5].map((at) => Number.parseInt(canvas.slice(at, at + 2), 16));
  for (let y = 0, to = 0, at = 0; y < drawn.height; y += 1) {
    for (let x = 0; x < drawn.width; x += 1, to += 3, at += 4) {
      const alpha = alphaAt(product, x - left, y - top);
      // Cleared pixels show the canvas.
      const transparency = isWhite(drawn.data, to) ? 1 : 1 - alpha / 255;
      if (transparency === 0) continue;
      const shadowAlpha = (shadow?.data[at + 3] ?? 0) / 255;
      for (let c = 0; c < 3; c += 1) {
        const behind = (background[c] ?? 255) * (1 - shadowAlpha) + (shadow?.data[at + c] ?? 0) * shadowAlpha;
        drawn.data[to + c] = Math.round((drawn.data[to + c] ?? 255) - transparency * (255 - behind));
      }
    }
  }
}

const isWhite = (data: Uint8Array, at: number) => data[at] === 255 && data[at + 1] === 255 && data[at + 2] === 255;

function alphaAt({ data, width, height }: Raster, x: number, y: number): number {
  if (x < 0 || y < 0 || x >= width || y >= height) return 0;
  const alpha = data[(y * width + x) * 4 + 3] ?? 0;
  return alpha < MIN_ALPHA ? 0 : alpha;
}

/** Draws the product over its shadow on transparency: RGBA. */
export function drawOnTransparency(
  product: Raster,
  frame: Frame,
  { left, top }: { left: number; top: number },
  shadow: Raster | undefined,
): Raster {
  const data = shadow === undefined ? new Uint8Array(frame.width * frame.height * 4) : shadow.data;
  for (let y = 0; y < product.height; y += 1) {
    let from = y * product.width * 4;
    let to = ((y + top) * frame.width + left) * 4;
    for (let x = 0; x < product.width; x += 1, from += 4, to += 4) {
      const alpha = (product.data[from + 3] ?? 0) / 255;
      if (alpha === 0) continue;
      const behind = ((data[to + 3] ?? 0) / 255) * (1 - alpha);
      const total = alpha + behind;
      for (let c = 0; c < 3; c += 1)
        data[to + c] = Math.round(((product.data[from + c] ?? 0) * alpha + (data[to + c] ?? 0) * behind) / total);
      data[to + 3] = Math.round(total * 255);
    }
  }
  return { data, width: frame.width, height: frame.height, channels: 4 };
}

/** True if something must be put behind the picture drawn on white. */
export const needsBackground = (canvas: LookSettings['canvas'], shadow: Raster | undefined): boolean =>
  shadow !== undefined || canvas.toLowerCase() !== '#ffffff';
