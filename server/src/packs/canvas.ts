import type { LookSettings } from '@plinth/contract/looks';
import type { Frame } from '@plinth/contract/packs';
import { LEAST_ALPHA, type Raster } from './opened.ts';
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
      if (alpha < LEAST_ALPHA) continue;
      for (let c = 0; c < 3; c += 1)
        drawn[to + c] = Math.round(((product.data[from + c] ?? 0) * alpha + 255 * (255 - alpha)) / 255);
    }
  }
  const shown = { data: drawn, width: frame.width, height: frame.height, channels: 3 };
  clearShine(shown, clearStray(shown));
  return shown;
}

/** Puts shadow and canvas colour behind a picture drawn on white, in place. @param under shadow of the frame's size */
export function layUnder(
  drawn: Raster,
  product: Raster,
  { left, top }: { left: number; top: number },
  canvas: string,
  under: Raster | undefined,
): void {
  const ground = [1, 3, 5].map((at) => Number.parseInt(canvas.slice(at, at + 2), 16));
  for (let y = 0, to = 0, at = 0; y < drawn.height; y += 1) {
    for (let x = 0; x < drawn.width; x += 1, to += 3, at += 4) {
      const alpha = alphaAt(product, x - left, y - top);
      // Cleared pixels show the canvas.
      const open = isWhite(drawn.data, to) ? 1 : 1 - alpha / 255;
      if (open === 0) continue;
      const cover = (under?.data[at + 3] ?? 0) / 255;
      for (let c = 0; c < 3; c += 1) {
        const below = (ground[c] ?? 255) * (1 - cover) + (under?.data[at + c] ?? 0) * cover;
        drawn.data[to + c] = Math.round((drawn.data[to + c] ?? 255) - open * (255 - below));
      }
    }
  }
}

const isWhite = (data: Uint8Array, at: number) => data[at] === 255 && data[at + 1] === 255 && data[at + 2] === 255;

function alphaAt({ data, width, height }: Raster, x: number, y: number): number {
  if (x < 0 || y < 0 || x >= width || y >= height) return 0;
  const alpha = data[(y * width + x) * 4 + 3] ?? 0;
  return alpha < LEAST_ALPHA ? 0 : alpha;
}

/** Draws the product over its shadow on transparency: RGBA. */
export function drawOnNothing(
  product: Raster,
  frame: Frame,
  { left, top }: { left: number; top: number },
  under: Raster | undefined,
): Raster {
  const data = under === undefined ? new Uint8Array(frame.width * frame.height * 4) : under.data;
  for (let y = 0; y < product.height; y += 1) {
    let from = y * product.width * 4;
    let to = ((y + top) * frame.width + left) * 4;
    for (let x = 0; x < product.width; x += 1, from += 4, to += 4) {
      const alpha = (product.data[from + 3] ?? 0) / 255;
      if (alpha === 0) continue;
      const below = ((data[to + 3] ?? 0) / 255) * (1 - alpha);
      const all = alpha + below;
      for (let c = 0; c < 3; c += 1)
        data[to + c] = Math.round(((product.data[from + c] ?? 0) * alpha + (data[to + c] ?? 0) * below) / all);
      data[to + 3] = Math.round(all * 255);
    }
  }
  return { data, width: frame.width, height: frame.height, channels: 4 };
}

/** True if something must be put behind the picture drawn on white. */
export const hasGround = (canvas: LookSettings['canvas'], under: Raster | undefined): boolean =>
  under !== undefined || canvas.toLowerCase() !== '#ffffff';
