/** Matching points of a flat garment and the body: the control points of the warps. */
import { INSET, type BodyPlan, type SleevePlan } from './plan.ts';
import type { Garment } from './garment.ts';
import { mix, placeOnAxis, widthAt } from './sleeve.ts';
import type { Pair } from './warp.ts';
import type { Wearer } from './wearer.ts';

const ROWS = [0.1, 0.35, 0.6, 0.8, 0.96]; // shares of the way from armpit to hem; the hem's corners are often rounded
const NATURAL = 0.28; // of the chest, on both sides of the centre: prints keep their shape there
const SEAM = 0.1; // of the sleeve: up to there its lower edge is the armhole's
const ALONG = [0.03, 0.15, 0.35, 0.55, 0.75, 1]; // shares of the sleeve's length

/** Control points of shoulder line, neckline, armholes and both sides down to the hem. */
export function anchorBody(wearer: Wearer, garment: Garment, body: BodyPlan): Pair[] {
  const pairs = [
    ...anchorArmhole(wearer, garment, 0),
    ...anchorArmhole(wearer, garment, 1),
    ...anchorNeckline(wearer, garment, body),
  ];
  const from = Math.max(wearer.armpits[0].y, wearer.armpits[1].y);
  const flatFrom = Math.max(garment.pits[0].y, garment.pits[1].y);
  const hem = Math.max(body.hem, wearer.hem);
  for (const share of ROWS) {
    const y = from + share * (hem - from);
    const row = Math.min(garment.bottom - INSET - 1, Math.max(flatFrom, Math.round(body.toGarment(y))));
    const at = Math.min(body.left.length - 1, Math.max(0, Math.round(y)));
    const [left, right] = [body.left[at]!, body.right[at]!];
    const flatAt = Math.min(garment.left.length - 1, Math.round(row));
    const [flatLeft, flatRight] = [garment.left[flatAt]! + INSET, garment.right[flatAt]! - INSET];
    pairs.push(pair(left, y, flatLeft, row), pair(right, y, flatRight, row));
    const reach = Math.min(
      NATURAL * garment.chest,
      0.35 * (flatRight - flatLeft),
      (0.35 * (right - left)) / body.scale,
    );
    const middle = { to: (left + right) / 2, from: (flatLeft + flatRight) / 2 };
    for (const side of [-1, 0, 1]) {
      pairs.push(pair(middle.to + side * reach * body.scale, y, middle.from + side * reach, row));
    }
  }
  return pairs;
}

/** A point on the person and the matching one on the garment. */
function pair(x: number, y: number, flatX: number, flatY: number): Pair {
  return [
    { x, y },
    { x: flatX, y: flatY },
  ];
}

/** The new neckline in its natural position; if hung, pulled up to the old one. */
function anchorNeckline(wearer: Wearer, garment: Garment, body: BodyPlan): Pair[] {
  const { line } = garment.opening;
  const [left, right] = wearer.neck;
  const flatTop = (line[0]!.y + line.at(-1)!.y) / 2;
  return line.map((from, n) => {
    const share = n / (line.length - 1);
    const x = left.x + share * (right.x - left.x);
    const natural = left.y + share * (right.y - left.y) + (from.y - flatTop) * body.scale;
    const old = wearer.contour[Math.round(x)] ?? -1;
    if (old < 0 || body.isWornOpen) return pair(x, natural, from.x, from.y);
    return pair(x, garment.cut === 'hanging' ? Math.min(old, natural) : natural, from.x, from.y + INSET);
  });
}

/** The seam between body and sleeve, from shoulder tip to armpit. */
function anchorArmhole(wearer: Wearer, garment: Garment, side: 0 | 1): Pair[] {
  const [tip, pit] = [wearer.shoulders[side], wearer.armpits[side]];
  const [flatTip, flatPit] = [garment.shoulders[side], garment.pits[side]];
  const inner = { x: flatTip.x, y: flatTip.y + INSET };
  return [0, 0.5, 1].map((share) => [mix(tip, pit, share), mix(inner, flatPit, share)]);
}

/** Control points of the armhole, then of both edges and the centre of the sleeve along the arm. */
export function anchorSleeve(wearer: Wearer, garment: Garment, body: BodyPlan, plan: SleevePlan, side: 0 | 1): Pair[] {
  const { arm, sleeve, end } = plan;
  const pairs = anchorArmhole(wearer, garment, side);
  if (!sleeve) return [...pairs, ...anchorBody(wearer, garment, body)];
  const reach = Math.max(1, sleeve.axis.length - INSET);
  for (const share of ALONG) {
    const [worn, flat] = [widthAt(arm, share * end), widthAt(sleeve, share * reach)];
    const inset = Math.min(INSET, 0.2 * (flat.to - flat.from));
    for (const across of share < SEAM ? [side === 0 ? 1 : 0] : [0, 0.5, 1]) {
      const flatAcross = flat.from + inset + across * (flat.to - flat.from - 2 * inset);
      pairs.push([
        placeOnAxis(arm.axis, share * end, worn.from + across * (worn.to - worn.from)),
        placeOnAxis(sleeve.axis, share * reach, flatAcross),
      ]);
    }
  }
  return pairs;
}
