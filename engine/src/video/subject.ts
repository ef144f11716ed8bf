import { separate, type CutOutOptions } from '../cutout/cut-out.ts';
import type { Matting, Report } from '../cutout/matting.ts';
import type { Decoded } from '../pixels/decode.ts';
import { findBox, threshold } from '../pixels/mask.ts';
import { toAlpha, type Plane } from '../pixels/plane.ts';

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

/** Detects the product; undefined if it is tiny. @throws UnclearProduct */
export async function findSubject(
  picture: Decoded,
  matting: Pick<Matting, 'find'>,
  report: Report,
  options: CutOutOptions = {},
): Promise<Subject | undefined> {
  // copies, because a cut-out overwrites its photo; `slice` of a Buffer does not copy
  const own = { ...picture, data: new Uint8Array(picture.data) };
  if (picture.alpha) own.alpha = new Uint8Array(picture.alpha);
  const cutout = await separate(own, matting, report, options);
  const { width, height } = picture;
  const alpha = toAlpha(picture, cutout.alpha);
  const found = findBox(threshold(alpha, 0.5), 0);
  if (!found || found.width * found.height < MIN_SHARE * width * height) return undefined;
  const { left, top } = found;
  const box = { left, top, right: left + found.width, bottom: top + found.height };
  const touch = 0.004 * Math.max(width, height);
  const canMove = left > touch && top > touch && box.right < width - touch;
  return { alpha, colours: cutout.data, box, canMove, isCutBelow: box.bottom >= height - touch };
}
