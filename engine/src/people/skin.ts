/** Finds bare skin in a face. */
import { makeMask, type Mask, type Point, type Size } from '../pixels/plane.ts';
import { dilate, fillPolygon, keepWhere } from '../pixels/mask.ts';
import { boxAround, type Face } from './faces.ts';
import { INNER_FACE, LEFT_BROW, LEFT_EYE, LIPS, OVAL, RIGHT_BROW, RIGHT_EYE } from './landmarks.ts';

/** 1 on the inner face without eyes, brows and lips, which have other colours. */
export function paintSkin(points: readonly Point[], size: Size): Mask {
  const inner = fillPolygon(pick(points, INNER_FACE), size);
  const features = makeMask(size);
  for (const part of [LEFT_EYE, RIGHT_EYE, LEFT_BROW, RIGHT_BROW, LIPS]) {
    const filled = fillPolygon(pick(points, part), size).data;
    for (let i = 0; i < filled.length; i += 1) if (filled[i]) features.data[i] = 1;
  }
  const around = dilate(features, 0.03 * boxAround(pick(points, OVAL)).width).data;
  return keepWhere(inner, (i) => !around[i]);
}

/** 1 on the face, from forehead to chin. */
export const markFace = ({ points }: Pick<Face, 'points'>, size: Size): Mask => fillPolygon(pick(points, OVAL), size);

/** The points of these landmarks, in order. */
export function pick(points: readonly Point[], landmarks: readonly number[]): Point[] {
  return landmarks.map((landmark) => {
    const point = points[landmark];
    if (!point) throw new Error(`the face has no landmark ${landmark}`);
    return point;
  });
}
