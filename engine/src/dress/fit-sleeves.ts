/** The sleeves of a fit: along the arms, as long as the garment's, and never shorter than what they replace. */
import { keepWhere, threshold } from '../pixels/mask.ts';
import type { Mask } from '../pixels/plane.ts';
import type { BodyPlan, Fitting } from './fit-parts.ts';
import type { Garment, Sleeve } from './garment.ts';
import { median } from './rows.ts';
import { measureStrip, projectOnAxis, widthAt, type Axis, type Strip } from './sleeve.ts';
import type { Wearer } from './wearer.ts';

export type SleevePlan = {
  arm: Strip;
  sleeve: Sleeve | undefined;
  /** Pixels along the arm at which the sleeve ends. */
  end: number;
  coversArm: boolean;
  /** Pixels along the arm at which the sleeve worn now ends. */
  oldEnd: number;
};

const LEAST_SLEEVE = 0.7; // of the old sleeve: what is missing is made up by stretching
const SLEEVELESS = 0.25; // of the chest: shorter along the arm is the shoulder's own cloth
const LONG = 1.35; // times the old sleeve: from there on the new one goes its own way down the arm

/** Nothing where the old sleeves are much longer than the new, for nobody knows the arms below them, or not alike. */
export function planSleeves(wearer: Wearer, garment: Garment, body: BodyPlan): [SleevePlan, SleevePlan] | undefined {
  const { width } = wearer.picture;
  const worn = threshold(wearer.top, 0.5);
  const margin = 0.03 * wearer.chest; // the body's own uneven edge is no sleeve
  const own = wearer.arms.map((axis, n) => {
    const isMine = (i: number) => {
      const x = i % width;
      const y = Math.floor(i / width);
      return n === 0 ? x < body.left[y]! - margin : x > body.right[y]! + margin;
    };
    const below = wearer.armpits[n]!.y * width;
    const old = keepWhere(worn, isMine);
    const bare = keepWhere(wearer.skin, (i) => i > below && isMine(i));
    const whole = { ...old, data: old.data.map((value, i) => value | bare.data[i]!) };
    const oldEnd = measureEnd(old, axis);
    const sleeve = garment.sleeves[n];
    const natural = (sleeve?.strip.axis.length ?? 0) * body.scale;
    return { axis, old, whole, oldEnd, sleeve, natural };
  });
  const coversArm = own[0]!.natural + own[1]!.natural > LONG * (own[0]!.oldEnd + own[1]!.oldEnd);
  const plans = own.map(({ axis, old, whole, oldEnd, sleeve, natural }) => {
    const end = coversArm ? Math.min(natural, 0.97 * axis.length) : oldEnd;
    const arm = coversArm ? wrapArm(measureStrip(axis, whole), oldEnd, 0.03 * wearer.chest) : measureStrip(axis, old);
    return { arm, sleeve, end, coversArm, oldEnd };
  }) as [SleevePlan, SleevePlan];
  const isBared = own.some(
    ({ natural, oldEnd }) => oldEnd > SLEEVELESS * wearer.chest && natural < LEAST_SLEEVE * oldEnd,
  );
  return isBared || areUneven(plans) ? undefined : plans;
}

/** One old sleeve much wider or longer than the other: a piece of it, or of the wall, was taken for something else. */
function areUneven([one, other]: [SleevePlan, SleevePlan]): boolean {
  const measureArea = ({ arm, oldEnd }: SleevePlan) => {
    const edge = arm.to.subarray(0, Math.max(1, Math.round(oldEnd)));
    return edge.reduce((area, to, step) => area + (to - arm.from[step]!), 0);
  };
  const differs = (a: number, b: number) => Math.max(a, b) > MOST_UNEVEN * Math.max(1, Math.min(a, b));
  return differs(one.oldEnd, other.oldEnd) || differs(measureArea(one), measureArea(other));
}

const MOST_UNEVEN = 1.6; // times

/** Pixels along the arm at which the marked cloth ends; what leaks on down the arm in a thin strip does not count. */
function measureEnd({ data: cloth, width }: Mask, axis: Axis): number {
  const counts: number[] = [];
  for (let i = 0; i < cloth.length; i += 1) {
    if (!cloth[i]) continue;
    const step = Math.round(projectOnAxis(axis, i % width, Math.floor(i / width)).along);
    if (step >= 0) counts[step] = (counts[step] ?? 0) + 1;
  }
  const least = THIN * (median(Int32Array.from(Object.values(counts))) ?? 0);
  return Math.max(
    1,
    counts.findLastIndex((count) => count >= least),
  );
}

const THIN = 0.4; // of the sleeve's usual width

/**
 * A long sleeve narrows in two straight pieces from the shoulder over the elbow to the wrist: the old, wider sleeve
 * vanishes.
 */
function wrapArm({ axis, from, to }: Strip, oldEnd: number, ease: number): Strip {
  const last = from.length - 1;
  const elbow = Math.min(last, Math.round(Math.max(1.15 * oldEnd, 0.5 * last)));
  const level = (values: Float32Array, sign: number) => {
    const middle = (first: number, end: number) => median(values.subarray(first, Math.max(first + 1, end)))!;
    const start = middle(0, Math.round(0.5 * oldEnd));
    const bend = middle(Math.max(0, elbow - 12), elbow + 12) + sign * ease;
    const end = middle(Math.round(0.85 * last), last) + sign * ease;
    return values.map((_, step) =>
      step < elbow
        ? start + ((bend - start) * step) / Math.max(1, elbow)
        : bend + ((end - bend) * (step - elbow)) / Math.max(1, last - elbow),
    );
  };
  return { axis, from: level(from, -1), to: level(to, 1) };
}

/** How much of a pixel beside the body the sleeve hides; `gone` where an old, wider sleeve vanishes. */
export function coverSleeve(fitting: Fitting, x: number, y: number, plan: SleevePlan, side: 0 | 1): void {
  const { wearer, shapes } = fitting;
  const { cover, gone } = fitting.fit;
  const i = y * wearer.picture.width + x;
  const cloth = wearer.top.data[i]!;
  const { arm, end, coversArm } = plan;
  const armpit = wearer.armpits[side];
  const isNear = coversArm && y > armpit.y - 0.6 * wearer.chest && y < armpit.y + 2 * wearer.chest;
  if (cloth <= 0 && !isNear) return;
  const { along, across } = projectOnAxis(arm.axis, x, y);
  if (!coversArm || along <= 0) {
    cover[i] = cloth;
    return;
  }
  const width = widthAt(arm, along);
  const edge = Math.min(across - width.from, width.to - across, end - along) + 0.5;
  const isOutside = side === 0 ? across > width.to : across < width.from;
  const inside = isOutside || along >= end ? 0 : shapes.hands[i] === 1 ? wearer.figure.data[i]! : cloth;
  cover[i] = Math.max(Math.min(1, Math.max(0, edge)), inside);
  if (isOutside && along < end) gone[i] = Math.max(0, shapes.figure[i]! - cover[i]);
}
