/** Where a person stands in the picture: the joints that everything on the body is measured from. */
import type { Joint, Joints } from './bodies.ts';
import type { Face } from './faces.ts';

export type Pose = {
  /** Missing where the photo ends at the neck. */
  face: Face | undefined;
  joints: Joints & { leftShoulder: Joint; rightShoulder: Joint };
  /** Pixels between the shoulder joints: the measure of everything else. */
  shoulderWidth: number;
};

// where shoulders usually are that a portrait's edge hides: face widths apart, and face heights below the chin
const USUAL_SHOULDERS = { apart: 2.2, below: 0.55 };
const SURE = 0.5; // of a joint: without a face only sure shoulders are a person's
const LEAST_SHOULDERS = 1.05; // face widths

/** Nothing when neither face nor shoulders can be seen, or when the joints are another person's than the face. */
export function readPose(face: Face | undefined, found: Joints = {}): Pose | undefined {
  const isPortrait = face !== undefined && (!found.leftShoulder || !found.rightShoulder);
  const joints = isPortrait ? guessShoulders(face) : found;
  const { leftShoulder, rightShoulder } = joints;
  if (!leftShoulder || !rightShoulder) return undefined;
  const shoulderWidth = Math.hypot(leftShoulder.x - rightShoulder.x, leftShoulder.y - rightShoulder.y);
  if (face && (shoulderWidth < LEAST_SHOULDERS * face.box.width || !isAbove(face, leftShoulder, rightShoulder))) {
    return undefined;
  }
  if (!face && Math.min(leftShoulder.score, rightShoulder.score) < SURE) return undefined;
  return { face, joints: { ...joints, leftShoulder, rightShoulder }, shoulderWidth };
}

function guessShoulders({ box }: Face): Joints {
  const [middle, half] = [box.left + box.width / 2, (USUAL_SHOULDERS.apart / 2) * box.width];
  const y = box.top + (1 + USUAL_SHOULDERS.below) * box.height;
  return { leftShoulder: { x: middle + half, y, score: 0 }, rightShoulder: { x: middle - half, y, score: 0 } };
}

function isAbove({ box }: Face, one: Joint, other: Joint): boolean {
  const [left, right] = [Math.min(one.x, other.x), Math.max(one.x, other.x)];
  const middle = box.left + box.width / 2;
  const aside = 0.5 * (right - left);
  return middle > left - aside && middle < right + aside && box.top < Math.max(one.y, other.y);
}
