/** A person as a whole: which pixels are theirs, from head to where the picture ends. */
import { ownMatting } from '../cutout/own-matting.ts';
import { shrinkRgb } from '../pixels/decode.ts';
import type { Box, Plane, Point, Rgb } from '../pixels/plane.ts';
import { resizePlane } from '../pixels/resize.ts';
import type { Body } from './bodies.ts';
import type { Face } from './faces.ts';

export type Pose = {
  face: Face;
  joints: Body['joints'];
  /** Pixels between the shoulder joints: the measure of everything else. */
  shoulderWidth: number;
};

/** Nothing when a shoulder cannot be seen. */
export function readPose(face: Face, body: Body | undefined): Pose | undefined {
  const { leftShoulder, rightShoulder } = body?.joints ?? {};
  if (!body || !leftShoulder || !rightShoulder) return undefined;
  const shoulderWidth = Math.hypot(leftShoulder.x - rightShoulder.x, leftShoulder.y - rightShoulder.y);
  return shoulderWidth < face.box.width ? undefined : { face, joints: body.joints, shoulderWidth };
}

const WORK_SIDE = 900; // pixels of the long side: edges finer than this only cost time
const ABOVE = 0.9; // face heights above the mesh: skull and hair
const BESIDE = 0.7; // shoulder widths beside the joints: arms hang there

/** 0..1 per pixel: how much of it is the person, who stands where the pose says. */
export async function findFigure(picture: Rgb, pose: Pose): Promise<Plane> {
  const small = await shrinkRgb(picture, WORK_SIDE);
  const { width, height } = picture;
  const { left, top, width: wide, height: tall } = boxPerson(pose, picture);
  const box: [number, number, number, number] = [
    left / width,
    top / height,
    (left + wide) / width,
    (top + tall) / height,
  ];
  return resizePlane(await ownMatting.find(small, async () => {}, { box }), picture);
}

/** Wherever the person may be: hair, arms and all that hangs down. */
function boxPerson({ face, joints, shoulderWidth }: Pose, { width, height }: Rgb): Box {
  const places = Object.values(joints);
  const aside = BESIDE * shoulderWidth;
  const left = Math.max(0, Math.min(face.box.left, ...places.map(({ x }) => x)) - aside);
  const right = Math.min(width, Math.max(face.box.left + face.box.width, ...places.map(({ x }) => x)) + aside);
  const top = Math.max(0, face.box.top - ABOVE * face.box.height);
  return { left, top, width: right - left, height: height - top };
}

/** Shoulders to hips; hips out of sight are taken to be one and a half shoulder widths down. */
export function outlineTorso(joints: Body['joints'], shoulderWidth: number, height: number): Point[] {
  const { leftShoulder, rightShoulder, leftHip, rightHip } = joints;
  if (!leftShoulder || !rightShoulder) return [];
  const below = (point: Point) => ({ x: point.x, y: Math.min(height, point.y + 1.5 * shoulderWidth) });
  return [rightShoulder, leftShoulder, leftHip ?? below(leftShoulder), rightHip ?? below(rightShoulder)];
}

/** A bar along a bone, `beyond` pixels longer at its end. */
export function outlineBone(start: Point, end: Point, halfWidth: number, beyond: number): Point[] {
  const length = Math.max(1, Math.hypot(end.x - start.x, end.y - start.y));
  const ux = (end.x - start.x) / length;
  const uy = (end.y - start.y) / length;
  const tip = { x: end.x + ux * beyond, y: end.y + uy * beyond };
  return [
    { x: start.x - uy * halfWidth, y: start.y + ux * halfWidth },
    { x: tip.x - uy * halfWidth, y: tip.y + ux * halfWidth },
    { x: tip.x + uy * halfWidth, y: tip.y - ux * halfWidth },
    { x: start.x + uy * halfWidth, y: start.y - ux * halfWidth },
  ];
}
