import { cutRgb, type Box, type Point, type Rgb } from '../pixels/plane.ts';
import { findJoints } from './bodies.ts';
import { lookForFaces, type Look } from './networks.ts';

export type Face = {
  /** Round the landmarks: brows' upper forehead to chin, cheek to cheek; without hair and ears. */
  box: Box;
  /** 0..1, the lesser of the detector's and the mesh's confidence. */
  score: number;
  /** MediaPipe's 468 landmarks, in their order. */
  points: Point[];
  /** How far behind the face's middle each landmark lies; in one unit for all of them, whatever it is. */
  depths: number[];
  /** 0 when the face looks straight at us; degrees. */
  pitchDeg: number;
  yawDeg: number;
  rollDeg: number;
};

const MIN_SCORE = 0.5;

/**
 * Every face of the picture, the largest first. A small head of a whole figure, which the detector overlooks, is looked
 * for a second time where the body's joints say that it must be.
 */
export async function findFaces(picture: Rgb): Promise<Face[]> {
  const found = readFaces(await lookForFaces(picture));
  if (found.length > 0) return found;
  const crop = await findHeadCrop(picture);
  if (!crop) return [];
  const { left, top } = crop;
  const { result, toPicture } = await lookForFaces(cutRgb(picture, crop));
  const shifted: Look['toPicture'] = (x, y) => {
    const at = toPicture(x, y);
    return { x: at.x + left, y: at.y + top };
  };
  return readFaces({ result, toPicture: shifted });
}

function readFaces({ result, toPicture }: Look): Face[] {
  const faces: Face[] = [];
  for (const face of result.face) {
    const score = Math.min(face.boxScore, face.faceScore);
    if (score < MIN_SCORE || face.mesh.length < 468) continue;
    const points = face.mesh.slice(0, 468).map(([x, y]) => toPicture(x, y));
    const { pitch = 0, yaw = 0, roll = 0 } = face.rotation?.angle ?? {};
    const toDegrees = (radians: number) => (radians * 180) / Math.PI;
    faces.push({
      box: boxAround(points),
      score,
      points,
      depths: face.mesh.slice(0, 468).map(([, , z]) => z ?? 0),
      pitchDeg: toDegrees(pitch),
      yawDeg: toDegrees(yaw),
      rollDeg: toDegrees(roll),
    });
  }
  return faces.sort((one, other) => other.box.width - one.box.width);
}

export function boxAround(points: readonly Point[]): Box {
  const left = Math.min(...points.map(({ x }) => x));
  const top = Math.min(...points.map(({ y }) => y));
  const right = Math.max(...points.map(({ x }) => x));
  const bottom = Math.max(...points.map(({ y }) => y));
  return { left, top, width: right - left, height: bottom - top };
}

/** A square two shoulder widths wide about the nose; nothing when no body shows both. */
async function findHeadCrop(picture: Rgb): Promise<Box | undefined> {
  const { nose, leftShoulder, rightShoulder } = (await findJoints(picture)) ?? {};
  if (!nose || !leftShoulder || !rightShoulder) return undefined;
  const side = 2 * Math.abs(leftShoulder.x - rightShoulder.x);
  const left = Math.max(0, Math.round(nose.x - side / 2));
  const top = Math.max(0, Math.round(nose.y - side / 2));
  const width = Math.min(picture.width - left, Math.round(side));
  const height = Math.min(picture.height - top, Math.round(side));
  return Math.min(width, height) < 48 ? undefined : { left, top, width, height };
}
