/** Patches of the old ground in a cut-out head: between curls, behind braids, along a brim. */
import { toLabPlanes } from '../pixels/colour.ts';
import { mapFloats } from '../pixels/map.ts';
import { dilate, keepWhere, threshold } from '../pixels/mask.ts';
import type { Mask, Plane, Rgb } from '../pixels/plane.ts';
import { fillPolygon, smoothStep } from '../pixels/shapes.ts';
import type { Face } from './faces.ts';
import { spreadKnown } from './fill-gaps.ts';
import { OVAL } from './landmarks.ts';
import { pick } from './skin.ts';

const BESIDE = { from: 0.02, to: 0.5 }; // face widths beside the head: the ground that shows through it
const BLUR = 0.12; // face widths
const LIKE = { surely: 7, hardly: 14 }; // Lab units from the ground beside it, light counted half
const EVEN = 5; // Lab units, mean deviation of the ground: where it has a pattern, its colours tell nothing
const MOST_OWN = 0.08; // of the head in the ground's colours: more is dark hair before black

/** The cut-out 0..1 without what has the colours of an even ground, above the chin and beside the face. */
export function dropOldGround(picture: Rgb, alpha: Plane, { box, points }: Face): Plane {
  const chin = Math.round(box.top + box.height) * alpha.width;
  const cover = threshold(alpha, 0.05);
  const [edge, around] = [BESIDE.from, BESIDE.to].map((reach) => dilate(cover, reach * box.width).data);
  const ground = keepWhere({ ...cover, data: around! }, (i) => i < chin && !edge![i]);
  if (!ground.data.includes(1)) return alpha;
  const away = measureAway(picture, ground, BLUR * box.width);
  const oval = fillPolygon(pick(points, OVAL), alpha).data;
  const isHead = (i: number) => i < chin && !oval[i];
  const isUneven =
    meanWhere(
      ground.data,
      (i) => ground.data[i] === 1,
      (i) => away[i]!,
    ) > EVEN;
  const isSure = (i: number) => alpha.data[i]! > 0.95 && isHead(i);
  const own = meanWhere(alpha.data, isSure, (i) => (away[i]! < LIKE.hardly ? 1 : 0));
  if (isUneven || own > MOST_OWN) return alpha;
  const keep = (value: number, i: number) => value * smoothStep(LIKE.surely, LIKE.hardly, away[i]!);
  return { ...alpha, data: mapFloats(alpha.data, (value, i) => (isHead(i) ? keep(value, i) : value)) };
}

/** Of each pixel, how far its colour is from that of the ground beside it. */
function measureAway(picture: Rgb, ground: Mask, blur: number): Float32Array {
  const { l, a, b } = toLabPlanes(picture);
  const beside = [l, a, b].map((data) => spreadKnown({ ...ground, data }, ground, blur).data);
  const [light, red, yellow] = beside as [Float32Array, Float32Array, Float32Array];
  return mapFloats(l, (own, i) => Math.hypot((own - light[i]!) / 2, a[i]! - red[i]!, b[i]! - yellow[i]!));
}

function meanWhere(all: ArrayLike<number>, isIn: (i: number) => boolean, read: (i: number) => number): number {
  let [sum, count] = [0, 0];
  for (let i = 0; i < all.length; i += 1) {
    if (!isIn(i)) continue;
    sum += read(i);
    count += 1;
  }
  return sum / Math.max(1, count);
}
