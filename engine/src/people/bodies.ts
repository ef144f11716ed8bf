import type { BodyLandmark } from '@vladmandic/human';
import type { Point, Rgb } from '../pixels/plane.ts';
import { lookForBody } from './networks.ts';

/** In pixels of the picture; `score` 0..1 says how sure the network is. */
export type Joint = Point & { score: number };

/**
 * Left and right are the person's own. Joints below a confidence of 0.2, or outside the picture, are absent.
 */
export type Joints = Partial<Record<BodyLandmark, Joint>>;

const MIN_SCORE = 0.4;
const MIN_SURE_JOINTS = 3;

/**
 * The most prominent person's joints, or nothing: the network (MoveNet, single pose) sees one body only. A garment laid
 * flat, even a bottle, can pass for a body: whoever needs a person asks for a face too.
 */
export async function findJoints(picture: Rgb): Promise<Joints | undefined> {
  const { result, toPicture } = await lookForBody(picture);
  const [body] = result.body;
  if (!body || body.score < MIN_SCORE) return undefined;
  const joints: Joints = {};
  for (const { part, position, score } of body.keypoints) {
    const { x, y } = toPicture(position[0], position[1]);
    if (x >= 0 && y >= 0 && x < picture.width && y < picture.height) joints[part] = { x, y, score };
  }
  const sure = Object.values(joints).filter(({ score }) => score >= MIN_SCORE);
  return sure.length < MIN_SURE_JOINTS ? undefined : joints;
}
