/** The one face that a skill needs, and what we say of a picture that shows none, several, or a part of one. */
import sharp from 'sharp';
import { toLabPlanes } from '../pixels/colour.ts';
import { shrinkRgb, squeezeRgb } from '../pixels/decode.ts';
import { clampBox, cutRgb, growBox, type Point, type Rgb, type Size } from '../pixels/plane.ts';
import { FieldProblem } from '../problem.ts';
import { type Face, findFaces, lookForFaces } from './faces.ts';
import { INNER_FACE, LEFT_EYE, OVAL, RIGHT_EYE } from './landmarks.ts';
import { pick } from './skin.ts';

const MIN_FACE_WIDTH = 64;
const TOO_SMALL = `The face is too small: it must be at least ${MIN_FACE_WIDTH} pixels wide. Use a photo taken closer.`;
const RIVAL_SHARE = 0.4; // of the largest face's width: smaller ones are passers-by
const RIVAL_FOCUS = 1 / 3; // of the largest face's: so are those that are out of focus

/** The one face of a picture; anything else is refused on `field`, in words for a seller. */
export async function getOnlyFace(picture: Rgb, field: string): Promise<Face> {
  const [face, ...others] = await findFaces(picture);
  const refuse = (sentence: string) => new FieldProblem(field, 'face_detection_error', sentence);
  if (!face) throw refuse('No face was found. Use a clear photo of one person who looks at the camera.');
  if (await hasRival(picture, face, others)) throw refuse('Several faces were found. Use a photo of one person.');
  if (face.box.width < MIN_FACE_WIDTH) throw refuse(TOO_SMALL);
  if (isCutOff(face, picture)) {
    throw refuse('The face is cut off by the edge of the photo. Use a photo that shows the whole face.');
  }
  if (await isTurnedOver(picture, face)) {
    throw refuse('The head lies on its side or upside down. Turn the photo so that the head is upright.');
  }
  return face;
}

async function hasRival(picture: Rgb, face: Face, others: Face[]): Promise<boolean> {
  const large = others.filter(({ box }) => box.width >= RIVAL_SHARE * face.box.width);
  if (large.length === 0) return false;
  const least = RIVAL_FOCUS * (await measureFocus(picture, face));
  const focuses = await Promise.all(large.map((other) => measureFocus(picture, other)));
  return focuses.some((focus) => focus >= least);
}

const FOCUS_SIDE = 64; // pixels: so faces of every size are compared

/** How crisp a face is: its finest detail (a Laplacian's mean) over its contrast. In focus .2 to .6, behind it .07. */
async function measureFocus(picture: Rgb, { box }: Face): Promise<number> {
  const size = { width: FOCUS_SIDE, height: FOCUS_SIDE };
  const { l } = toLabPlanes(await squeezeRgb(cutRgb(picture, clampBox(box, picture)), size));
  let [sum, count] = [0, 0];
  for (let i = FOCUS_SIDE + 1; i < l.length - FOCUS_SIDE - 1; i += 1) {
    if (i % FOCUS_SIDE === 0 || i % FOCUS_SIDE === FOCUS_SIDE - 1) continue;
    sum += Math.abs(4 * l[i]! - l[i - 1]! - l[i + 1]! - l[i - FOCUS_SIDE]! - l[i + FOCUS_SIDE]!);
    count += 1;
  }
  return sum / count / Math.max(1, measureDeviation(l));
}

/** The standard deviation of all values. */
function measureDeviation(plane: Float32Array): number {
  const mean = plane.reduce((sum, value) => sum + value, 0) / plane.length;
  return Math.sqrt(plane.reduce((sum, value) => sum + (value - mean) ** 2, 0) / plane.length);
}

// of the landmarks: from here on a visible part of the face is missing, an eye, the brows or the chin
const MOST_OUTSIDE = { inner: 0.1, whole: 0.25 };

/**
 * Whether a clear share of the face lies beyond the picture's edges; a sliver of cheek, chin or forehead does not
 * count.
 */
function isCutOff({ points }: Face, { width, height }: Size): boolean {
  const shareOutside = (landmarks: readonly number[]) => {
    const isOutside = ({ x, y }: Point) => x < 0 || y < 0 || x > width || y > height;
    return pick(points, landmarks).filter(isOutside).length / landmarks.length;
  };
  return shareOutside(INNER_FACE) > MOST_OUTSIDE.inner || shareOutside(OVAL) > MOST_OUTSIDE.whole;
}

const MOST_TILTED_DEG = 65; // a tilted head is levelled; beyond this the mesh begins to guess
const CLEARLY = 0.02; // an upright face turned over scores less than before, mostly by .1 and more

/**
 * Whether the head lies on its side or stands on its crown. The mesh network may draw an upright face over one that is
 * upside down: then its landmarks cannot tell. So the head is levelled and looked at once more both ways up, and the
 * surer look is believed.
 */
export async function isTurnedOver(picture: Rgb, face: Face): Promise<boolean> {
  const tilt = measureTilt(face);
  if (Math.abs(tilt) > MOST_TILTED_DEG) return true;
  const head = await shrinkRgb(cutRgb(picture, clampBox(growBox(face.box, 0.6), picture)), HEAD_SIDE);
  const turned = await scoreHead(head, 180 - tilt);
  return turned > 0 && turned > (await scoreHead(head, -tilt)) + CLEARLY;
}

/** From -180 to 180, clockwise as we see it: how far the line of the eyes is from level. */
function measureTilt({ points }: Face): number {
  const [right, left] = [points[RIGHT_EYE[0]]!, points[LEFT_EYE[0]]!];
  return (Math.atan2(left.y - right.y, left.x - right.x) * 180) / Math.PI;
}

const HEAD_SIDE = 384; // pixels; the networks see 256 of them

/** 0..1, of the surest face in the head turned clockwise; 0 when there is none. */
async function scoreHead({ data: pixels, width, height }: Rgb, turnDeg: number): Promise<number> {
  const { data, info } = await sharp(pixels, { raw: { width, height, channels: 3 } })
    .rotate(turnDeg, { background: '#808080' })
    .raw()
    .toBuffer({ resolveWithObject: true });
  const faces = await lookForFaces({ data, width: info.width, height: info.height });
  return Math.max(0, ...faces.map(({ score }) => score));
}
