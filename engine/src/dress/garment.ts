/** Segments a flat or hanging garment into body, sleeves and neck opening. */
import {
  countOnes,
  findBox,
  findContour,
  keepLargest,
  keepWhere,
  open as openMask,
  threshold,
} from '../pixels/mask.ts';
import type { Mask, Plane, Point, Rgb } from '../pixels/plane.ts';
import { findOpening, type Opening } from './opening.ts';
import { findRun, median, smoothRows, spanRow } from './rows.ts';
import { eachSide, makeAxis, measureStrip, type BothSides, type SideNumber, type Strip } from './sleeve.ts';
import { findCentre, turnUpright, type Upright } from './upright.ts';

/** All positions in pixels of the upright picture; index 0 is the picture's left side. */
export type Garment = Upright & {
  top: number;
  bottom: number;
  /** Left and right edge of the body without sleeves, per row. */
  left: Float32Array;
  right: Float32Array;
  /** First row of the garment per column; -1 if there is none. */
  contour: Float32Array;
  opening: Opening;
  shoulders: BothSides<Point>;
  pits: BothSides<Point>;
  /** Undefined without a sleeve. */
  sleeves: BothSides<Strip | undefined>;
  /** Width of the chest in pixels. */
  chest: number;
  cut: Cut;
};

const MIN_SIDE = 0.15; // of the picture's height
const ARMPIT = 0.46; // chest widths below the shoulders, if no gap shows it
const MIN_SLEEVE = 0.012; // of the squared chest width: least area

/** Segments a garment; undefined if the shape is too small or has no body. */
export function readGarment(picture: Rgb, alpha: Plane): Garment | undefined {
  const shape = cutHook(keepLargest(openMask(threshold(alpha, 0.5), 1.5)));
  if (countOnes(shape) < MIN_SIDE * MIN_SIDE * picture.width * picture.height) return undefined;
  const upright = turnUpright(picture, shape);
  const { mask, middle } = upright;
  const top = Math.max(0, Math.floor(mask.data.indexOf(1) / mask.width));
  const lowest = Math.floor(mask.data.lastIndexOf(1) / mask.width);
  const tall = lowest - top;
  const runs = Array.from({ length: mask.height }, (_, y) => findRun(mask, y, middle, 0.1 * mask.width));
  const spans = runs
    .slice(Math.round(top + 0.2 * tall), Math.round(top + 0.6 * tall))
    .filter((run) => run !== undefined);
  if (spans.length === 0 || tall < 24) return undefined;
  const half = spans.map(({ from, to }) => (to - from) / 2).toSorted((a, b) => a - b)[spans.length >> 3]!;
  if (half < 8) return undefined;
  const contour = findContour(mask, { top, bottom: lowest });
  const frame = { top, bottom: lowest, middle, half };
  const pits = eachSide((n) => findPit(mask, frame, n));
  const [left, right] = measureBody(runs, frame, pits);
  const chest = pits[0] && pits[1] ? pits[1].x - pits[0].x : 2 * half;
  const outline = { ...upright, top, bottom: lowest, contour, left, right, chest };
  const cut = detectCut(outline, pits);
  if (cut !== 'split') outline.bottom = findBottom(mask, middle, half) ?? lowest;
  return finishGarment(outline, cut, pits);
}

const HOOK = { thin: 0.05, aside: 0.12, down: 0.25 }; // of the width, width, height

/** Removes a hanger's hook: thin parts at the centre of the upper edge. Straps are farther aside. */
function cutHook(shape: Mask): Mask {
  const box = findBox(shape, 0);
  if (!box) return shape;
  const middle = box.left + box.width / 2;
  const thick = openMask(shape, HOOK.thin * box.width).data;
  const isHook = (x: number, y: number) =>
    Math.abs(x - middle) < HOOK.aside * box.width && y < box.top + HOOK.down * box.height;
  const { width } = shape;
  return keepLargest(keepWhere(shape, (i) => thick[i] === 1 || !isHook(i % width, Math.floor(i / width))));
}

type Outline = Upright & Pick<Garment, 'top' | 'bottom' | 'contour' | 'left' | 'right' | 'chest'>;
type Pits = BothSides<Point | undefined>;

const HANGING = 0.68; // of the whole width: the body, if sleeves hang down on both sides

/** The type of outline; `over`: upside down, with sleeves below a straight edge. */
type Cut = 'split' | 'waist' | 'over' | 'hanging' | 'plain';

