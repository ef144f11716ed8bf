// From a picture file to a cut-out at full size: what both skills begin with.
import { decodePicture, shrinkPicture, type Picture } from '../pixels/decode.ts';
import { resizePlane } from '../pixels/planes.ts';
import { FieldProblem, NOT_TOLD_APART } from '../problem.ts';
import { estimateForeground } from './foreground.ts';
import { growAlpha, paintForeground } from './full-size.ts';
import { NotToldApart, type Matter, type Report } from './matter.ts';

/** The product alone: its own colours, running on a little beyond its edge, and how much of each pixel it covers. */
export interface Cutout {
  width: number;
  height: number;
  rgb: Uint8Array;
  alpha: Uint8Array;
}

const WORK_SIDE = 1024;

export async function cutOut(path: string, field: string, matter: Matter, report: Report): Promise<Cutout> {
  await report(5, 'Reading the picture');
  const picture = await decodePicture(path, field);
  const small = await shrinkPicture(picture, WORK_SIDE);
  const alpha = picture.alpha
    ? resizePlane(
        Float32Array.from(picture.alpha, (a) => a / 255),
        picture.width,
        picture.height,
        small.width,
        small.height,
      )
    : await matteOrRefuse(small, field, matter, report);
  await report(75, 'Cleaning the fringe');
  const front = estimateForeground(small, alpha);
  await report(85, 'Rendering full size');
  const full = picture.alpha ?? growAlpha(picture, small, alpha);
  return {
    width: picture.width,
    height: picture.height,
    alpha: full,
    rgb: paintForeground(picture, full, front, small),
  };
}

async function matteOrRefuse(small: Picture, field: string, matter: Matter, report: Report): Promise<Float32Array> {
  try {
    return await matter.matte(small, report);
  } catch (error) {
    if (!(error instanceof NotToldApart)) throw error;
    throw new FieldProblem(field, 'no_media_generated', NOT_TOLD_APART, { cause: error });
  }
}
