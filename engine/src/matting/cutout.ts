// From a picture file to a cut-out at full size: what both skills begin with.
import { isBlank } from '../pixels/blank.ts';
import { decodePicture, shrinkPicture, type DecodedPicture, type Picture } from '../pixels/decode.ts';
import { resizePlane } from '../pixels/planes.ts';
import { FieldProblem, NOT_TOLD_APART } from '../problem.ts';
import { mapFloats } from '../pixels/map.ts';
import { estimateForeground } from './foreground.ts';
import { growAlpha, paintForeground, paintGlass } from './full-size.ts';
import type { Glass } from './glass.ts';
import { NotToldApart, type Matter, type Report } from './matter.ts';

/** The product alone: its own colours, running on a little beyond its edge, and how much of each pixel it covers. */
export interface Cutout {
  width: number;
  height: number;
  rgb: Uint8Array;
  alpha: Uint8Array;
}

const WORK_SIDE = 1024;

/** `mostSide` bounds the cut-out's long side in pixels, for those who do not need every pixel of a very large upload. */
export async function cutOut(
  path: string,
  field: string,
  matter: Matter,
  report: Report,
  mostSide = Infinity,
): Promise<Cutout> {
  await report(5, 'Reading the picture');
  const decoded = await decodePicture(path, field);
  if (!decoded.alpha && isBlank(decoded)) throw new FieldProblem(field, 'no_media_generated', NOT_TOLD_APART);
  const picture: DecodedPicture = decoded.alpha ? decoded : await shrinkPicture(decoded, mostSide);
  const small = await shrinkPicture(picture, WORK_SIDE);
  const found = picture.alpha
    ? { alpha: shrinkCover(picture.alpha, picture, small) }
    : await matteOrRefuse(small, field, matter, report);
  await report(75, 'Cleaning the fringe');
  if ('behind' in found) {
    const cover = paintGlass(picture, small, found);
    return { width: picture.width, height: picture.height, alpha: cover, rgb: picture.rgb };
  }
  const { alpha } = found;
  const front = estimateForeground(small, alpha);
  await report(85, 'Rendering full size');
  const full = picture.alpha ?? growAlpha(picture, small, alpha);
  paintForeground(picture, full, front, small);
  return { width: picture.width, height: picture.height, alpha: full, rgb: picture.rgb };
}

function shrinkCover(alpha: Uint8Array, { width, height }: Picture, small: Picture): Float32Array {
  const cover = mapFloats(alpha, (a) => a / 255);
  return resizePlane(cover, width, height, small.width, small.height);
}

/** What is opaque, or clear glass where nothing is. */
async function matteOrRefuse(
  small: Picture,
  field: string,
  matter: Matter,
  report: Report,
): Promise<{ alpha: Float32Array } | Glass> {
  try {
    return { alpha: await matter.matte(small, report) };
  } catch (error) {
    if (!(error instanceof NotToldApart)) throw error;
    await report(60, 'Looking for clear glass');
    const glass = await matter.findGlass?.(small);
    if (glass) return glass;
    throw new FieldProblem(field, 'no_media_generated', NOT_TOLD_APART, { cause: error });
  }
}
