import type { Point, Rgb } from '../pixels/plane.ts';
import { lookAt, wholePicture } from './networks.ts';

/** In pixels of the picture; `score` 0..1 says how sure the network is. */
export type Joint = Point & { score: number };

const PARTS = ['Eye', 'Ear', 'Shoulder', 'Elbow', 'Wrist', 'Hip', 'Knee', 'Ankle'] as const;
type Name = 'nose' | `${'left' | 'right'}${(typeof PARTS)[number]}`;

/** In the network's order. */
const NAMES: Name[] = ['nose', ...PARTS.flatMap((part) => [`left${part}`, `right${part}`] as const)];

/** Left and right are the person's own. Joints below a confidence of 0.2, or outside the picture, are absent. */
export type Joints = Partial<Record<Name, Joint>>;

const HALF_PIXEL = 0.5 / 192; // places are counted from the middle of the first pixel, as mirrored pictures show
const LEAST_SCORE = 0.2;
const SURE_SCORE = 0.4;
const MIN_SURE_JOINTS = 3;

/**
 * The most prominent person's joints, or nothing: the network (MoveNet, single pose) sees one body only. A garment laid
 * flat, even a bottle, can pass for a body: whoever needs a person asks for a face too.
 */
export async function findJoints(picture: Rgb): Promise<Joints | undefined> {
  const { read, toPicture } = await lookAt('movenet', picture, wholePicture(picture));
  const values = read('joints'); // y, x and score of each
  const joints: Joints = {};
  for (const [n, name] of NAMES.entries()) {
    const [down = 0, across = 0, score = 0] = values.subarray(3 * n);
    const { x, y } = toPicture(across + HALF_PIXEL, down + HALF_PIXEL);
    const isInside = x >= 0 && y >= 0 && x < picture.width && y < picture.height;
    if (score > LEAST_SCORE && isInside) joints[name] = { x, y, score };
  }
  const sure = Object.values(joints).filter(({ score }) => score >= SURE_SCORE);
  return sure.length < MIN_SURE_JOINTS ? undefined : joints;
}
