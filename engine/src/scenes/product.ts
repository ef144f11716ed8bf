/** The cut-out product, cropped, and scaled or turned for a scene. */
import sharp from 'sharp';
import { findBox } from '../pixels/mask.ts';
import { resizeBytes } from '../pixels/decode.ts';
import { cutRgb, scaleSize, type Box } from '../pixels/plane.ts';
import type { Cutout } from '../cutout/cut-out.ts';

/** The product alone; `left` and `top`: its top left corner in the upload. */
export type Product = Cutout & {
  left: number;
  top: number;
  /** True if a border of the upload cuts it off, as in portraits. */
  isCut: boolean;
  /** True if that is the lower border: its foot is not in the picture. */
  isCutBelow: boolean;
};

/** Of 255: lower alpha is not visible. */
export const VISIBLE = 24;
const MARGIN = 3;
const CUT_SHARE = 0.12; // of the product's width or height: share along a border that counts as cut off

/** Crops a cut-out to its product. */
export function cropProduct(cutout: Cutout): Product {
  const { width, alpha } = cutout;
  const mask = { ...cutout, data: alpha };
  const [inner, box] = [findBox(mask, 0, VISIBLE), findBox(mask, MARGIN, VISIBLE)];
  if (!inner || !box) throw new Error('a cut-out shows nothing');
  const rows = Array.from({ length: box.height }, (_, y) => (box.top + y) * width + box.left);
  return {
    ...box,
    data: cutRgb(cutout, box).data,
    alpha: Buffer.concat(rows.map((from) => alpha.subarray(from, from + box.width))),
    ...findCuts(cutout, inner.width - 1, inner.height - 1),
  };
}

/** @param wide, high size in pixels of the visible part */
function findCuts({ width, height, alpha }: Cutout, wide: number, high: number) {
  const isCutAlong = (start: number, step: number, length: number, side: number) => {
    let count = 0;
    for (let n = 0; n < length; n += 1) if (alpha[start + n * step]! > 127) count += 1;
    return count > CUT_SHARE * side;
  };
  const isCutBelow = isCutAlong((height - 1) * width, 1, width, wide);
  const isCutAside = isCutAlong(0, width, height, high) || isCutAlong(width - 1, width, height, high);
  return { isCut: isCutBelow || isCutAside || isCutAlong(0, 1, width, wide), isCutBelow };
}

/**
 * Scales the product, or a part of it (in pixels of the new size), in one Lanczos step. Colour and alpha are resized
 * separately, so that inside the product the bytes are those of the resized upload.
 */
export async function scaleProduct(product: Product, scale: number, part?: Box): Promise<Product> {
  const size = scaleSize(product, scale);
  const draw = (bytes: Uint8Array, channels: 1 | 3) => resizeBytes(bytes, product, channels, size, part);
  const { width, height } = part ?? size;
  return { ...product, width, height, data: await draw(product.data, 3), alpha: await draw(product.alpha, 1) };
}

/** Turns it clockwise about its centre, which keeps its position in the upload. */
export async function turnProduct(product: Product, degrees: number): Promise<Product> {
  if (degrees === 0) return product;
  const turn = (bytes: Uint8Array, channels: 1 | 3) => {
    const raw = { raw: { width: product.width, height: product.height, channels } };
    const turned = sharp(bytes, raw).rotate(degrees, { background: '#000' });
    return (channels === 1 ? turned.extractChannel(0) : turned).raw().toBuffer({ resolveWithObject: true });
  };
  const [colour, { data: alpha }] = [await turn(product.data, 3), await turn(product.alpha, 1)];
  const { width, height } = colour.info;
  const left = Math.round(product.left + (product.width - width) / 2);
  const top = Math.round(product.top + (product.height - height) / 2);
  return { ...product, width, height, left, top, data: colour.data, alpha };
}
