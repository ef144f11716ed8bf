// The cut-out, cropped and brought to the size it has in the scene.
import sharp from 'sharp';
import type { Cutout } from '../matting/cutout.ts';

export interface Product {
  width: number;
  height: number;
  rgb: Uint8Array;
  alpha: Uint8Array;
  /** Where its top left corner was in the upload; only of a product that the upload's border cuts off, as portraits are. */
  place?: { left: number; top: number };
}

const VISIBLE = 24; // of 255
const MARGIN = 3;
const CUT_SHARE = 0.12; // of the product's width or height, along one border

/** The part of the cut-out that holds the product. */
export function cropProduct({ width, height, rgb, alpha }: Cutout): Product {
  let [left, right, top, bottom] = [width, 0, height, 0];
  for (let i = 0; i < alpha.length; i += 1) {
    if (alpha[i]! < VISIBLE) continue;
    const x = i % width;
    const y = (i - x) / width;
    left = Math.min(left, x);
    right = Math.max(right, x);
    top = Math.min(top, y);
    bottom = Math.max(bottom, y);
  }
  left = Math.max(0, left - MARGIN);
  top = Math.max(0, top - MARGIN);
  const w = Math.min(width, right + 1 + MARGIN) - left;
  const h = Math.min(height, bottom + 1 + MARGIN) - top;
  const out = { width: w, height: h, rgb: new Uint8Array(w * h * 3), alpha: new Uint8Array(w * h) };
  for (let y = 0; y < h; y += 1) {
    const from = (top + y) * width + left;
    out.rgb.set(rgb.subarray(from * 3, (from + w) * 3), y * w * 3);
    out.alpha.set(alpha.subarray(from, from + w), y * w);
  }
  return isCutOff({ width, height, alpha }, right - left, bottom - top) ? { ...out, place: { left, top } } : out;
}

function isCutOff(picture: Pick<Cutout, 'width' | 'height' | 'alpha'>, wide: number, high: number): boolean {
  const { width, height, alpha } = picture;
  const countAlong = (start: number, step: number, length: number) => {
    let count = 0;
    for (let n = 0; n < length; n += 1) if (alpha[start + n * step]! > 127) count += 1;
    return count;
  };
  return (
    countAlong((height - 1) * width, 1, width) > CUT_SHARE * wide ||
    countAlong(0, 1, width) > CUT_SHARE * wide ||
    countAlong(0, width, height) > CUT_SHARE * high ||
    countAlong(width - 1, width, height) > CUT_SHARE * high
  );
}

/** One Lanczos step down. Colour and cover apart, so that inside the product the bytes are those of the resized upload. */
export async function scaleProduct(product: Product, scale: number): Promise<Product> {
  if (scale >= 1) return product;
  const width = Math.max(1, Math.round(product.width * scale));
  const height = Math.max(1, Math.round(product.height * scale));
  return {
    ...product,
    width,
    height,
    rgb: await resizeBytes(product.rgb, product, 3, width, height),
    alpha: await resizeBytes(product.alpha, product, 1, width, height),
  };
}

export async function resizeBytes(
  bytes: Uint8Array,
  from: { width: number; height: number },
  channels: 1 | 3 | 4,
  width: number,
  height: number,
): Promise<Buffer> {
  const raw = { raw: { width: from.width, height: from.height, channels } };
  const resized = sharp(bytes, raw).resize(width, height, { fit: 'fill', kernel: 'lanczos3' });
  return (channels === 1 ? resized.extractChannel(0) : resized).raw().toBuffer();
}
