import { NotToldApart, type Matter, type Report } from '../matting/matter.ts';
import { shrinkPicture, type DecodedPicture } from '../pixels/decode.ts';
import { resizePlane } from '../pixels/planes.ts';
import { mapFloats } from '../pixels/map.ts';

/** Pixels from the picture's top left corner; right and bottom are the first ones outside. */
export interface Box {
  left: number;
  top: number;
  right: number;
  bottom: number;
}

/** The product in a picture. */
export interface Subject {
  /** 0..1, of the picture's size. */
  alpha: Float32Array;
  box: Box;
  /** The photo cuts the product off at the bottom: it has no foot of its own. */
  isCutBelow: boolean;
}

const WORK_SIDE = 1024;
const MIN_SHARE = 0.004;

/** Finds the product, or undefined where there is none to be moved by itself: then the whole picture moves as one. */
export async function findSubject(
  picture: DecodedPicture,
  matter: Matter,
  report: Report,
): Promise<Subject | undefined> {
  const alpha = await findAlpha(picture, matter, report);
  if (!alpha) return undefined;
  const { width, height } = picture;
  const box = findBox(alpha, width, height);
  if (!box || (box.right - box.left) * (box.bottom - box.top) < MIN_SHARE * width * height) return undefined;
  const touch = 0.004 * Math.max(width, height);
  if (box.left <= touch || box.top <= touch || box.right >= width - touch) return undefined;
  return { alpha, box, isCutBelow: box.bottom >= height - touch };
}

async function findAlpha(picture: DecodedPicture, matter: Matter, report: Report): Promise<Float32Array | undefined> {
  if (picture.alpha) return mapFloats(picture.alpha, (value) => value / 255);
  const small = await shrinkPicture(picture, WORK_SIDE);
  try {
    const alpha = await matter.matte(small, report);
    return resizePlane(alpha, small.width, small.height, picture.width, picture.height);
  } catch (error) {
    if (error instanceof NotToldApart) return undefined;
    throw error;
  }
}

function findBox(alpha: Float32Array, width: number, height: number): Box | undefined {
  const box = { left: width, top: height, right: 0, bottom: 0 };
  for (let i = 0; i < alpha.length; i += 1) {
    if (alpha[i]! < 0.5) continue;
    const x = i % width;
    const y = (i - x) / width;
    if (x < box.left) box.left = x;
    if (x >= box.right) box.right = x + 1;
    if (y < box.top) box.top = y;
    if (y >= box.bottom) box.bottom = y + 1;
  }
  return box.right > box.left ? box : undefined;
}
