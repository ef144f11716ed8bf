/**
 * How far the camera looks down on a box, a bag or a cupboard: upright edges run together downwards, the more the
 * steeper it looks, and their meeting point says by how much.
 */
import type { Plane, Size } from '../pixels/plane.ts';

/** The product's cover, and how many rows of the photo lie above it. */
export type Placed = Plane & { top: number };

const FOCAL = 0.85; // of the photo's longer side: between a phone's wide lens (.72) and its double one (1.4)
const TOLERANCE = 0.005; // of the product's height: so far from a line its edge may lie
const SHORTEST = 0.25; // of the height: a circle's longest piece within the tolerance is .2
const STEEPEST = 0.65; // pixels to the side a row: beyond it an edge is not upright
const STOPS = 32; // rows between which lines are tried
const LID_STRAIGHT = 0.02; // of the width
const FLATTEST = 0.3; // of a box's width: the least depth that its lid is believed to have
const LEAST_LID = 0.06; // of the height

type Line = {
  /** First and last row that lie on it. */
  from: number;
  to: number;
  at: (row: number) => number;
};

/**
 * Degrees by which the camera looks down (or up, below 0); undefined where no two straight sides run together below a
 * lid (or above a floor) with straight edges, which tells a box from a bucket. `upload` is the whole photo's size.
 */
export function findConvergence(product: Placed, upload: Size): number | undefined {
  const { lefts, rights, first } = readOutline(product);
  const above = product.top + first;
  const down = measure({ lefts, rights }, above, upload);
  if (down !== undefined) return down;
  const below = upload.height - above - lefts.length;
  const up = measure({ lefts: lefts.toReversed(), rights: rights.toReversed() }, below, upload);
  return up === undefined ? undefined : -up;
}

type Outline = { lefts: number[]; rights: number[] };

/** `above`: rows of the photo above the outline's first. */
function measure({ lefts, rights }: Outline, above: number, upload: Size): number | undefined {
  const [one, other] = [findSide(lefts), findSide(rights)];
  if (!one || !other || Math.min(one.to, other.to) <= Math.max(one.from, other.from)) return undefined;
  const widthAt = (row: number) => other.at(row) - one.at(row);
  const middle = upload.height / 2 - above;
  const narrowing = widthAt(middle) - widthAt(middle + 1);
  if (narrowing <= 0) return undefined;
  const focal = FOCAL * Math.max(upload.width, upload.height);
  const pitch = Math.atan((focal * narrowing) / widthAt(middle));
  const lid = Math.max(one.from, other.from);
  const width = widthAt(lid);
  if (lid < LEAST_LID * lefts.length || lid < FLATTEST * width * Math.sin(pitch)) return undefined;
  const isStraight = isChord(lefts, one.from, width) && isChord(rights, other.from, width);
  return isStraight ? (pitch * 180) / Math.PI : undefined;
}

/** Whether the edge runs straight from its first row to `end`. */
function isChord(edge: readonly number[], end: number, width: number): boolean {
  const slope = (edge[end]! - edge[0]!) / Math.max(1, end);
  return edge.slice(0, end).every((x, row) => Math.abs(x - edge[0]! - slope * row) <= LID_STRAIGHT * width);
}

/** The longest straight, upright piece of an edge. */
function findSide(edge: readonly number[]): Line | undefined {
  const tolerance = Math.max(1, TOLERANCE * edge.length);
  const stops = Array.from({ length: STOPS }, (_, n) => Math.round((n * (edge.length - 1)) / (STOPS - 1)));
  let best: Line | undefined;
  for (const [n, one] of stops.entries()) {
    for (const other of stops.slice(n + 2)) {
      const slope = (edge[other]! - edge[one]!) / (other - one);
      if (Math.abs(slope) > STEEPEST) continue;
      const at = (row: number) => edge[one]! + slope * (row - one);
      const lies = (row: number) => row >= 0 && row < edge.length && Math.abs(edge[row]! - at(row)) <= tolerance;
      let [from, to] = [one, one];
      while (lies(from - 1)) from -= 1;
      while (lies(to + 1)) to += 1;
      if (to >= other && to - from > (best ? best.to - best.from : SHORTEST * edge.length)) best = { from, to, at };
    }
  }
  return best;
}

/** The first covered column and the one behind the last, of each row that shows something; `first` is the first row. */
export function readOutline({ data, width, height }: Plane): Outline & { first: number } {
  const [lefts, rights]: [number[], number[]] = [[], []];
  let first = 0;
  for (let y = 0; y < height; y += 1) {
    const row = data.subarray(y * width, (y + 1) * width);
    const left = row.findIndex((value) => value > 0.5);
    if (left < 0) continue;
    if (lefts.length === 0) first = y;
    lefts.push(left);
    rights.push(row.findLastIndex((value) => value > 0.5) + 1);
  }
  return { lefts, rights, first };
}
