/** A garment laid flat, taken apart: body, sleeves and the opening at the neck. */
import { softBlur } from '../pixels/blur.ts';
import { toLabPlanes } from '../pixels/colour.ts';
import { close, countOnes, dilate, keepWhere } from '../pixels/mask.ts';
import { makeMask, toPlane, type Mask, type Plane, type Point, type Rgb } from '../pixels/plane.ts';
import { quantile } from '../pixels/statistics.ts';
import { findArmpit, findContour, findPeak, findRun, smoothRows, straightenNeck } from './rows.ts';
import { makeAxis, measureStrip, type Strip } from './sleeve.ts';
import { cleanMask, keepLargest, measureBox, measureStep } from './webs.ts';

export type Category = 'tops' | 'bottoms' | 'one-pieces';

/** All places in pixels of `picture`; index 0 is the side on the picture's left. */
export type Garment = {
  picture: Rgb;
  /** 1 = garment, the opening included. */
  mask: Mask;
  /** 1 = inside of the back, seen through the neck: nothing of it shows on a person. */
  opening: Mask;
  middle: number;
  top: number;
  bottom: number;
  /** Body without sleeves, per row. */
  left: Float32Array;
  right: Float32Array;
  /** First row of the garment per column; straight between the two neck points. */
  shoulderLine: Float32Array;
  neck: [Point, Point];
  /** Missing where the garment has no sleeve. */
  sleeves: [Sleeve | undefined, Sleeve | undefined];
  /** Pixels across the chest. */
  chest: number;
};

export type Sleeve = {
  strip: Strip;
  /** Where it meets the body from below. */
  pit: Point;
};

/** Nothing when the shape cannot be read as a garment: too small, or no body. */
export function readGarment(picture: Rgb, cover: Plane): Garment | undefined {
  const { width, height } = picture;
  const mask = cleanMask(picture, cover);
  const box = measureBox(mask);
  if (!box || box.bottom - box.top < 0.15 * height) return undefined;
  const { top, bottom, middle } = box;
  const rows = { top: Math.round(top + 0.06 * (bottom - top)), bottom: Math.round(top + 0.8 * (bottom - top)) };
  const pits = ([-1, 1] as const).map((side) => findArmpit(mask, rows, middle, side, 0.1 * box.width));
  const [left, right] = measureBody(mask, { top, bottom, middle }, pits);
  const contour = findContour(mask, { top, bottom });
  const chestRow = Math.max(pits[0]?.y ?? 0, pits[1]?.y ?? 0) || Math.round(top + 0.3 * (bottom - top));
  const chest = right[chestRow]! - left[chestRow]!;
  if (chest < 16) return undefined;
  const body = keepWhere(mask, (i) => {
    const y = Math.floor(i / width);
    return i % width >= left[y]! && i % width <= right[y]!;
  });
  const aside = dilate(body, 3).data;
  const arms = keepWhere(mask, (i) => !aside[i]);
  const sleeves = pits.map((pit, n) => pit && readSleeve(arms, pit, contour, n === 0 ? -1 : 1));
  const opening = findOpening(picture, body, { top, bottom, middle, chest });
  const findEnd = (end: number) => findPeak(contour, middle, end, 0.006 * (bottom - top));
  const neck = findOpeningCorners(opening, contour) ?? [findEnd(left[rows.top]!), findEnd(right[rows.top]!)];
  return {
    picture,
    mask,
    opening,
    middle,
    top,
    bottom,
    left,
    right,
    shoulderLine: straightenNeck(contour, neck, [top, top]),
    neck,
    sleeves: [sleeves[0], sleeves[1]],
    chest,
  };
}

/**
 * One-pieces are much longer than their chest is wide and have one hem; trousers have two legs, skirts a straight
 * waist.
 */
export function guessCategory(garment: Garment): Category {
  const { top, bottom, chest, mask, picture, middle, sleeves } = garment;
  const low = Math.round(top + 0.85 * (bottom - top));
  const isSplit = !mask.data[low * picture.width + Math.round(middle)];
  if (!sleeves[0] && !sleeves[1] && (isSplit || hasWaist(garment))) return 'bottoms';
  return (bottom - top) / chest > ONE_PIECE_LENGTH ? 'one-pieces' : 'tops';
}

const STRAIGHT = 0.025; // of the length: necklines dip deeper, and shoulders slope more

/** The upper edge is straight from side to side. */
function hasWaist({ mask, top, bottom }: Garment): boolean {
  const { width } = mask;
  const row = Math.round(top + 2 * STRAIGHT * (bottom - top)) * width;
  const waist = mask.data.subarray(row, row + width);
  const from = waist.indexOf(1);
  const to = waist.lastIndexOf(1);
  const margin = 0.06 * (to - from);
  const edge = findContour(mask, { top, bottom }).slice(Math.ceil(from + margin), Math.floor(to - margin));
  return edge.length > 0 && Math.max(...edge) - top < STRAIGHT * (bottom - top) && !edge.includes(-1);
}

