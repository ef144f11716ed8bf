import { separate, type CutOutOptions } from '../cutout/cut-out.ts';
import { floodEvenBorder } from '../cutout/even-border.ts';
import type { Matting, Report } from '../cutout/matting.ts';
import type { Decoded } from '../pixels/decode.ts';
import { findBox, threshold } from '../pixels/mask.ts';
import { toAlpha, clampBox, cutPlane, cutRgb, type Box, type Plane, type Size } from '../pixels/plane.ts';

/** Pixels from the picture's top left corner; right and bottom are exclusive. */
export type Edges = { left: number; top: number; right: number; bottom: number };

/** The product in a picture. */
export type Subject = {
  /** 0..1, of the picture's size. */
  alpha: Plane;
  /** Foreground colours, interleaved sRGB of the picture's size, extended slightly beyond its edge. */
  colours: Uint8Array;
  box: Edges;
  /** False if another edge than the lower one cuts it off: then the whole picture moves as one. */
  canMove: boolean;
  /** True if the photo cuts the product off at the bottom, so that it has no foot. */
  isCutBelow: boolean;
};

const MIN_SHARE = 0.004;

/**
 * Detects the product, in pixels of this part of the picture; undefined if it is tiny. @throws UnclearProduct
 */
export async function findSubject(
  picture: Decoded,
  matting: Pick<Matting, 'find'>,
  report: Report,
  { part = wholeOf(picture), ...options }: CutOutOptions & { part?: Box } = {},
): Promise<Subject | undefined> {
  // copies, because a cut-out overwrites its photo; `slice` of a Buffer does not copy
  const own = { ...picture, data: new Uint8Array(picture.data) };
  if (picture.alpha) own.alpha = new Uint8Array(picture.alpha);
  const cutout = await separate(own, matting, report, options);
  const { width, height } = part;
  const partAlpha = cutPlane(toAlpha(picture, cutout.alpha), part);
  const found = findBox(threshold(partAlpha, 0.5), 0);
  if (!found || found.width * found.height < MIN_SHARE * width * height) return undefined;
  const { left, top } = found;
  const box = { left, top, right: left + found.width, bottom: top + found.height };
  const touch = 0.004 * Math.max(width, height);
  const canMove = left > touch && top > touch && box.right < width - touch;
  const colours = cutRgb(cutout, part).data;
  return { alpha: partAlpha, colours, box, canMove, isCutBelow: box.bottom >= height - touch };
}

const wholeOf = ({ width, height }: Size): Box => ({ left: 0, top: 0, width, height });

const DARK = 40; // of 255: brightest pixel of a black frame
const SOFT = 4; // px of the small copy: its soft edge in a JPEG

/** Crops a black frame, which would be extended beyond the picture; the whole picture if there is none. */
export function findWithinFrame(picture: Decoded, small: Decoded): Box {
  const isDark = !picture.alpha && Math.max(...picture.data.subarray(0, 3)) <= DARK;
  const framed = isDark ? floodEvenBorder(small)?.framed : undefined;
  if (!framed) return wholeOf(picture);
  const scale = picture.width / small.width;
  const box = {
    left: (framed.left + SOFT) * scale,
    top: (framed.top + SOFT) * scale,
    width: (framed.width - 2 * SOFT) * scale,
    height: (framed.height - 2 * SOFT) * scale,
  };
  return clampBox(box, picture);
}
