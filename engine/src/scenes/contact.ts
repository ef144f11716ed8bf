import { findBox, findContour, keepLargeParts, open, threshold } from '../pixels/mask.ts';
import { scaleSize, type Mask, type Plane, type Point } from '../pixels/plane.ts';
import { resizePlane } from '../pixels/sample.ts';

/** Where a product touches the ground, in its own pixels. */
export type Contact = {
  /** One per touching column, from left to right. */
  spots: Point[];
  /** The outermost touching columns; the product's own if it is too small to tell. */
  left: number;
  right: number;
  /** The ground row of the whole body. */
  ground: number;
};

const WORK_SIDE = 384;
const THIN = 0.025; // of the long side: straps and legs are thinner
const PROMINENCE = 0.1; // of the height: how far the outline rises beside a leg, unlike beside a handle
const STEP = 0.03; // of the height between adjacent columns: one shoe of a pair stands before the other there
const NARROW = 0.08; // of the width: narrower pieces of the outline are no feet
const MASSIVE = 0.2; // of the height: solid pixels above a narrow foot; a handle is a thin arc
const DEEPEST = 0.3; // of the height: back legs and bases end at most this far above the lowest foot
const STEEPEST = 0.6; // slope of the outline from which it does not touch the ground
const SLOPE_REACH = 0.02; // of the width: ignores fur
const MIN_PART_SHARE = 0.005; // of the largest part's pixels

/**
 * Finds contact at the lowest parts of the outline: of the solid body, which may stand behind a strap, or of the whole
 * shape if it stands on thin legs.
 */
export function findContact(alpha: Plane): Contact {
  const shrink = Math.min(1, WORK_SIDE / Math.max(alpha.width, alpha.height));
  const size = scaleSize(alpha, shrink, 8);
  const solid = keepLargeParts(threshold(resizePlane(alpha, size), 0.5), MIN_PART_SHARE);
  const box = findBox(solid, 0);
  if (!box) return { spots: [], left: 0, right: alpha.width, ground: alpha.height };
  const body = open(solid, Math.max(2, THIN * Math.max(size.width, size.height)));
  const own = findLowSpots(body, box.height, box.top + box.height);
  const low = own.length > 0 ? own : findLowSpots(solid, box.height, box.top + box.height);
  const [sx, sy] = [alpha.width / size.width, alpha.height / size.height];
  const spots = low.flatMap(({ x, y }) => columnsUnder(x, sx).map((column) => ({ x: column, y: (y + 1) * sy })));
  const columns = spots.map(({ x }) => x);
  const rows = spots.map(({ y }) => y).sort((a, b) => a - b);
  return {
    spots,
    left: columns.length > 0 ? Math.min(...columns) : 0,
    right: columns.length > 0 ? Math.max(...columns) : alpha.width,
    ground: rows[Math.floor(0.75 * rows.length)] ?? alpha.height,
  };
}

/** The columns of the product that one column of the small copy represents. */
function columnsUnder(x: number, wide: number): number[] {
  const first = Math.ceil(x * wide - 0.5);
  return Array.from({ length: Math.ceil((x + 1) * wide - 0.5) - first }, (_, n) => first + n);
}

/** The columns around each minimum of the lower outline, up to where it rises too steeply. */
function findLowSpots(mask: Mask, height: number, lowest: number): Point[] {
  const outline = findContour(mask, { top: 0, bottom: mask.height - 1 }, true);
  const highest = Math.max(0, lowest - DEEPEST * height);
  const reach = Math.max(3, Math.round(SLOPE_REACH * outline.length));
  const touching = new Set<number>();
  const rises = (x: number, step: number) => {
    const ahead = outline[x + step * reach] ?? -1; // the end of a base does not count as a rise
    return ahead >= 0 && outline[x]! - ahead > STEEPEST * reach;
  };
  const isMassive = (low: number) => countSolidRows(mask, low, outline[low]!) >= MASSIVE * height;
  const feet = findPieces(outline, STEP * height).filter(isMassive);
  for (const low of [...findLows(outline, PROMINENCE * height), ...feet]) {
    if (outline[low]! >= highest) touching.add(low);
    for (const step of [-1, 1]) {
      for (let x = low; outline[x]! >= highest && !rises(x, step); x += step) touching.add(x);
    }
  }
  return [...touching].sort((one, other) => one - other).map((x) => ({ x, y: outline[x]! }));
}

/** The number of solid rows without a gap, from this row upwards. */
function countSolidRows({ data, width }: Mask, x: number, row: number): number {
  let top = row;
  while (top >= 0 && data[top * width + x]) top -= 1;
  return row - top;
}

/** The lowest column of each section of the outline between two steps. */
function findPieces(outline: Float32Array, step: number): number[] {
  const lows: number[] = [];
  for (let from = 0, x = 1; x <= outline.length; x += 1) {
    if (x < outline.length && Math.abs(outline[x]! - outline[x - 1]!) < step) continue;
    const piece = outline.subarray(from, x);
    if (piece.length >= NARROW * outline.length) lows.push(from + piece.indexOf(Math.max(...piece)));
    from = x;
  }
  return lows;
}

/** Local minima of the outline with this prominence on both sides. */
function findLows(outline: Float32Array, prominence: number): number[] {
  const lows: number[] = [];
  let [best, crest, isFalling] = [-1, Infinity, true];
  for (const [x, row] of [...outline, -1].entries()) {
    if (isFalling && (best < 0 || row > outline[best]!)) best = x;
    crest = isFalling ? row : Math.min(crest, row);
    if (isFalling && best >= 0 && outline[best]! >= 0 && outline[best]! - row > prominence) {
      lows.push(best);
      isFalling = false;
      crest = row;
    }
    if (!isFalling && row - crest > prominence) {
      isFalling = true;
      best = x;
    }
  }
  return lows;
}