const ONE_PIECE_LENGTH = 2.75; // chest widths; shirts and coats of the size charts stay below 2.5

/** Below the armpits the middle run; above them straight up from the armpit, where the sleeve is sewn on. */
function measureBody(
  mask: Mask,
  { top, bottom, middle }: { top: number; bottom: number; middle: number },
  pits: (Point | undefined)[],
): [Float32Array, Float32Array] {
  const { width, height } = mask;
  const left = new Float32Array(height);
  const right = new Float32Array(height);
  let last = { from: middle, to: middle };
  for (let y = top; y <= bottom; y += 1) {
    last = findRun(mask, y, middle, 0.05 * width) ?? last;
    left[y] = pits[0] && y < pits[0].y ? pits[0].x : last.from;
    right[y] = pits[1] && y < pits[1].y ? pits[1].x : last.to;
  }
  left.fill(left[top]!, 0, top).fill(left[bottom]!, bottom);
  right.fill(right[top]!, 0, top).fill(right[bottom]!, bottom);
  return [smoothRows(left, 2), smoothRows(right, 2)];
}

function readSleeve(arms: Mask, pit: Point, contour: Int32Array, side: -1 | 1): Sleeve | undefined {
  const part = keepLargest(keepWhere(arms, (i) => ((i % arms.width) - pit.x) * side > 0));
  const seam = { x: pit.x, y: ((contour[pit.x] ?? pit.y) + pit.y) / 2 };
  const far = findFarEnd(part, seam);
  return far && { strip: measureStrip(makeAxis([seam, far]), part), pit };
}

/** The middle of what lies farthest from the seam. */
function findFarEnd({ data: part, width }: Mask, seam: Point): Point | undefined {
  const away = (i: number) => Math.hypot((i % width) - seam.x, Math.floor(i / width) - seam.y);
  const pixels = [...part.keys()].filter((i) => part[i]);
  const reach = pixels.reduce((most, i) => Math.max(most, away(i)), 0);
  const far = pixels.filter((i) => away(i) >= 0.94 * reach);
  const mean = (read: (i: number) => number) => far.reduce((sum, i) => sum + read(i), 0) / far.length;
  return far.length > 0 ? { x: mean((i) => i % width), y: mean((i) => Math.floor(i / width)) } : undefined;
}

const OPENING_STEP = 5; // Lab units from one pixel to the next: a neckline's edge
const OPENING_SHARE = 0.6; // of the way from the lining's colour to the fabric's: its own shades

/**
 * Grows from the top of the middle, inside what is bounded by the neckline's edge; an even collar of fabric gives none.
 */
function findOpening(
  picture: Rgb,
  body: Mask,
  { top, bottom, middle, chest }: { top: number; bottom: number; middle: number; chest: number },
): Mask {
  const { width } = picture;
  const lab = toLabPlanes(picture);
  const x = Math.round(middle);
  let y = top;
  while (y < bottom && !body.data[y * width + x]) y += 1;
  if (y + 4 > top + 0.3 * (bottom - top)) return makeMask(body); // the neck is open: nothing of the back shows
  const start = (y + 4) * width + x;
  const fromFabric = [lab.l, lab.a, lab.b].map((plane) => plane[start]! - quantile(plane, body.data, 0.5));
  const reach = OPENING_SHARE * Math.hypot(...fromFabric);
  const out = makeMask(body);
  const stack = [start];
  out.data[start] = 1;
  for (let i = stack.pop(); i !== undefined; i = stack.pop()) {
    for (const next of [i - 1, i + 1, i - width, i + width]) {
      if (!body.data[next] || out.data[next]) continue;
      if (measureStep(lab, i, next) > OPENING_STEP || measureStep(lab, start, next) > reach) continue;
      out.data[next] = 1;
      stack.push(next);
    }
  }
  if (countOnes(out) > 0.4 * chest * (bottom - top)) return makeMask(body);
  const whole = dilate(close(out, 0.06 * chest), 0.02 * chest);
  const even = softBlur(toPlane(whole), 0.015 * chest).data;
  return keepWhere(body, (i) => even[i]! > 0.5);
}

/** Where the opening's upper edge ends on both sides; nothing without an opening. */
function findOpeningCorners({ data: opening, width }: Mask, contour: Int32Array): [Point, Point] | undefined {
  const first = opening.indexOf(1);
  if (first < 0) return undefined;
  const top = Math.floor(first / width);
  const depth = Math.floor(opening.lastIndexOf(1) / width) - top;
  let from = width;
  let to = 0;
  for (let i = first; i < (top + 0.35 * depth) * width; i += 1) {
    if (!opening[i]) continue;
    from = Math.min(from, i % width);
    to = Math.max(to, i % width);
  }
  const at = (x: number) => ({ x, y: contour[x] ?? top });
  return [at(Math.max(0, from - 2)), at(Math.min(width - 1, to + 2))];
}
