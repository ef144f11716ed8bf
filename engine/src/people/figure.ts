/** A person's pose: the joints from which everything on the body is measured. */
import type { Joint, Joints } from './bodies.ts';
import type { Face } from './faces.ts';

export type Pose = {
  /** Missing where the photo ends at the neck. */
  face: Face | undefined;
  joints: Joints & { leftShoulder: Joint; rightShoulder: Joint };
  /** Pixels between the shoulder joints, the unit of all other measures. */
  shoulderWidth: number;
};

// default shoulders outside a portrait: face widths apart, and face heights below the chin
const DEFAULT_SHOULDERS = { apart: 2.2, below: 0.55 };
const SURE = 0.5; // confidence of a joint: without a face, shoulders need it to count as a person's
const MIN_SHOULDERS = 1.05; // face widths: least distance of the shoulders

/** Undefined if neither face nor shoulders are visible, or if the joints belong to another person than the face. */
export function readPose(face: Face | undefined, found: Joints = {}): Pose | undefined {
  const isPortrait = face !== undefined && (!found.leftShoulder || !found.rightShoulder);
  const joints = isPortrait ? estimateShoulders(face) : found;
  const { leftShoulder, rightShoulder } = joints;
  if (!leftShoulder || !rightShoulder) return undefined;
  const shoulderWidth = Math.hypot(leftShoulder.x - rightShoulder.x, leftShoulder.y - rightShoulder.y);
  if (face && (shoulderWidth < MIN_SHOULDERS * face.box.width || !isAbove(face, leftShoulder, rightShoulder))) {
    return undefined;
  }
  if (!face && Math.min(leftShoulder.score, rightShoulder.score) < SURE) return undefined;
  return { face, joints: { ...joints, leftShoulder, rightShoulder }, shoulderWidth };
}

function estimateShoulders({ box }: Face): Joints {
  const [middle, half] = [box.left + box.width / 2, (DEFAULT_SHOULDERS.apart / 2) * box.width];
  const y = box.top + (1 + DEFAULT_SHOULDERS.below) * box.height;
  return { leftShoulder: { x: middle + half, y, score: 0 }, rightShoulder: { x: middle - half, y, score: 0 } };
}

function isAbove({ box }: Face, one: Joint, other: Joint): boolean {
  const [left, right] = [Math.min(one.x, other.x), Math.max(one.x, other.x)];
  const middle = box.left + box.width / 2;
  const aside = 0.5 * (right - left);
  return middle > left - aside && middle < right + aside && box.top < Math.max(one.y, other.y);
}

const MAX_YAW_DEG = 45;
const FACING = 1.35; // face widths: frontal shoulders have 2 or more
const OFF_MIDDLE = 0.34; // of the shoulders' width, between nose and their centre

/** True for a person seen from the side, for whom the garment would have to be drawn from the side, too. */
export function isTurnedAway({ face, joints, shoulderWidth }: Pose): boolean {
  if (joints.leftShoulder.x < joints.rightShoulder.x) return true; // from the back
  if (!face) return false;
  const middle = (joints.leftShoulder.x + joints.rightShoulder.x) / 2;
  const off = Math.abs(face.box.left + face.box.width / 2 - middle);
  const isNarrow = shoulderWidth < FACING * face.box.width;
  return Math.abs(face.yawDeg) > MAX_YAW_DEG || isNarrow || off > OFF_MIDDLE * shoulderWidth;
}

const MIN_THIGH = 0.25; // shoulder widths from hip down to knee: 1.2 standing, half of it sitting on a chair

/** True for a crouching person or drawn-up knees, whose thighs hide clothes of the upper body. */
export function isBehindKnees({ joints, shoulderWidth }: Pose): boolean {
  const { leftHip, leftKnee, rightHip, rightKnee } = joints;
  const isShort = (hip: Joint | undefined, knee: Joint | undefined) =>
    hip !== undefined && knee !== undefined && knee.y - hip.y < MIN_THIGH * shoulderWidth;
  return isShort(leftHip, leftKnee) || isShort(rightHip, rightKnee);
}
