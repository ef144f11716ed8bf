/** Plans length, width and position of a garment's parts on the wearer. */
import { bulge } from '../pixels/hull.ts';
import { mapBytes, smoothStep, type Mask } from '../pixels/plane.ts';
import type { Garment } from './garment.ts';
import { smoothRows, spanRow } from './rows.ts';
import { measureStrip, projectOnAxis, widthAt, type Strip } from './sleeve.ts';
import type { Wearer } from './wearer.ts';

export const INSET = 3; // pixels of the garment: its outermost colours mix with the background

/** The garment's body on the wearer's. */
export type BodyPlan = {
  /** Wearer pixels per garment pixel. */
  scale: number;
  /** Rows of the wearer: the garment's neck ends, and its hem. */
  top: number;
  hem: number;
  left: Float32Array;
  right: Float32Array;
  /** Maps a row of the wearer to one of the garment. */
  toGarment: (y: number) => number;
  isWornOpen: boolean;
};

const EASE_ALONG = 1.15; // clothes are wider than the body, so scaling by width makes them too short
const HUNG_ALONG = 0.75; // the same if hung, in folds: shirts are 2.3 visible chest widths long, laid flat 1.5
const SHIRT = 1.65; // chest widths: the length of a shirt, which its sleeves beside the body do not change
const MAX_LONGER = 1.4; // times the garment's length: most that it is stretched
const MAX_SHORTER = 1.25; // times the length, taken up by folds; a longer garment hangs lower
const COAT = 1.6; // times the old length: a longer garment is a coat or dress and keeps its length
const DEEP = 0.6; // chest widths: a deeper opening is worn open, like a jacket; the deepest V-necks end at half
const MIN_SLEEVE = 0.66; // of a long old sleeve
const SHORT = { worn: 0.8, min: 0.14 }; // of the chest: one of at least this length may replace one above the elbow
const SLEEVELESS = 0.3; // of the chest: shorter sleeves are the shoulder's own cloth
/** Plans the body; undefined if the old clothes are longer than the garment. */
export function planBody(wearer: Wearer, garment: Garment): BodyPlan | undefined {
  const scale = wearer.chest / garment.chest;
  const top = (wearer.neck[0].y + wearer.neck[1].y) / 2;
  const { line, depth, isDetected } = garment.opening;
  const from = (line[0]!.y + line.at(-1)!.y) / 2;
  const length = (garment.bottom - from) * scale;
  const isHung = wearer.isHemVisible && garment.cut === 'hanging';
  const max = isHung ? Math.max(SHIRT * wearer.chest, HUNG_ALONG * length) : Infinity;
  const natural = Math.min(EASE_ALONG * length, max);
  const worn = wearer.hem - top;
  if (worn > MAX_LONGER * natural) return undefined;
  const span = wearer.isHemVisible ? spanVisible(natural, worn) : Math.max(natural, worn);
  const hem = top + span;
  const pit = Math.max(wearer.armpits[0].y, wearer.armpits[1].y);
  const flatPit = Math.max(garment.pits[0].y, garment.pits[1].y);
  const toGarment = (y: number) => flatPit + ((y - pit) * (garment.bottom - flatPit)) / (hem - pit);
  return {
    scale,
    top,
    hem,
    ...widenBelowHem(wearer, garment, { scale, hem, toGarment }),
    toGarment,
    isWornOpen: isDetected && depth > DEEP,
  };
}

/** The new length if the old hem is visible: the old one, if the garment can match it. */
function spanVisible(natural: number, worn: number): number {
  return natural > COAT * worn ? natural : Math.max(worn, natural / MAX_SHORTER);
}

export const BLEND = 0.35; // of the chest above and below the old hem: the sides blend into the garment's own

/** Below the old hem the sides follow the garment's cut, but cover what is worn below. */
function widenBelowHem(
  wearer: Wearer,
  garment: Garment,
  { scale, hem, toGarment }: Pick<BodyPlan, 'scale' | 'hem' | 'toGarment'>,
): { left: Float32Array; right: Float32Array } {
  const { hem: oldHem, picture, lower } = wearer;
  const left = wearer.left.slice();
  const right = wearer.right.slice();
  if (hem <= oldHem + 2) return { left, right };
  const blend = BLEND * wearer.chest;
  const first = Math.max(0, Math.floor(oldHem - blend));
  for (let y = first; y < Math.min(picture.height, hem + 2); y += 1) {
    const row = Math.min(garment.bottom - 2, Math.max(0, Math.round(toGarment(y))));
    const share = smoothStep(oldHem - 0.3 * blend, oldHem + blend, y);
    const [ownLeft, ownRight] = [garment.left[row]!, garment.right[row]!].map(
      (x) => wearer.middle + (x - garment.middle) * scale,
    ) as [number, number];
    left[y]! += share * (ownLeft - left[y]!);
    right[y]! += share * (ownRight - right[y]!);
    const { from, to, width } = spanRow(lower, y);
    if (width > 0) [left[y], right[y]] = [Math.min(left[y]!, from - 1), Math.max(right[y]!, to + 1)];
  }
  const last = Math.min(picture.height, Math.ceil(hem) + 2);
  bulge(left.subarray(first, last), -1);
  bulge(right.subarray(first, last), 1);
  return { left, right };
}

export type SleevePlan = {
  arm: Strip;
  sleeve: Strip | undefined;
  /** Length of the new sleeve along the arm in pixels. */
  end: number;
  /** True if it is longer than the old sleeve. */
  isLonger: boolean;
};

const LONGER = 1.25; // times the old sleeve

