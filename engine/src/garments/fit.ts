// Lays a flat garment on a body: for every pixel of the person, which place of the garment lies there.
import { close, erode } from '../matting/regions.ts';
import { smoothStep } from '../people/shapes.ts';
import { mapBytes } from '../pixels/map.ts';
import { INSET, softenShapes, type BodyPlan, type Fit, type Shapes } from './fit-parts.ts';
import { placeSleeve, planSleeves } from './fit-sleeves.ts';
import type { Category, Garment } from './garment.ts';
import { smoothRows, type Span } from './rows.ts';
import type { Wearer } from './wearer.ts';

const LEAST_STRETCH = 0.86;
const MOST_STRETCH = 1.13;
const SEAM = 0.03; // of the chest: what is shorter along the shoulders is no slope, and would make stripes jagged
const DEEP_OPENING = 0.28; // of the garment's length: worn open over what is there, like a jacket

/** Garment pixels per wearer pixel are the same in both directions, but for the little that brings the hem to the old one. */
export function fitGarment(wearer: Wearer, garment: Garment, category: Category): Fit {
  const { width, height } = wearer.picture;
  const scale = wearer.chest / garment.chest;
  const body = planBody(wearer, garment, category, scale);
  const sleeves = planSleeves(wearer, garment, body);
  const fit: Fit = {
    x: new Float32Array(width * height),
    y: new Float32Array(width * height),
    cover: new Float32Array(width * height),
    bare: new Float32Array(width * height),
    keep: new Float32Array(width * height),
    gone: new Float32Array(width * height),
  };
  const shapes = softenShapes(wearer, garment);
  for (let y = Math.max(0, Math.floor(body.top - 0.2 * wearer.chest)); y < height; y += 1) {
    for (let x = 0; x < width; x += 1) {
      const i = y * width + x;
      if (x >= body.left[y]! && x <= body.right[y]!) placeBody(fit, i, x, y, body, wearer, garment, shapes);
      else placeSleeve(fit, i, x, y, sleeves, body, wearer, garment, shapes);
    }
  }
  closeSeams(fit, width, height);
  return fit;
}

/** Where body and sleeve meet, both end softly: nothing old may shine through between them. */
function closeSeams({ cover, bare, keep }: Fit, width: number, height: number): void {
  const whole = mapBytes(cover, (value) => (value > 0.5 ? 1 : 0));
  const inner = erode(close(whole, width, height, 1), width, height, 1);
  for (let i = 0; i < cover.length; i += 1) {
    if (inner[i] && cover[i]! > 0 && bare[i] === 0 && keep[i] === 0) cover[i] = 1;
  }
}

function readBetween(values: Float32Array, at: number): number {
  const low = Math.min(values.length - 2, Math.max(0, Math.floor(at)));
  return values[low]! + (values[low + 1]! - values[low]!) * Math.min(1, Math.max(0, at - low));
}

