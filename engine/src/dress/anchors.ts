/** Which places of a flat garment belong to which places of the body: what the warps go through. */
import type { Point } from '../pixels/plane.ts';
import { INSET, type BodyPlan } from './fit-parts.ts';
import type { SleevePlan } from './fit-sleeves.ts';
import type { Garment } from './garment.ts';
import { placeOnAxis, widthAt } from './sleeve.ts';
import type { Pair } from './warp.ts';
import type { Wearer } from './wearer.ts';

const ROWS = [0, 0.25, 0.5, 0.75, 0.94]; // of the way from armpit to hem, whose corners are often rounded
const SHOULDERS = [0.3, 0.5, 0.7, 0.85]; // of the way from the middle to the shoulder's tip
const NATURAL = 0.28; // of the chest, on both sides of the middle: there prints keep their shape
const ALONG = [0.35, 0.55, 0.75, 1]; // of the sleeve

/** Shoulder line, armholes and both sides down to the hem. */
export function anchorBody(wearer: Wearer, garment: Garment, body: BodyPlan): Pair[] {
  const pairs: Pair[] = [...anchorArmhole(wearer, garment, body, 0), ...anchorArmhole(wearer, garment, body, 1)];
  const from = Math.max(garment.sleeves[0]?.pit.y ?? 0, garment.sleeves[1]?.pit.y ?? 0) || body.toGarment(body.armpit);
  const to = garment.bottom - INSET - 1;
  for (const share of ROWS) {
    const y = body.armpit + share * (body.hem - body.armpit);
    const row = Math.round(from + share * (to - from));
    const at = Math.min(body.left.length - 1, Math.round(y));
    const [left, right] = [body.left[at]!, body.right[at]!];
    const [flatLeft, flatRight] = [garment.left[row]! + INSET, garment.right[row]! - INSET];
    const middle = { to: (left + right) / 2, from: (flatLeft + flatRight) / 2 };
    if (share > 0) pairs.push(pair(left, y, flatLeft, row), pair(right, y, flatRight, row));
    const reach = Math.min(
      NATURAL * garment.chest,
      0.35 * (flatRight - flatLeft),
      (0.35 * (right - left)) / body.scale,
    );
    for (const side of [-1, 0, 1]) {
      pairs.push(pair(middle.to + side * reach * body.scale, y, middle.from + side * reach, row));
    }
  }
  return pairs;
}

/** A place on the person and one on the fabric. */
function pair(x: number, y: number, flatX: number, flatY: number): Pair {
  return [
    { x, y },
    { x: flatX, y: flatY },
  ];
}

/** The point on the way from one to another. */
export function mix(one: Point, other: Point, share: number): Point {
  return { x: one.x + (other.x - one.x) * share, y: one.y + (other.y - one.y) * share };
}

/** The seam between body and sleeve, from the shoulder's tip to the armpit, and the shoulder's slope up to the neck. */
function anchorArmhole(wearer: Wearer, garment: Garment, body: BodyPlan, side: 0 | 1): Pair[] {
  const [tip, pit] = [wearer.shoulders[side], wearer.armpits[side]];
  const flat = readFlatArmhole(garment, body, side);
  const seam = [0, 0.5, 1].map((share): Pair => [mix(tip, pit, share), mix(flat.tip, flat.pit, share)]);
  const neck = Math.max(
    Math.abs(wearer.neck[side].x - wearer.middle) / Math.max(1, Math.abs(tip.x - wearer.middle)),
    Math.abs(garment.neck[side].x - garment.middle) / Math.max(1, Math.abs(flat.tip.x - garment.middle)),
  );
  const slope = SHOULDERS.filter((share) => share >= neck).map((share) => {
    const x = wearer.middle + share * (tip.x - wearer.middle);
    const flatX = garment.middle + share * (flat.tip.x - garment.middle);
    return pair(x, body.shoulders[Math.round(x)]!, flatX, body.flatShoulders[Math.round(flatX)]! + INSET);
  });
  return [...seam, ...slope];
}

function readFlatArmhole(garment: Garment, body: BodyPlan, side: 0 | 1): { tip: Point; pit: Point } {
  const row = Math.round(body.toGarment(body.armpit));
  const pit = garment.sleeves[side]?.pit ?? { x: side === 0 ? garment.left[row]! : garment.right[row]!, y: row };
  return { tip: { x: pit.x, y: (garment.shoulderLine[Math.round(pit.x)] ?? garment.top) + INSET }, pit };
}

/** The armhole, then both edges and the middle of the sleeve along the arm. */
export function anchorSleeve(wearer: Wearer, garment: Garment, body: BodyPlan, plan: SleevePlan, side: 0 | 1): Pair[] {
  const { arm, sleeve, end } = plan;
  const pairs = anchorArmhole(wearer, garment, body, side);
  if (!sleeve) return pairs;
  const reach = sleeve.strip.axis.length - INSET;
  for (const share of ALONG) {
    const [worn, flat] = [widthAt(arm, share * end), widthAt(sleeve.strip, share * reach)];
    const inset = Math.min(INSET, 0.2 * (flat.to - flat.from));
    for (const across of [0, 0.5, 1]) {
      const flatAcross = flat.from + inset + across * (flat.to - flat.from - 2 * inset);
      pairs.push([
        placeOnAxis(arm.axis, share * end, worn.from + across * (worn.to - worn.from)),
        placeOnAxis(sleeve.strip.axis, share * reach, flatAcross),
      ]);
    }
  }
  return pairs;
}
