import { separate } from '../cutout/cut-out.ts';
import type { Marks } from '../cutout/marks.ts';
import { UnclearProduct, type Matting, type Report } from '../cutout/matting.ts';
import type { Decoded } from '../pixels/decode.ts';
import { findBox, threshold } from '../pixels/mask.ts';
import { coverOf, type Plane } from '../pixels/plane.ts';

/** Pixels from the picture's top left corner; right and bottom are the first ones outside. */
export type Edges = { left: number; top: number; right: number; bottom: number };

/** The product in a picture. */
export type Subject = {
  /** 0..1, of the picture's size. */
  alpha: Plane;
  /** Its own, interleaved sRGB of the picture's size; they run on a little beyond its edge. */
  colours: Uint8Array;
  box: Edges;
  /** The photo cuts the product off at the bottom: it has no foot of its own. */
  isCutBelow: boolean;
};

const MIN_SHARE = 0.004;

/** Finds the product, or undefined where there is none to be moved by itself: then the whole picture moves as one. */
export async function findSubject(
  picture: Decoded,
  matting: Pick<Matting, 'find'>,
  report: Report,
  marks?: Marks,
): Promise<Subject | undefined> {
  const { width, height, data } = picture;
  // copies, because a cut-out is painted over its photo; `slice` of a Buffer would be none
  const alpha = picture.alpha && new Uint8Array(picture.alpha);
  const own = { width, height, data: new Uint8Array(data), ...(alpha && { alpha }) };
  const cutout = await separate(own, matting, report, { marks }).catch((error: unknown) => {
    if (!(error instanceof UnclearProduct)) throw error;
    return undefined;
  });
  if (!cutout) return undefined;
  const cover = coverOf(picture, cutout.alpha);
  const found = findBox(threshold(cover, 0.5), 0);
  if (!found || found.width * found.height < MIN_SHARE * width * height) return undefined;
  const { left, top } = found;
  const box = { left, top, right: left + found.width, bottom: top + found.height };
  const touch = 0.004 * Math.max(width, height);
  if (left <= touch || top <= touch || box.right >= width - touch) return undefined;
  return { alpha: cover, colours: cutout.rgb, box, isCutBelow: box.bottom >= height - touch };
}