function finishGarment(outline: Outline, cut: Cut, pits: Pits): Garment {
  const { mask, middle } = outline;
  if (cut === 'hanging') {
    for (const side of [outline.left, outline.right])
      side.forEach((x, y) => (side[y] = middle + HANGING * (x - middle)));
    outline.chest *= HANGING;
  }
  const { left, right, chest, contour, top, bottom } = outline;
  const tall = bottom - top;
  mirrorMissing(outline, pits);
  const edgeAt = (n: SideNumber, row: number) => (n === 0 ? left : right)[row]!;
  const shoulders = eachSide((n) => {
    const from = cut === 'hanging' ? edgeAt(n, top + Math.round(0.3 * tall)) : pits[n]?.x;
    return findShoulder(contour, { top, tall, middle, half: chest / 2 }, n, from);
  });
  const holes = eachSide((n): Point => {
    const y = Math.min(pits[n]?.y ?? Infinity, shoulders[n].y + ARMPIT * chest);
    return { x: edgeAt(n, Math.min(mask.height - 1, Math.max(0, Math.round(y + 1)))), y };
  });
  const arms = keepWhere(mask, (i) => {
    const x = i % mask.width;
    const y = Math.floor(i / mask.width);
    return x < left[y]! - 2 || x > right[y]! + 2;
  });
  const sleeves = eachSide((n) =>
    pits[n] || cut === 'hanging' ? readSleeve(arms, holes[n], shoulders[n], n, chest) : undefined,
  );
  const opening = findOpening(outline, { top, tall, chest, contour });
  return { ...outline, cut, opening, shoulders, pits: holes, sleeves };
}

/** If only one sleeve is apart from the body, the other hides the body's side, which is then mirrored. */
function mirrorMissing({ left, right, middle }: Outline, pits: Pits): void {
  if ((pits[0] === undefined) === (pits[1] === undefined)) return;
  for (let y = 0; y < left.length; y += 1) {
    if (pits[0]) right[y] = Math.min(right[y]!, 2 * middle - left[y]!);
    else left[y] = Math.max(left[y]!, 2 * middle - right[y]!);
  }
}

/** The body's last row; sleeves may hang lower. */
function findBottom(mask: Mask, middle: number, half: number): number | undefined {
  const last = findContour(mask, { top: 0, bottom: mask.height - 1 }, true);
  return median(last.subarray(Math.round(middle - 0.6 * half), Math.round(middle + 0.6 * half)).filter((y) => y >= 0));
}

const LEGS = { from: 0.6, to: 0.95, min: 0.6, apart: 0.12 }; // of the length, the length, these rows, the whole width

function detectCut({ mask, middle, top, bottom, left, right, chest }: Outline, pits: Pits): Cut {
  const tall = bottom - top;
  const aside = LEGS.apart * (findBox(mask, 0)?.width ?? 0);
  let [split, rows] = [0, 0];
  for (let y = Math.round(top + LEGS.from * tall); y < top + LEGS.to * tall; y += 1) {
    rows += 1;
    const { from, to, row } = spanRow(mask, y);
    const isOpen = row.subarray(Math.round(middle - aside), Math.round(middle + aside)).includes(0);
    if (isOpen && from < middle && to > middle) split += 1;
  }
  if (split > LEGS.min * rows) return 'split';
  const hasPits = pits.some((pit) => pit !== undefined);
  const [waist, below] = [WAIST.at, WAIST.below].map((at) => {
    const { from, to, row } = spanRow(mask, Math.round(top + at * chest));
    return { width: to - from, filled: row.subarray(from, to).filter(Boolean).length / Math.max(1, to - from) };
  });
  const isStraight =
    waist !== undefined &&
    below !== undefined &&
    waist.width > WAIST.width * below.width &&
    waist.filled > WAIST.filled;
  if (isStraight) return hasPits ? 'over' : 'waist';
  if (hasPits) return 'plain';
  const shoulder = Math.round(top + WIDE_AT * chest);
  const reach = Math.min(middle - left[shoulder]!, right[shoulder]! - middle);
  const [from, to] = [Math.round(top + 0.35 * tall), Math.round(top + 0.75 * tall)];
  const widths = right.subarray(from, to).map((x, n) => x - left[from + n]!);
  return reach > 0.92 * (widths.sort()[widths.length >> 2]! / 2) ? 'hanging' : 'plain';
}

