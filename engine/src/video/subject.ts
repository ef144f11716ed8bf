import { separate, type CutOutOptions } from '../cutout/cut-out.ts';
import type { Matting, Report } from '../cutout/matting.ts';
import type { Decoded } from '../pixels/decode.ts';
import { findBox, threshold } from '../pixels/mask.ts';
import { toAlpha, cutPlane, cutRgb, type Box, type Plane, type Size } from '../pixels/plane.ts';

/** Pixels from the picture's top left corner; right and bottom are exclusive. */
export type Edges = { left: number; top: number; right: number; bottom: number };

/** The product in a picture. */
export type Subject = {
  /** 0..1, of the picture's size. */
  alpha: Plane;
  /** Foreground colours, interleaved sRGB of the picture's size, extended slightly beyond its edge. */
  colours: Uint8Array;
  box: Edges;
  /** True if the photo cuts the product off at the bottom, so that it has no foot. */
  isCutBelow: boolean;
};

const MIN_SHARE = 0.004;

const sizeOf = ({ width, height }: Size): Size => ({ width, height });

/**
 * Detects the product, in pixels of this part of the picture. Undefined if it cannot move separately, because an edge
 * cuts it off or it is tiny: then the whole picture moves as one. @throws UnclearProduct
 */
export async function findSubject(
  picture: Decoded,
  matting: Pick<Matting, 'find'>,
  report: Report,
  { part = { left: 0, top: 0, ...sizeOf(picture) }, ...options }: CutOutOptions & { part?: Box } = {},
): Promise<Subject | undefined> {
  // copies, because a cut-out overwrites its photo; `slice` of a Buffer does not copy
  const own = { ...sizeOf(picture), data: new Uint8Array(picture.data) };
  const alpha = picture.alpha && new Uint8Array(picture.alpha);
  const cutout = await separate(alpha ? { ...own, alpha } : own, matting, report, options);
  const { width, height } = part;
  const partAlpha = cutPlane(toAlpha(picture, cutout.alpha), part);
  const found = findBox(threshold(partAlpha, 0.5), 0);
  if (!found || found.width * found.height < MIN_SHARE * width * height) return undefined;
  const { left, top } = found;
  const box = { left, top, right: left + found.width, bottom: top + found.height };
  const touch = 0.004 * Math.max(width, height);
  if (left <= touch || top <= touch || box.right >= width - touch) return undefined;
  const colours = cutRgb({ ...sizeOf(picture), data: cutout.rgb }, part).data;
  return { alpha: partAlpha, colours, box, isCutBelow: box.bottom >= height - touch };
}
