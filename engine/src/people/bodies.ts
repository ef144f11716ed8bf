import type { Rgb } from '../pixels/plane.ts';
import { lookForBody } from './networks.ts';

export const JOINTS = [
  'nose',
  'leftEye',
  'rightEye',
  'leftEar',
  'rightEar',
  'leftShoulder',
  'rightShoulder',
  'leftElbow',
  'rightElbow',
  'leftWrist',
  'rightWrist',
  'leftHip',
  'rightHip',
  'leftKnee',
  'rightKnee',
  'leftAnkle',
  'rightAnkle',
] as const;
export type JointName = (typeof JOINTS)[number];

/** In pixels of the picture; `score` 0..1 says how sure the network is. Left and right are the person's own. */
export type Joint = {
  x: number;
  y: number;
  score: number;
};

export type Body = {
  /** 0..1, of the surest joint. */
  score: number;
  /** Joints below a confidence of 0.2, or outside the picture, are absent. */
  joints: Partial<Record<JointName, Joint>>;
};

const MIN_SCORE = 0.4;
const MIN_SURE_JOINTS = 3;

/**
 * The most prominent person's pose, or nothing: the network (MoveNet, single pose) sees one body only. A garment laid
 * flat, even a bottle, can pass for a body: whoever needs a person asks for a face too.
 */
export async function findBodies(picture: Rgb): Promise<Body[]> {
  const { result, toPicture } = await lookForBody(picture);
  const [body] = result.body;
  if (!body || body.score < MIN_SCORE) return [];
  const joints: Body['joints'] = {};
  for (const { part, position, score } of body.keypoints) {
    const name = JOINTS.find((joint) => joint === part);
    const at = toPicture(position[0], position[1]);
    if (name && isInside(at, picture)) joints[name] = { ...at, score };
  }
  const sure = Object.values(joints).filter(({ score }) => score >= MIN_SCORE);
  return sure.length < MIN_SURE_JOINTS ? [] : [{ score: body.score, joints }];
}

function isInside({ x, y }: { x: number; y: number }, { width, height }: Rgb): boolean {
  return x >= 0 && y >= 0 && x < width && y < height;
}
