import { findBox, findContour, keepLargeParts, open, threshold } from '../pixels/mask.ts';
import { scaleSize, type Mask, type Plane, type Point } from '../pixels/plane.ts';
import { resizePlane } from '../pixels/sample.ts';

/** Where a product touches the ground, in its own pixels. */
export type Contact = {
  /** One or two per touching column; `weight` 0..1 falls where the outline rises from the floor. */
  spots: (Point & { weight: number })[];
  /** The outermost touching columns; the product's own if it is too small to tell. */
  left: number;
  right: number;
  /** Contact points of the body from left to right. A strap or front legs may reach lower, as the camera looks down. */
  feet: Point[];
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
const CREST = 0.9; // slope of the outline above which it does not touch the ground
const SLOPE_REACH = 0.02; // of the width
const TIP = 0.6; // weight of a pointed foot
const FLAT = 0.5; // least weight of a flat base; lower weights are rounded corners
const MIN_PART_SHARE = 0.005; // of the largest part's pixels

/**
 * Finds contact at the lowest parts of the outline: of the whole shape, including thin legs and straps, and of the
 * solid body, which may stand behind a strap.
 */
export function findContact(alpha: Plane): Contact {
  const shrink = Math.min(1, WORK_SIDE / Math.max(alpha.width, alpha.height));
  const size = scaleSize(alpha, shrink, 8);
  const solid = keepLargeParts(threshold(resizePlane(alpha, size), 0.5), MIN_PART_SHARE);
  const box = findBox(solid, 0);
  if (!box) return { spots: [], left: 0, right: alpha.width, feet: [], ground: alpha.height };
  const body = open(solid, Math.max(2, THIN * Math.max(size.width, size.height)));
  const whole = findLowSpots(solid, box.height, box.top + box.height);
  const own = findLowSpots(body, box.height, box.top + box.height);
  const [sx, sy] = [alpha.width / size.width, alpha.height / size.height];
  const spots = [...own, ...whole.filter(({ x, y }) => !own.some((spot) => spot.x === x && spot.y >= y - 1))].flatMap(
    ({ x, y, weight }) => columnsUnder(x, sx).map((column) => ({ x: column, y: (y + 1) * sy, weight })),
  );
  const columns = spots.filter(({ weight }) => weight > 0.3).map(({ x }) => x);
  const under = own.length > 0 ? own : whole;
  const rows = under.map(({ y }) => (y + 1) * sy).sort((a, b) => a - b);
  const flat = under.filter(({ weight }) => weight >= FLAT).sort((one, other) => one.x - other.x);
  return {
    spots,
    left: columns.length > 0 ? Math.min(...columns) : 0,
    right: columns.length > 0 ? Math.max(...columns) : alpha.width,
    feet: flat.map(({ x, y }) => ({ x: (x + 0.5) * sx, y: (y + 1) * sy })),
    ground: rows[Math.floor(0.75 * rows.length)] ?? alpha.height,
  };
}

/** The columns of the product that one column of the small copy represents. */
function columnsUnder(x: number, wide: number): number[] {
  const first = Math.ceil(x * wide - 0.5);
  return Array.from({ length: Math.ceil((x + 1) * wide - 0.5) - first }, (_, n) => first + n);
}

/** The columns around each minimum of the lower outline, up to where it rises too steeply. */
function findLowSpots(mask: Mask, height: number, lowest: number): Contact['spots'] {
  const outline = [...findContour(mask, { top: 0, bottom: mask.height - 1 }, true)];
  const highest = lowest - DEEPEST * height;
  const isMassive = (low: number) => countSolidRows(mask, low, outline[low]!) >= MASSIVE * height;
  const feet = findPieces(outline, STEP * height).filter(isMassive);
  const lows = [...findLows(outline, PROMINENCE * height), ...feet].filter((low) => outline[low]! >= highest);
  const spots = lows.flatMap((low) => [...walkFrom(outline, low, -1, highest), ...walkFrom(outline, low, 1, highest)]);
  return [...new Map(spots.map((spot) => [spot.x, spot])).values()];
}

function walkFrom(outline: number[], low: number, step: 1 | -1, highest: number): Contact['spots'] {
  const spots: Contact['spots'] = [];
  let weight = 1;
  for (let x = low; outline[x] !== undefined && outline[x]! >= Math.max(0, highest); x += step) {
    weight = Math.min(weight, 1 - (slopeAt(outline, x, step) / CREST) ** 2);
    if (x === low) weight = Math.max(weight, TIP);
    if (weight <= 0.05) break;
    spots.push({ x, y: outline[x]!, weight });
  }
  return spots;
}

/** The number of solid rows without a gap, from this row upwards. */
function countSolidRows({ data, width }: Mask, x: number, row: number): number {
  let top = row;
  while (top >= 0 && data[top * width + x]) top -= 1;
  return row - top;
}

/** The lowest column of each section of the outline between two steps. */
function findPieces(outline: number[], step: number): number[] {
  const lows: number[] = [];
  for (let from = 0, x = 1; x <= outline.length; x += 1) {
    if (x < outline.length && Math.abs(outline[x]! - outline[x - 1]!) < step) continue;
    const piece = outline.slice(from, x);
    if (piece.length >= NARROW * outline.length) lows.push(from + piece.indexOf(Math.max(...piece)));
    from = x;
  }
  return lows;
}

/** Local minima of the outline with this prominence on both sides. */
function findLows(outline: number[], prominence: number): number[] {
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

/** Slope of the outline in this direction, measured over enough columns to ignore fur. */
function slopeAt(outline: number[], x: number, step: number): number {
  const reach = Math.max(3, Math.round(SLOPE_REACH * outline.length));
  const ahead = meanAt(outline, x + reach * step);
  if (ahead === undefined) return 0; // the end of a base does not count as a rise
  return Math.max(0, ((meanAt(outline, x) ?? outline[x]!) - ahead) / reach);
}

/** Mean row of a column and its neighbours; undefined outside the product. */
function meanAt(outline: number[], x: number): number | undefined {
  const rows = [x - 1, x, x + 1].map((column) => outline[column] ?? -1);
  return rows.some((row) => row < 0) ? undefined : (rows[0]! + rows[1]! + rows[2]!) / 3;
}
