import { enforceMarks } from '../cutout/enforce.ts';
import type { Marks } from '../cutout/marks.ts';
import { UnclearProduct, type Matting, type Report } from '../cutout/matting.ts';
import { shrinkRgb, type Decoded } from '../pixels/decode.ts';
import { mapBytes } from '../pixels/map.ts';
import { findBox } from '../pixels/mask.ts';
import { coverOf, type Plane } from '../pixels/plane.ts';
import { resizePlane } from '../pixels/resize.ts';

/** Pixels from the picture's top left corner; right and bottom are the first ones outside. */
export type Edges = {
  left: number;
  top: number;
  right: number;
  bottom: number;
};

/** The product in a picture. */
export type Subject = {
  /** 0..1, of the picture's size. */
  alpha: Plane;
  box: Edges;
  /** The photo cuts the product off at the bottom: it has no foot of its own. */
  isCutBelow: boolean;
};

const WORK_SIDE = 1024;
const MIN_SHARE = 0.004;

/** Finds the product, or undefined where there is none to be moved by itself: then the whole picture moves as one. */
export async function findSubject(
  picture: Decoded,
  matting: Pick<Matting, 'find'>,
  report: Report,
  marks?: Marks,
): Promise<Subject | undefined> {
  const alpha = await findAlpha(picture, matting, report, marks);
  if (!alpha) return undefined;
  const { width, height } = picture;
  const box = findEdges(alpha);
  if (!box || (box.right - box.left) * (box.bottom - box.top) < MIN_SHARE * width * height) return undefined;
  const touch = 0.004 * Math.max(width, height);
  if (box.left <= touch || box.top <= touch || box.right >= width - touch) return undefined;
  return { alpha, box, isCutBelow: box.bottom >= height - touch };
}

async function findAlpha(
  picture: Decoded,
  matting: Pick<Matting, 'find'>,
  report: Report,
  marks: Marks | undefined,
): Promise<Plane | undefined> {
  if (picture.alpha) {
    const own = coverOf(picture, picture.alpha);
    return marks ? enforceMarks(picture, own, marks) : own;
  }
  const small = await shrinkRgb(picture, WORK_SIDE);
  try {
    return resizePlane(await matting.find(small, report, marks), picture);
  } catch (error) {
    if (error instanceof UnclearProduct) return undefined;
    throw error;
  }
}

/** What is covered by half or more; undefined where nothing is. */
export function findEdges(alpha: Plane): Edges | undefined {
  const box = findBox({ ...alpha, data: mapBytes(alpha.data, (value) => (value >= 0.5 ? 1 : 0)) }, 0);
  return box && { left: box.left, top: box.top, right: box.left + box.width, bottom: box.top + box.height };
}
