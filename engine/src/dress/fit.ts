/** Lays a flat garment on a body: for every pixel of the person, which place of the garment lies there. */
import { close, erode, threshold } from '../pixels/mask.ts';
import type { Mask, Point, Size } from '../pixels/plane.ts';
import { smoothStep } from '../pixels/shapes.ts';
import { INSET, softenShapes, type BodyPlan, type Fit, type Fitting } from './fit-parts.ts';
import { anchorBody, anchorSleeve, mix } from './anchors.ts';
import { coverSleeve, planSleeves } from './fit-sleeves.ts';
import { fitWarp } from './warp.ts';
import type { Category, Garment } from './garment.ts';
import { findRun, smoothRows, type Span } from './rows.ts';
import type { Wearer } from './wearer.ts';

const LEAST_STRETCH = 0.86;
const MOST_STRETCH = 1.13;
const MOST_LONGER = 1.35; // times the garment's length: longer clothes would show below it
const SEAM = 0.03; // of the chest: what is shorter along the shoulders is no slope, and would make stripes jagged
const DEEP_OPENING = 0.28; // of the garment's length: worn open over what is there, like a jacket

/**
 * Nothing where the clothes in the photo are longer than the garment, at a sleeve or at the hem.
 *
 * Garment pixels per wearer pixel are the same in both directions, but for the little that brings the hem to the old
 * one.
 */
export function fitGarment(wearer: Wearer, garment: Garment, category: Category): Fit | undefined {
  const { width, height } = wearer.picture;
  const scale = wearer.chest / garment.chest;
  const body = planBody(wearer, garment, category, scale);
  const sleeves = planSleeves(wearer, garment, body);
  const worn = wearer.hem - body.top;
  const isTooLong = category === 'tops' && worn > MOST_LONGER * (garment.bottom - body.toGarment(body.top)) * scale;
  if (!sleeves || isTooLong) return undefined;
  const make = () => new Float32Array(width * height);
  const fit: Fit = { x: make(), y: make(), cover: make(), bare: make(), keep: make(), gone: make() };
  const fitting = { fit, wearer, garment, body, shapes: softenShapes(wearer, garment) };
  const onFabric = findFabric(garment);
  const bodyWarp = fitWarp(anchorBody(wearer, garment, body), wearer.picture);
  const warps = ([0, 1] as const).map((side) =>
    fitWarp(anchorSleeve(wearer, garment, body, sleeves[side], side), wearer.picture),
  );
  for (let y = Math.max(0, Math.floor(body.top - 0.2 * wearer.chest)); y < height; y += 1) {
    for (let x = 0; x < width; x += 1) {
      const side = x < wearer.middle ? 0 : 1;
      const beyond = side === 0 ? body.left[y]! - x : x - body.right[y]!;
      const onSleeve = shareSleeve(beyond, y, wearer, side);
      const place = mix(bodyWarp(x, y), warps[side]!(x, y), onSleeve);
      if (beyond > 0) coverSleeve(fitting, x, y, sleeves[side], side);
      else coverBody(fitting, x, y, place);
      const seen = onFabric(place);
      fit.x[y * width + x] = seen.x;
      fit.y[y * width + x] = seen.y;
    }
  }
  closeSeams(fit, wearer.picture);
  return fit;
}

const ARMHOLE = 0.16; // of the chest: above the armpit body and sleeve run into each other over so much on either side

/** 0 on the body, 1 on the sleeve; below the armpit they are apart. */
function shareSleeve(beyond: number, y: number, { armpits, chest }: Wearer, side: 0 | 1): number {
  const reach = ARMHOLE * chest * smoothStep(armpits[side].y, armpits[side].y - 0.25 * chest, y);
  return reach < 1 ? (beyond > 0 ? 1 : 0) : smoothStep(-reach, reach, beyond);
}

/** Leads places beside the garment to its own fabric in the same row, a little inside its edge. */
function findFabric({ mask, top, bottom }: Garment): (place: Point) => Point {
  const fabric = erode(mask, INSET);
  const within = (value: number, from: number, to: number) => Math.min(to, Math.max(from, value));
  return (place) => {
    const y = within(place.y, top + INSET, bottom - INSET);
    const run = findRun(fabric, Math.round(y), within(place.x, 0, mask.width - 1), mask.width);
    return run ? { x: within(place.x, run.from, run.to), y } : place;
  };
}

/** Where body and sleeve meet, both end softly: nothing old may shine through between them. */
function closeSeams({ cover, bare, keep }: Fit, { width, height }: Size): void {
  const whole = threshold({ width, height, data: cover }, 0.5);
  const inner = erode(close(whole, 1), 1).data;
  for (let i = 0; i < cover.length; i += 1) {
    if (inner[i] && cover[i]! > 0 && bare[i] === 0 && keep[i] === 0) cover[i] = 1;
  }
}

