import type { Point, Rgb } from '../pixels/plane.ts';
import { runNetwork, wholePicture } from './networks.ts';

/** In pixels of the picture; `score` 0..1 is the network's confidence. */
export type Joint = Point & { score: number };

const PARTS = ['Eye', 'Ear', 'Shoulder', 'Elbow', 'Wrist', 'Hip', 'Knee', 'Ankle'] as const;
type Name = 'nose' | `${'left' | 'right'}${(typeof PARTS)[number]}`;

/** In the network's order. */
const NAMES: Name[] = ['nose', ...PARTS.flatMap((part) => [`left${part}`, `right${part}`] as const)];

/** Left and right from the person's view. Joints with a confidence below 0.2 or outside the picture are absent. */
export type Joints = Partial<Record<Name, Joint>>;

const HALF_PIXEL = 0.5 / 192; // positions refer to the centre of the first pixel, as tests with mirrored pictures show
const MIN_SCORE = 0.2;
const SURE_SCORE = 0.4;
const MIN_SURE_JOINTS = 3;

/**
 * The most prominent person's joints; undefined if none are found. The network (MoveNet, single pose) detects one body
 * only, and may take a flat garment or a bottle for one: callers that need a person also require a face.
 */
export async function findJoints(picture: Rgb): Promise<Joints | undefined> {
  const { read, toPicture } = await runNetwork('movenet', picture, wholePicture(picture));
  const values = read('joints'); // y, x and score of each
  const joints: Joints = {};
  for (const [n, name] of NAMES.entries()) {
    const [down = 0, across = 0, score = 0] = values.subarray(3 * n);
    const { x, y } = toPicture(across + HALF_PIXEL, down + HALF_PIXEL);
    const isInside = x >= 0 && y >= 0 && x < picture.width && y < picture.height;
    if (score > MIN_SCORE && isInside) joints[name] = { x, y, score };
  }
  const sure = Object.values(joints).filter(({ score }) => score >= SURE_SCORE);
  return sure.length < MIN_SURE_JOINTS ? undefined : joints;
}
