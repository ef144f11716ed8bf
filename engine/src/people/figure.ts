/** A person as a whole: which pixels are theirs, from head to where the picture ends. */
import { ownMatting } from '../cutout/own-matting.ts';
import { shrinkRgb } from '../pixels/decode.ts';
import type { Box, Plane, Point, Rgb } from '../pixels/plane.ts';
import { resizePlane } from '../pixels/resize.ts';
import type { Joint, Joints } from './bodies.ts';
import type { Face } from './faces.ts';

export type Pose = {
  face: Face;
  joints: Joints & { leftShoulder: Joint; rightShoulder: Joint };
  /** Pixels between the shoulder joints: the measure of everything else. */
  shoulderWidth: number;
};

/** Nothing when a shoulder cannot be seen. */
export function readPose(face: Face, joints: Joints = {}): Pose | undefined {
  const { leftShoulder, rightShoulder } = joints;
  if (!leftShoulder || !rightShoulder) return undefined;
  const shoulderWidth = Math.hypot(leftShoulder.x - rightShoulder.x, leftShoulder.y - rightShoulder.y);
  if (shoulderWidth < face.box.width) return undefined;
  return { face, joints: { ...joints, leftShoulder, rightShoulder }, shoulderWidth };
}

const BESIDE = 0.7; // shoulder widths beside the joints: arms hang there

/** 0..1 per pixel: how much of it is the person, who stands where the pose says. */
export function findFigure(picture: Rgb, { face: { box }, joints, shoulderWidth }: Pose): Promise<Plane> {
  const columns = [box.left, box.left + box.width, ...Object.values(joints).map(({ x }) => x)];
  const aside = BESIDE * shoulderWidth;
  return coverPerson(picture, box, Math.min(...columns) - aside, Math.max(...columns) + aside);
}

const WORK_SIDE = 900; // pixels of the long side: edges finer than this only cost time
const ABOVE = 0.9; // face heights above the mesh: skull and hair

/** 0..1 per pixel: how much of it is the person with this face, from hair to feet, between two columns. */
export async function coverPerson(picture: Rgb, face: Box, left: number, right: number): Promise<Plane> {
  const { width, height } = picture;
  const top = Math.max(0, face.top - ABOVE * face.height);
  const box = [Math.max(0, left) / width, top / height, Math.min(width, right) / width, 1] as const;
  const small = await shrinkRgb(picture, WORK_SIDE);
  return resizePlane(await ownMatting.find(small, async () => {}, { box: [...box] }), picture);
}

/** Shoulders to hips; hips out of sight are taken to be one and a half shoulder widths down. */
export function outlineTorso({ joints, shoulderWidth }: Pose, height: number): Point[] {
  const { leftShoulder, rightShoulder, leftHip, rightHip } = joints;
  const below = (point: Point) => ({ x: point.x, y: Math.min(height, point.y + 1.5 * shoulderWidth) });
  return [rightShoulder, leftShoulder, leftHip ?? below(leftShoulder), rightHip ?? below(rightShoulder)];
}