function planBody(wearer: Wearer, garment: Garment, category: Category, scale: number): BodyPlan {
  const top = (wearer.neck[0].y + wearer.neck[1].y) / 2;
  const from = (garment.neck[0].y + garment.neck[1].y) / 2;
  const oldHem = wearer.hemLine[Math.round(wearer.middle)]!;
  const natural = (garment.bottom - from) * scale;
  const wanted = category === 'tops' ? (oldHem - top) / natural : 1;
  const stretch = Math.min(MOST_STRETCH, Math.max(LEAST_STRETCH, wanted));
  const hem = top + natural * stretch;
  const toGarment = (y: number) => from + (y - top) / (scale * stretch);
  const opening = garment.opening.lastIndexOf(1);
  const depth = opening < 0 ? 0 : Math.floor(opening / garment.picture.width) - from;
  return {
    scale,
    top,
    hem,
    ...widenBelowHem(wearer, garment, { scale, oldHem, hem, toGarment }),
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
  { scale, oldHem, hem, toGarment }: { scale: number; oldHem: number; hem: number; toGarment: (y: number) => number },
): { left: Float32Array; right: Float32Array } {
  const { width, height } = wearer.picture;
  const left = wearer.left.slice();
  const right = wearer.right.slice();
  const blend = 0.35 * wearer.chest;
  for (let y = Math.max(0, Math.floor(oldHem - 0.3 * blend)); y < Math.min(height, hem + 2); y += 1) {
    const row = Math.min(garment.bottom - 2, Math.max(0, Math.round(toGarment(y))));
    const share = smoothStep(oldHem - 0.3 * blend, oldHem + blend, y);
    const ownLeft = wearer.middle + (garment.left[row]! - garment.middle) * scale;
    const ownRight = wearer.middle + (garment.right[row]! - garment.middle) * scale;
    left[y]! += share * (ownLeft - left[y]!);
    right[y]! += share * (ownRight - right[y]!);
    const worn = spanWide(wearer.lower, width, y, 0.05 * wearer.chest);
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
function spanWide(mask: Uint8Array, width: number, y: number, least: number): Span {
  const span = { from: Infinity, to: -Infinity };
  let start = -1;
  for (let x = 0; x <= width; x += 1) {
    const isSet = x < width && mask[y * width + x] === 1;
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

function placeBody(
  fit: Fit,
  i: number,
  x: number,
  y: number,
  body: BodyPlan,
  wearer: Wearer,
  garment: Garment,
  shapes: Shapes,
): void {
  const share = (x - body.left[y]!) / Math.max(1, body.right[y]! - body.left[y]!);
  const across = (row: number) => {
    const at = Math.min(garment.bottom, Math.max(garment.top, Math.round(row)));
    const from = garment.left[at]! + INSET;
    const to = garment.right[at]! - INSET;
    const natural = (from + to) / 2 + (x - (body.left[y]! + body.right[y]!) / 2) / body.scale;
    const fitted = from + share * (to - from);
    const aside = smoothStep(0.4, 0.9, Math.abs(2 * share - 1));
    return Math.min(to, Math.max(from, natural + aside * (fitted - natural)));
  };
  const shoulder = body.toGarment(body.shoulders[x]!);
  const line = readBetween(body.flatShoulders, across(shoulder));
  const slope = line - shoulder;
  const tallest = 0.2 * garment.chest;
  const lift = Math.min(tallest, Math.max(-tallest, slope)) * (1 - smoothStep(body.top, body.armpit, y));
  const row = body.toGarment(y) + lift;
  const hem = garment.bottom - INSET - 1;
  const first = line + INSET;
  const isBeyond = row > hem;
  const seen = row < first ? Math.min(2 * first - row, first + 40) : isBeyond ? Math.max(2 * hem - row, first) : row;
  fit.y[i] = seen;
  fit.x[i] = across(seen);
  const at = Math.round(seen) * garment.picture.width + Math.round(fit.x[i]);
  const open = shapes.open[at]!;
  const cloth = wearer.top[i]!;
  if (cloth > 0) {
    fit.cover[i] = cloth * (1 - open);
  }
  if (body.isWornOpen) fit.keep[i] = cloth * open;
  else fit.bare[i] = shapes.oldTop[i]! * open;
  if (cloth >= 1 || isBeyond) return;
  const isNeck = y < body.armpit;
  const isFree = isNeck ? wearer.skin[i]! === 1 && row >= first - INSET : shapes.hands[i] === 0;
  if (!isFree || (isNeck && y < body.top)) return;
  const edge = Math.min(1, Math.max(0, Math.min(x - body.left[y]!, body.right[y]! - x, (hem - row) / 1)));
  const drawn = shapes.solid[Math.round(row) * garment.picture.width + Math.round(fit.x[i])]!;
  fit.cover[i] = Math.max(fit.cover[i]!, isNeck ? drawn : edge * Math.max(0, 1 - open));
}
