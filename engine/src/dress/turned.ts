import type { Joint } from '../people/bodies.ts';
import type { Pose } from '../people/figure.ts';

const MOST_YAW_DEG = 45;
const LEAST_SHOULDERS = 1.35; // face widths: from the front they are 2 and more
const OFF_MIDDLE = 0.34; // of the shoulders' width, between nose and their middle

/** Seen from the side the garment would have to be drawn from the side, too. */
export function isTurnedAway({ face, joints, shoulderWidth }: Pose): boolean {
  if (joints.leftShoulder.x < joints.rightShoulder.x) return true; // from the back
  if (!face) return false;
  const middle = (joints.leftShoulder.x + joints.rightShoulder.x) / 2;
  const off = Math.abs(face.box.left + face.box.width / 2 - middle);
  const isNarrow = shoulderWidth < LEAST_SHOULDERS * face.box.width;
  return Math.abs(face.yawDeg) > MOST_YAW_DEG || isNarrow || off > OFF_MIDDLE * shoulderWidth;
}

const LEAST_THIGH = 0.25; // shoulder widths from hip down to knee: 1.2 on who stands, half of it on who sits on a chair

/** Crouching or with knees drawn up: thighs lie before what is worn on the upper body. */
export function isBehindKnees({ joints, shoulderWidth }: Pose): boolean {
  const { leftHip, leftKnee, rightHip, rightKnee } = joints;
  const isShort = (hip: Joint | undefined, knee: Joint | undefined) =>
    hip !== undefined && knee !== undefined && knee.y - hip.y < LEAST_THIGH * shoulderWidth;
  return isShort(leftHip, leftKnee) || isShort(rightHip, rightKnee);
}