// chest widths below the upper edge, and shares of the width there: collars and straps are narrower
const WAIST = { at: 0.05, below: 0.3, width: 0.7, filled: 0.85 };
const WIDE_AT = 0.5; // chest widths below the collar: sleeveless bodies have armholes there

type Frame = { top: number; bottom: number; middle: number; half: number };

/** The direction away from the centre. */
const outwards = (side: SideNumber): -1 | 1 => (side === 0 ? -1 : 1);

const WIDE = 1.1; // times half the body: wider rows include a sleeve
const NARROW = 1.04;
const LOWEST = 0.62; // of the length: a gap that starts lower does not belong to a sleeve

/** The armpit: at a gap between sleeve and body, or where the outline returns to the body. */
function findPit(mask: Mask, { top, bottom, middle, half }: Frame, n: SideNumber): Point | undefined {
  const side = outwards(n);
  let isWide = false;
  let gap = 0;
  for (let y = top; y <= top + LOWEST * (bottom - top); y += 1) {
    const run = findRun(mask, y, middle, 0.1 * mask.width);
    if (!run) continue;
    const edge = side < 0 ? run.from : run.to;
    const reach = (edge - middle) * side;
    gap = reach > 0.55 * half && reach < 1.35 * half && hasMoreBeyond(mask, y, edge, side, 0.05 * half) ? gap + 1 : 0;
    if (gap === GAP_ROWS) return { x: edge, y: y - GAP_ROWS + 1 };
    if (reach > WIDE * half) isWide = true;
    else if (isWide && reach <= NARROW * half && y > top + 0.1 * (bottom - top)) return { x: edge, y };
  }
  return undefined;
}

const GAP_ROWS = 4; // fewer rows are a crease

function hasMoreBeyond({ data, width }: Mask, y: number, edge: number, side: -1 | 1, min: number): boolean {
  let more = 0;
  for (let x = edge + 2 * side; x >= 0 && x < width; x += side) more += data[y * width + x]!;
  return more > min;
}

/** The body's edges: the central run below the armpits, vertical above them along the sleeve's seam. */
function measureBody(
  runs: ({ from: number; to: number } | undefined)[],
  { top, bottom, middle, half }: Frame,
  pits: Pits,
): BothSides<Float32Array> {
  const left = new Float32Array(runs.length);
  const right = new Float32Array(runs.length);
  let last = { from: middle - half, to: middle + half };
  for (let y = top; y <= bottom; y += 1) {
    last = runs[y] ?? last;
    left[y] = pits[0] && y < pits[0].y ? pits[0].x : last.from;
    right[y] = pits[1] && y < pits[1].y ? pits[1].x : last.to;
  }
  left.fill(left[top]!, 0, top).fill(left[bottom]!, bottom);
  right.fill(right[top]!, 0, top).fill(right[bottom]!, bottom);
  return [smoothRows(left, 2), smoothRows(right, 2)];
}

/** The shoulder tip: the first column, going inwards, whose contour is high enough. */
function findShoulder(
  contour: Float32Array,
  { top, tall, middle, half }: Omit<Frame, 'bottom'> & { tall: number },
  n: SideNumber,
  from = middle + outwards(n) * 0.8 * half,
): Point {
  const side = outwards(n);
  for (let x = Math.round(from); (x - middle) * side > 0.3 * half; x -= side) {
    const y = contour[x] ?? -1;
    if (y >= 0 && y < top + 0.3 * tall) return { x, y };
  }
  return { x: middle + side * 0.6 * half, y: top };
}

function readSleeve(arms: Mask, pit: Point, tip: Point, n: SideNumber, chest: number): Strip | undefined {
  const part = keepLargest(keepWhere(arms, (i) => ((i % arms.width) - pit.x) * outwards(n) > 0));
  if (countOnes(part) < Math.max(1, MIN_SLEEVE * chest * chest)) return undefined;
  const seam = { x: pit.x, y: (tip.y + pit.y) / 2 };
  return measureStrip(makeAxis([seam, findFarEnd(part, seam)]), part);
}

/** The centre of the pixels farthest from the seam. */
function findFarEnd(part: Mask, seam: Point): Point {
  const away = (i: number) => Math.hypot((i % part.width) - seam.x, Math.floor(i / part.width) - seam.y);
  const reach = part.data.reduce((max, on, i) => (on ? Math.max(max, away(i)) : max), 0);
  return findCentre(keepWhere(part, (i) => away(i) >= 0.94 * reach));
}