function planBody(wearer: Wearer, garment: Garment, category: Category, scale: number): BodyPlan {
  const top = (wearer.neck[0].y + wearer.neck[1].y) / 2;
  const from = (garment.neck[0].y + garment.neck[1].y) / 2;
  const natural = (garment.bottom - from) * scale;
  const wanted = category === 'tops' ? (wearer.hem - top) / natural : 1;
  const stretch = Math.min(MOST_STRETCH, Math.max(LEAST_STRETCH, wanted));
  const hem = top + natural * stretch;
  const toGarment = (y: number) => from + (y - top) / (scale * stretch);
  const opening = garment.opening.data.lastIndexOf(1);
  const depth = opening < 0 ? 0 : Math.floor(opening / garment.opening.width) - from;
  return {
    scale,
    top,
    hem,
    ...widenBelowHem(wearer, garment, { scale, hem, toGarment }),
    toGarment,
    shoulders: smoothRows(wearer.shoulderLine, Math.round(SEAM * wearer.chest)),
    flatShoulders: smoothRows(garment.shoulderLine, Math.round(SEAM * garment.chest)),
    isWornOpen: depth > DEEP_OPENING * (garment.bottom - from),
    armpit: Math.max(wearer.armpits[0].y, wearer.armpits[1].y),
  };
}

/** Below the old hem the garment hangs by its own cut, but hides whatever was worn below. */
function widenBelowHem(
  wearer: Wearer,
  garment: Garment,
  { scale, hem, toGarment }: Pick<BodyPlan, 'scale' | 'hem' | 'toGarment'>,
): { left: Float32Array; right: Float32Array } {
  const { hem: oldHem, picture } = wearer;
  const left = wearer.left.slice();
  const right = wearer.right.slice();
  const blend = 0.35 * wearer.chest;
  for (let y = Math.max(0, Math.floor(oldHem - 0.3 * blend)); y < Math.min(picture.height, hem + 2); y += 1) {
    const row = Math.min(garment.bottom - 2, Math.max(0, Math.round(toGarment(y))));
    const share = smoothStep(oldHem - 0.3 * blend, oldHem + blend, y);
    const ownLeft = wearer.middle + (garment.left[row]! - garment.middle) * scale;
    const ownRight = wearer.middle + (garment.right[row]! - garment.middle) * scale;
    left[y]! += share * (ownLeft - left[y]!);
    right[y]! += share * (ownRight - right[y]!);
    const worn = spanWide(wearer.lower, y, 0.05 * wearer.chest);
    left[y] = Math.min(left[y]!, worn.from - 1);
    right[y] = Math.max(right[y]!, worn.to + 1);
  }
  const even = { left: smoothRows(left, 5), right: smoothRows(right, 5) };
  return {
    left: even.left.map((x, y) => Math.min(x, left[y]!)),
    right: even.right.map((x, y) => Math.max(x, right[y]!)),
  };
}

/** From the first to the last run of the row that is at least so wide: thumbs and shadows are not. */
function spanWide({ data, width }: Mask, y: number, least: number): Span {
  const span = { from: Infinity, to: -Infinity };
  let start = -1;
  for (let x = 0; x <= width; x += 1) {
    const isSet = x < width && data[y * width + x] === 1;
    if (isSet && start < 0) start = x;
    if (isSet || start < 0) continue;
    if (x - start >= least) {
      span.from = Math.min(span.from, start);
      span.to = x - 1;
    }
    start = -1;
  }
  return span;
}

/** How much of a pixel of the body the garment hides, and what its opening shows. */
function coverBody({ fit, wearer, garment, body, shapes }: Fitting, x: number, y: number, place: Point): void {
  const i = y * wearer.picture.width + x;
  const { width, height } = garment.picture;
  const column = Math.min(width - 1, Math.max(0, Math.round(place.x)));
  const row = Math.min(height - 1, Math.max(0, Math.round(place.y)));
  const open = shapes.open[row * width + column]!;
  const cloth = wearer.top.data[i]!;
  if (cloth > 0) fit.cover[i] = cloth * (1 - open);
  if (body.isWornOpen) fit.keep[i] = cloth * open;
  else fit.bare[i] = shapes.oldTop[i]! * open;
  const hem = garment.bottom - INSET - 1;
  if (cloth >= 1 || place.y > hem) return;
  const isNeck = y < body.armpit;
  const isFree = isNeck ? wearer.skin.data[i]! === 1 : shapes.hands[i] === 0;
  if (!isFree || (isNeck && y < body.top)) return;
  const edge = Math.min(1, Math.max(0, Math.min(x - body.left[y]!, body.right[y]! - x, hem - place.y)));
  const drawn = shapes.solid[row * width + column]!;
  fit.cover[i] = Math.max(fit.cover[i]!, isNeck ? drawn : edge * Math.max(0, 1 - open));
}
