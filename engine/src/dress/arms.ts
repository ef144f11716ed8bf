/** A person's two sides, and how far sleeves come down the arms. */
import type { Pose } from '../people/figure.ts';
import type { Plane, Point } from '../pixels/plane.ts';
import { makeAxis, placeOnAxis, type Axis } from './sleeve.ts';

export type Side = { shoulder: Point; elbow: Point | undefined; wrist: Point | undefined; hip: Point | undefined };

/** The side on the picture's left first. */
export function orderSides({ joints }: Pose): [Side, Side] {
  const sideOf = (name: 'left' | 'right'): Side => ({
    shoulder: joints[`${name}Shoulder`],
    elbow: joints[`${name}Elbow`],
    wrist: joints[`${name}Wrist`],
    hip: joints[`${name}Hip`],
  });
  const [left, right] = [sideOf('left'), sideOf('right')];
  return left.shoulder.x < right.shoulder.x ? [left, right] : [right, left];
}

export type WornSleeve = { end: number; isSeen: boolean };

/** What cannot be seen of an arm hangs straight down, or goes on as it begins. */
export function traceArm(seam: Point, elbow: Point | undefined, wrist: Point | undefined, shoulderWidth: number): Axis {
  if (!elbow) return makeAxis([seam, wrist ?? { x: seam.x, y: seam.y + 1.2 * shoulderWidth }]);
  const beyond = { x: 2 * elbow.x - seam.x, y: 2 * elbow.y - seam.y };
  return makeAxis([seam, elbow, wrist ?? beyond]);
}

const GAP = 0.12; // of the arm's length: rolled cuffs and watches are no end of a sleeve
export const ARM = 0.12; // of the chest, to either side of the arm's bones

/** How far along the arm more of it lies under cloth than is bare; beside the body where it can be seen there. */
export function findSleeveEnd(
  { data, width, height }: Plane,
  axis: Axis,
  reach: number,
  isBeside: (x: number, y: number) => boolean,
  isBare: (i: number) => boolean,
): WornSleeve {
  let [end, gap] = [0, 0];
  for (let along = 0; along < axis.length; along += 2) {
    const bone = placeOnAxis(axis, along, 0);
    if (bone.x < 0 || bone.y < 0 || bone.x >= width || bone.y >= height)
      return gap > 0 ? { end, isSeen: true } : { end: along, isSeen: false };
    let [cloth, bare] = [0, 0];
    for (let across = -reach; across <= reach; across += 2) {
      const place = placeOnAxis(axis, along, across);
      const [x, y] = [Math.floor(place.x), Math.floor(place.y)];
      if (x < 0 || y < 0 || x >= width || y >= height || !isBeside(x, y)) continue;
      if (data[y * width + x]! > 0.5) cloth += 1;
      else if (isBare(y * width + x)) bare += 1;
    }
    const isCloth = cloth + bare > 0 ? cloth > bare : data[Math.floor(bone.y) * width + Math.floor(bone.x)]! > 0.5;
    gap = isCloth ? 0 : gap + 2;
    if (isCloth) end = along;
    if (gap > GAP * axis.length) break;
  }
  return { end, isSeen: true };
}
