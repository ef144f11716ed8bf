import type { Plane, Size } from '../pixels/plane.ts';
import { findConvergence, readOutline, type Placed } from './converge.ts';
import type { Plate } from './plates.ts';

const FROM_ABOVE_DEG = 38; // beyond it a set seen from the side looks wrong under the product
const PLATEAU = 0.04; // of the height: over so many rows the sides of a vessel grow no more
const GROWTH = 1.015;
const AGREEMENT = 1.6;
const DOME = 0.92; // sine of 67 degrees: deeper arcs are a dome's, since from so far above a rim hides the sides
const STRAIGHT_SIDES = 1.15; // times both arcs: an egg is all arcs and tells nothing
const ROUND = 0.12; // how far the arc may differ from an ellipse

/** How the photo, of the size `upload`, looks at the product; from the side where nothing tells. */
export function findView(product: Placed, upload: Size): Plate['view'] {
  return (findTilt(product) ?? findConvergence(product, upload) ?? 0) > FROM_ABOVE_DEG ? 'above' : 'eye';
}

/**
 * Degrees by which the camera looks down on an upright round vessel: its rim and its base are circles and are seen as
 * ellipses, whose axes are as 1 to sin(tilt). Undefined for everything that does not end in two such arcs with straight
 * sides between them.
 */
export function findTilt(alpha: Plane): number | undefined {
  const { lefts, rights } = readOutline(alpha);
  const widths = rights.map((right, row) => right - lefts[row]!);
  const top = findArc(widths);
  const bottom = findArc(widths.toReversed());
  if (!top || !bottom) return undefined;
  const deepest = Math.max(top.sine, bottom.sine);
  if (deepest > DOME || deepest > AGREEMENT * Math.min(top.sine, bottom.sine)) return undefined;
  if (widths.length < STRAIGHT_SIDES * (top.depth + bottom.depth)) return undefined;
  const sine = (top.sine + bottom.sine) / 2;
  return (Math.asin(Math.min(1, sine)) * 180) / Math.PI;
}

/** Half an ellipse at the end of a silhouette: how deep it is in rows, and its depth against its half width. */
function findArc(widths: number[]): { depth: number; sine: number } | undefined {
  const reach = Math.max(2, Math.round(PLATEAU * widths.length));
  const end = widths.findIndex((width, row) => (widths[row + reach] ?? 0) <= GROWTH * width);
  const half = (widths[end] ?? 0) / 2;
  if (end <= 0 || half < 4) return undefined;
  const depthAt = (share: number) => widths.findIndex((width) => width >= 2 * share * half);
  const depth = 2 * (depthAt(Math.sqrt(0.75)) + 0.5); // where the ellipse is 0.87 wide it is half as deep
  const isRound = Math.abs((depthAt(0.6) + 0.5) / depth - 0.2) < ROUND;
  return isRound && depth >= 3 ? { depth, sine: depth / half } : undefined;
}
