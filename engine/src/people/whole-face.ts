/**
 * Whether a found face stands upright and lies in the picture: the networks give landmarks to half a face and to one
 * upside down too.
 */
import sharp from 'sharp';
import { shrinkRgb } from '../pixels/decode.ts';
import { clampBox, cutRgb, growBox, type Point, type Rgb, type Size } from '../pixels/plane.ts';
import { lookForFaces, type Face } from './faces.ts';
import { INNER_FACE, LEFT_EYE, OVAL, RIGHT_EYE } from './landmarks.ts';
import { pick } from './skin.ts';

// of the landmarks: from here on a visible part of the face is missing, an eye, the brows or the chin
const MOST_OUTSIDE = { inner: 0.1, whole: 0.25 };

/**
 * Whether a clear share of the face lies beyond the picture's edges; a sliver of cheek, chin or forehead does not
 * count.
 */
export function isCutOff({ points }: Face, { width, height }: Size): boolean {
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
