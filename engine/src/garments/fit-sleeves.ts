// The sleeves of a fit: along the arms, as long as the garment's, and never shorter than what they replace.
import { smoothStep } from '../people/shapes.ts';
import { mapBytes } from '../pixels/map.ts';
import { INSET, type BodyPlan, type Fit, type Shapes } from './fit-parts.ts';
import type { Garment } from './garment.ts';
import { measureStrip, placeOnAxis, projectOnAxis, widthAt, type Strip } from './sleeve.ts';
import type { Wearer } from './wearer.ts';

export interface SleevePlan {
  arm: Strip;
  sleeve: Strip | undefined;
  /** Pixels along the arm at which the sleeve ends. */
  end: number;
  coversArm: boolean;
}

const LONG = 1.35; // times the old sleeve: from there on the new one goes its own way down the arm

export function planSleeves(wearer: Wearer, garment: Garment, body: BodyPlan): [SleevePlan, SleevePlan] {
  const { width } = wearer.picture;
  const margin = 0.03 * wearer.chest; // the body's own uneven edge is no sleeve
  const plans = wearer.arms.map((axis, n) => {
    const isMine = (i: number) => {
      const x = i % width;
      const y = Math.floor(i / width);
      return n === 0 ? x < body.left[y]! - margin : x > body.right[y]! + margin;
    };
    const below = wearer.armpits[n]!.y * width;
    const lowest = below + 0.5 * wearer.chest * width;
    const old = wearer.top.map((value, i) => (value > 0.5 && i < lowest && isMine(i) ? 1 : 0));
    const whole = mapBytes(old, (value, i) => (value || (wearer.skin[i] && i > below && isMine(i)) ? 1 : 0));
    let oldEnd = 1;
    for (let i = 0; i < old.length; i += 1) {
      if (old[i]) oldEnd = Math.max(oldEnd, projectOnAxis(axis, i % width, Math.floor(i / width)).along);
    }
    const sleeve = garment.sleeves[n];
    const natural = (sleeve?.axis.length ?? 0) * body.scale;
    const coversArm = natural > LONG * oldEnd;
    const end = coversArm ? Math.min(natural, 0.97 * axis.length) : oldEnd;
    const arm = coversArm
      ? wrapArm(measureStrip(axis, whole, width), oldEnd, 0.02 * wearer.chest)
      : measureStrip(axis, new Uint8Array(old), width);
    return { arm, sleeve, end, coversArm };
  });
  return plans as [SleevePlan, SleevePlan];
}

/** A long sleeve goes evenly from the shoulder's width to the bare arm's, a little wider than the arm: the old, wider sleeve vanishes. */
function wrapArm({ axis, from, to }: Strip, oldEnd: number, ease: number): Strip {
  const start = Math.min(from.length - 1, Math.round(0.25 * oldEnd));
  const end = Math.min(from.length - 1, Math.round(1.15 * oldEnd));
  const level = (values: Float32Array, sign: number) =>
    values.map((value, step) => {
      if (step >= end) return value + sign * ease;
      const share = smoothStep(start, end, step);
      const even = values[start]! + (values[end]! + sign * ease - values[start]!) * share;
      return step <= start ? value : even;
    });
  return { axis, from: level(from, -1), to: level(to, 1) };
}

export function placeSleeve(
  fit: Fit,
  i: number,
  x: number,
  y: number,
  sleeves: [SleevePlan, SleevePlan],
  body: BodyPlan,
  wearer: Wearer,
  garment: Garment,
  shapes: Shapes,
): void {
  const cloth = wearer.top[i]!;
  const n = x < wearer.middle ? 0 : 1;
  const { arm, sleeve, end, coversArm } = sleeves[n];
  const isNear =
    coversArm && y > wearer.armpits[n].y - 0.6 * wearer.chest && y < wearer.armpits[n].y + 2 * wearer.chest;
  if (cloth <= 0 && !isNear) return;
  const { along, across } = projectOnAxis(arm.axis, x, y);
  const width = widthAt(arm, along);
  if (coversArm && along > 0) {
    const edge = Math.min(across - width.from, width.to - across, end - along) + 0.5;
    const isOutside = n === 0 ? across > width.to : across < width.from;
    const inside = isOutside || along >= end ? 0 : shapes.hands[i] === 1 ? wearer.figure[i]! : cloth;
    fit.cover[i] = Math.max(Math.min(1, Math.max(0, edge)), inside);
    if (isOutside && along < end) fit.gone[i] = Math.max(0, shapes.figure[i]! - fit.cover[i]);
  } else fit.cover[i] = cloth;
  if (fit.cover[i] <= 0) return;
  if (!sleeve) {
    mirrorBody(fit, i, x, y, body, garment);
    return;
  }
  const share = Math.min(1, Math.max(0, (across - width.from) / Math.max(1, width.to - width.from)));
  const reach = sleeve.axis.length - INSET;
  const far = (Math.abs(along) / end) * reach;
  const step = far > reach ? 2 * reach - far : far;
  const flat = widthAt(sleeve, step);
  const inset = Math.min(INSET, 0.2 * (flat.to - flat.from));
  const place = placeOnAxis(sleeve.axis, step, flat.from + inset + share * (flat.to - flat.from - 2 * inset));
  fit.x[i] = place.x;
  fit.y[i] = place.y;
}

/** No sleeve to take fabric from: the body's, turned over at its edge. */
function mirrorBody(fit: Fit, i: number, x: number, y: number, body: BodyPlan, garment: Garment): void {
  const row = Math.min(garment.bottom - INSET, Math.max(garment.top + INSET, Math.round(body.toGarment(y))));
  const span = body.right[y]! - body.left[y]!;
  const beyond = x < body.left[y]! ? body.left[y]! - x : x - body.right[y]!;
  const share = Math.min(0.9, 0.05 + beyond / Math.max(1, span));
  const from = x < body.left[y]! ? garment.left[row]! : garment.right[row]!;
  const to = x < body.left[y]! ? garment.right[row]! : garment.left[row]!;
  fit.y[i] = row;
  fit.x[i] = from + share * (to - from);
}
