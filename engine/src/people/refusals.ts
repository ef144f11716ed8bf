/** Finds the single face that a skill needs; refuses pictures with none, several, or part of one. */
import sharp from 'sharp';
import { shrinkRgb, squeezeRgb } from '../pixels/decode.ts';
import { clampBox, cutRgb, growBox, type Point, type Rgb, type Size } from '../pixels/plane.ts';
import { Refusal } from '../refusal.ts';
import { type Face, findFaces, detectFaces } from './faces.ts';
import { INNER_FACE, LEFT_EYE, OVAL, RIGHT_EYE } from './landmarks.ts';
import { pick } from './skin.ts';

const MIN_FACE_WIDTH = 64;
const TOO_SMALL = `The face is too small: it must be at least ${MIN_FACE_WIDTH} pixels wide. Use a photo taken closer.`;
const RIVAL_SHARE = 0.4; // of the largest face's width: smaller ones are passers-by
const RIVAL_FOCUS = 1 / 3; // of the largest face's sharpness: blurred faces are passers-by, too

/** The only face of a picture. @throws Refusal */
export async function getOnlyFace(picture: Rgb): Promise<Face> {
  const [face, ...others] = await findFaces(picture);
  if (!face) throw new Refusal('No face was found. Use a clear photo of one person who looks at the camera.');
  if (await hasRival(picture, face, others)) throw new Refusal('Several faces were found. Use a photo of one person.');
  if (face.box.width < MIN_FACE_WIDTH) throw new Refusal(TOO_SMALL);
  if (isCutOff(face, picture)) {
    throw new Refusal('The face is cut off by the edge of the photo. Use a photo that shows the whole face.');
  }
  if (await isTurnedOver(picture, face)) {
    throw new Refusal('The head lies on its side or upside down. Turn the photo so that the head is upright.');
  }
  return face;
}

async function hasRival(picture: Rgb, face: Face, others: Face[]): Promise<boolean> {
  const large = others.filter(({ box }) => box.width >= RIVAL_SHARE * face.box.width);
  if (large.length === 0) return false;
  const minFocus = RIVAL_FOCUS * (await measureFocus(picture, face));
  const focuses = await Promise.all(large.map((other) => measureFocus(picture, other)));
  return focuses.some((focus) => focus >= minFocus);
}

const FOCUS_SIZE = { width: 64, height: 64 }; // pixels: size at which faces are compared

/** Sharpness of a face: deviation of its Laplacian (by sharp) over contrast. */
async function measureFocus(picture: Rgb, { box }: Face): Promise<number> {
  const { width, height, data } = await squeezeRgb(cutRgb(picture, clampBox(box, picture)), FOCUS_SIZE);
  const { sharpness, channels } = await sharp(data, { raw: { width, height, channels: 3 } }).stats();
  return sharpness / Math.max(1, channels[1]!.stdev);
}

// of the landmarks: above it an eye, the brows or the chin is missing
const MAX_OUTSIDE = { inner: 0.1, whole: 0.25 };

/** True if a clear share of the face is beyond the picture's edges; a sliver of cheek, chin or forehead may be. */
function isCutOff({ points }: Face, { width, height }: Size): boolean {
  const shareOutside = (landmarks: readonly number[]) => {
    const isOutside = ({ x, y }: Point) => x < 0 || y < 0 || x > width || y > height;
    return pick(points, landmarks).filter(isOutside).length / landmarks.length;
  };
  return shareOutside(INNER_FACE) > MAX_OUTSIDE.inner || shareOutside(OVAL) > MAX_OUTSIDE.whole;
}

const MAX_TILTED_DEG = 65; // a tilted head is levelled; beyond this the mesh is unreliable
const CLEARLY = 0.02; // an upright face scores lower upside down, mostly by .1 or more

/**
 * True if the head is on its side or upside down. The mesh network may fit an upright face to an upside-down one, so
 * its landmarks do not suffice: the head is levelled and detected both ways up, and the higher score decides.
 */
export async function isTurnedOver(picture: Rgb, face: Face): Promise<boolean> {
  const tilt = measureTilt(face);
  if (Math.abs(tilt) > MAX_TILTED_DEG) return true;
  const head = await shrinkRgb(cutRgb(picture, clampBox(growBox(face.box, 0.6), picture)), HEAD_SIDE);
  const turned = await scoreHead(head, 180 - tilt);
  return turned > 0 && turned > (await scoreHead(head, -tilt)) + CLEARLY;
}

/** Rotation of the line of the eyes, clockwise, -180 to 180 degrees. */
function measureTilt({ points }: Face): number {
  const [right, left] = [points[RIGHT_EYE[0]]!, points[LEFT_EYE[0]]!];
  return (Math.atan2(left.y - right.y, left.x - right.x) * 180) / Math.PI;
}

const HEAD_SIDE = 384; // pixels; the networks use 256

/** The highest face score 0..1 in the head rotated clockwise; 0 without a face. */
async function scoreHead({ data: pixels, width, height }: Rgb, turnDeg: number): Promise<number> {
  const { data, info } = await sharp(pixels, { raw: { width, height, channels: 3 } })
    .rotate(turnDeg, { background: '#808080' })
    .raw()
    .toBuffer({ resolveWithObject: true });
  const faces = await detectFaces({ data, width: info.width, height: info.height });
  return Math.max(0, ...faces.map(({ score }) => score));
}
