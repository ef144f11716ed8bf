/** Maps the person to a flat garment by matching points: one warp for the body, one for each sleeve. */
import type { Point } from '../pixels/plane.ts';
import { INSET, type BodyPlan, type SleevePlan } from './plan.ts';
import type { Garment } from './garment.ts';
import { makeAxis, mix, placeOnAxis, projectOnAxis, widthAt } from './sleeve.ts';
import { fitWarp, type Pair } from './warp.ts';
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

const ROUND = 2.4; // exponent of the widest hung neckline (1: a V, 2: a parabola): a hanger draws collars apart
const MAX_HUNG = 0.12; // shoulder widths below the old neckline: a hanger draws openings deeper than they are worn

/** The new neckline in its natural position; if hung, rounded, and at most slightly below the old one. */
function anchorNeckline(wearer: Wearer, garment: Garment, body: BodyPlan): Pair[] {
  const { line, depth } = garment.opening;
  const [left, right] = wearer.neck;
  const flatTop = (line[0]!.y + line.at(-1)!.y) / 2;
  const deepest = depth * garment.chest * body.scale;
  const old = wearer.contour[Math.round(wearer.middle)] ?? -1;
  const most = Math.max(0, old - (left.y + right.y) / 2 + MAX_HUNG * wearer.pose.shoulderWidth);
  const isHung = garment.cut === 'hanging' && !body.isWornOpen;
  const scale = body.scale * (isHung && old >= 0 && deepest > most ? most / deepest : 1);
  return line.map((from, n) => {
    const share = n / (line.length - 1);
    const x = left.x + share * (right.x - left.x);
    const max = isHung ? depth * garment.chest * (1 - Math.abs(2 * share - 1) ** ROUND) : Infinity;
    const y = left.y + share * (right.y - left.y) + Math.min(max, from.y - flatTop) * scale;
    return pair(x, y, from.x, from.y + (body.isWornOpen ? 0 : INSET));
  });
}

/** The seam between body and sleeve, from shoulder tip to armpit. */
function anchorArmhole(wearer: Wearer, garment: Garment, side: 0 | 1): Pair[] {
  const [tip, pit] = [wearer.shoulders[side], wearer.armpits[side]];
  const [flatTip, flatPit] = [garment.shoulders[side], garment.pits[side]];
  const inner = { x: flatTip.x, y: flatTip.y + INSET };
  return [0, 0.5, 1].map((share) => [mix(tip, pit, share), mix(inner, flatPit, share)]);
}

/**
 * Maps a point of the person to one of the sleeve, whose control points are the armhole, both edges and the centre. The
 * warp reads the arm unrolled, along and across its axis, because bent elbows would fold it.
 */
export function warpSleeve(
  wearer: Wearer,
  garment: Garment,
  body: BodyPlan,
  { arm, sleeve, end }: SleevePlan,
  side: 0 | 1,
): (x: number, y: number) => Point {
  const armhole = anchorArmhole(wearer, garment, side);
  if (!sleeve) return fitWarp([...armhole, ...anchorBody(wearer, garment, body)], wearer.picture);
  const margin = wearer.chest;
  const unroll = ({ along, across }: Unrolled) => ({ x: along + margin, y: across + margin });
  const upperArm = makeAxis(arm.axis.points.slice(0, 2)); // a raised forearm may be nearer to the armpit
  const pairs = armhole.map(([to, from]): Pair => [unroll(projectOnAxis(upperArm, to.x, to.y)), from]);
  const reach = Math.max(1, sleeve.axis.length - INSET);
  for (const share of ALONG) {
    const [worn, flat] = [widthAt(arm, share * end), widthAt(sleeve, share * reach)];
    const inset = Math.min(INSET, 0.2 * (flat.to - flat.from));
    for (const part of share < SEAM ? [side === 0 ? 1 : 0] : [0, 0.5, 1]) {
      const flatAcross = flat.from + inset + part * (flat.to - flat.from - 2 * inset);
      pairs.push([
        unroll({ along: share * end, across: worn.from + part * (worn.to - worn.from) }),
        placeOnAxis(sleeve.axis, share * reach, flatAcross),
      ]);
    }
  }
  const warp = fitWarp(pairs, { width: arm.axis.length + 2 * margin, height: 2 * margin });
  return (x, y) => {
    const place = unroll(projectOnAxis(arm.axis, x, y));
    return warp(place.x, place.y);
  };
}

type Unrolled = { along: number; across: number };