/** Plans the sleeves; undefined if they are shorter than the old ones, because the photo does not show the arms. */
export function planSleeves(wearer: Wearer, garment: Garment, body: BodyPlan): [SleevePlan, SleevePlan] | undefined {
  const plans: SleevePlan[] = [];
  const baresShoulders = garment.sleeves.every((sleeve) => !sleeve) && measureShoulders(garment) < STRAPS.max;
  for (const side of [0, 1] as const) {
    const axis = wearer.arms[side];
    const { isEndVisible } = wearer.sleeves[side];
    const worn = Math.min(wearer.sleeves[side].end, axis.length);
    const sleeve = garment.sleeves[side] ?? garment.sleeves[side === 0 ? 1 : 0];
    const flat = EASE_ALONG * (sleeve?.axis.length ?? 0) * body.scale;
    const natural = sleeve && hangsLow(sleeve, garment) ? Math.max(flat, axis.length) : flat;
    if (baresShoulders && worn > SHORT.min * wearer.chest) return undefined;
    if (showsMore(worn / wearer.chest, natural / wearer.chest)) return undefined;
    const maxEnd = Math.min(natural, 0.96 * axis.length);
    const isLonger = isEndVisible && maxEnd > LONGER * Math.max(worn, 1) && natural > SLEEVELESS * wearer.chest;
    const fallback = isEndVisible ? worn : Math.max(worn, natural);
    const end = isLonger ? maxEnd : Math.max(fallback, 1);
    const arm = measureStrip(axis, markArm(wearer, body, side, isLonger));
    if (!arm.to.some((edge) => edge > 0)) {
      arm.from.fill(-HIDDEN_ARM * wearer.chest);
      arm.to.fill(HIDDEN_ARM * wearer.chest);
    }
    if (isLonger) widenSleeve(arm, garment.sleeves[side], { worn, end, chest: wearer.chest, scale: body.scale });
    plans.push({ arm, sleeve: garment.sleeves[side], end, isLonger });
  }
  return [plans[0]!, plans[1]!];
}

const STRAPS = { at: 0.16, max: 0.6 }; // of the chest below the upper edge, and of its width: shoulders have more cloth

/** Share of the chest's width that is cloth near the upper edge. */
function measureShoulders({ mask, middle, chest, top }: Garment): number {
  const row = Math.round(top + STRAPS.at * chest) * mask.width;
  const [from, to] = [middle - chest / 2, middle + chest / 2].map(Math.round) as [number, number];
  return mask.data.subarray(row + from, row + to).filter(Boolean).length / (to - from);
}

const HIDDEN_ARM = 0.17; // of the chest: half the width of an arm outside the photo

const REACH = 0.4; // of the chest on both sides of the arm's axis

/** The old sleeve and, under a longer new one, the bare arm. */
function markArm(wearer: Wearer, body: BodyPlan, side: 0 | 1, isLonger: boolean): Mask {
  const { top, bare, chest, isSkin } = wearer;
  const lowest = isLonger ? wearer.sleeves[side].end + SLANT * chest : Infinity;
  const data = mapBytes(top.data, (cloth, i) => {
    const isCloth = cloth > 0.5;
    if (!isCloth && !(isLonger && bare.data[i] && isSkin(i))) return 0;
    const [x, y] = [i % top.width, Math.floor(i / top.width)];
    if (side === 0 ? x >= body.left[y]! : x <= body.right[y]!) return 0;
    const { along, across } = projectOnAxis(wearer.arms[side], x, y);
    return along > 0 && Math.abs(across) < REACH * chest && !(isCloth && along > lowest) ? 1 : 0;
  });
  return { ...top, data };
}

const EASE = 0.03; // of the chest: sleeves are wider than arms
const SLANT = 0.16; // of the chest along the arm: slant of a sleeve's end

/** Beyond the old sleeve's end the width of its cut, at least slightly wider than the arm, and convex. */
function widenSleeve({ from, to }: Strip, sleeve: Strip | undefined, { worn, end, chest, scale }: Lengths): void {
  for (let n = Math.round(worn); n < from.length; n += 1) {
    const flat = sleeve && widthAt(sleeve, (n / end) * sleeve.axis.length);
    const half = flat ? (ROUND * scale * (flat.to - flat.from)) / 2 : 0;
    const middle = (from[n]! + to[n]!) / 2;
    from[n] = Math.min(from[n]! - EASE * chest, middle - half);
    to[n] = Math.max(to[n]! + EASE * chest, middle + half);
  }
  for (const [edge, side] of [
    [from, -1],
    [to, 1],
  ] as const) {
    bulge(edge.subarray(0, Math.round(end) + 1), side);
    const corner = Math.round(CORNER * chest);
    edge.set(smoothRows(edge, corner).subarray(corner), corner);
  }
}

type Lengths = { worn: number; end: number; chest: number; scale: number };
const CORNER = 0.08; // of the chest: blending at the old sleeve's end
const ROUND = 0.85; // of a sleeve's flat width: visible width with an arm in it

const LOW = 0.7; // of the garment's length

/** True for a long sleeve that hangs beside the body, where folds hide its length. */
function hangsLow({ axis }: Strip, { top, bottom }: Garment): boolean {
  return axis.points.at(-1)!.y > top + LOW * (bottom - top);
}

/** True if a new sleeve bares what the old one hides; both in chest widths along the arm. */
function showsMore(old: number, natural: number): boolean {
  if (old <= SLEEVELESS) return false;
  return natural < (old < SHORT.worn ? SHORT.min : MIN_SLEEVE * Math.min(old, MAX_ARM));
}

const MAX_ARM = 1.3; // chest widths: longer estimates of an arm are wrong
