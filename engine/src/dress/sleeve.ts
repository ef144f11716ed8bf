/** Sleeves and arms as strips along an axis, with coordinates along and across it. */
import type { Pose } from '../people/figure.ts';
import type { Mask, Plane, Point } from '../pixels/plane.ts';
import { medianRows } from './rows.ts';

/** 0 is the picture's left side. */
export type SideNumber = 0 | 1;
export type BothSides<Part> = [Part, Part];

export const eachSide = <Part>(make: (side: SideNumber) => Part): BothSides<Part> => [make(0), make(1)];

/** Interpolates between two points. */
export function mix(one: Point, other: Point, share: number): Point {
  return { x: one.x + (other.x - one.x) * share, y: one.y + (other.y - one.y) * share };
}

/** A polyline with its lengths in pixels. */
export type Axis = {
  points: Point[];
  /** Segments: start, unit direction and length. */
  pieces: { x: number; y: number; ux: number; uy: number; length: number }[];
  length: number;
};

export type Strip = {
  axis: Axis;
  /** Per pixel of length: least and greatest distance across, positive to the right of the direction of travel. */
  from: Float32Array;
  to: Float32Array;
};

/** Makes an axis through these points. */
export function makeAxis(points: Point[]): Axis {
  const pieces = points.slice(1).map((end, n) => {
    const { x, y } = points[n]!;
    const length = Math.hypot(x - end.x, y - end.y);
    return { x, y, ux: (end.x - x) / length, uy: (end.y - y) / length, length };
  });
  return { points, pieces, length: pieces.reduce((sum, { length }) => sum + length, 0) };
}

/** Projects a point on the axis, whose outer segments are extended straight. */
export function projectOnAxis({ pieces }: Axis, px: number, py: number): { along: number; across: number } {
  let best = { along: 0, across: 0 };
  let nearest = Infinity;
  let passed = 0;
  for (const piece of pieces) {
    const { ux, uy, length } = piece;
    const [dx, dy] = [px - piece.x, py - piece.y];
    const low = piece === pieces[0] ? -Infinity : 0;
    const high = piece === pieces.at(-1) ? Infinity : length;
    const along = Math.min(high, Math.max(low, dx * ux + dy * uy));
    const away = Math.hypot(dx - along * ux, dy - along * uy);
    if (away < nearest) {
      nearest = away;
      best = { along: passed + along, across: dx * -uy + dy * ux };
    }
    passed += length;
  }
  return best;
}

/** The point at these coordinates along and across. */
export function placeOnAxis({ pieces }: Axis, along: number, across: number): Point {
  let left = along;
  for (const piece of pieces) {
    const { x, y, ux, uy, length } = piece;
    if (left <= length || piece === pieces.at(-1)) {
      return { x: x + ux * left - uy * across, y: y + uy * left + ux * across };
    }
    left -= length;
  }
  throw new Error('an axis needs two points');
}

/** Measures the extent of marked pixels at every step along the axis; steps without pixels copy their neighbours. */
export function measureStrip(axis: Axis, { data, width }: Mask): Strip {
  const steps = Math.max(2, Math.ceil(axis.length));
  const from = new Float32Array(steps).fill(Infinity);
  const to = new Float32Array(steps).fill(-Infinity);
  for (let i = 0; i < data.length; i += 1) {
    if (!data[i]) continue;
    const { along, across } = projectOnAxis(axis, i % width, Math.floor(i / width));
    const step = Math.round(along);
    if (step < 0 || step >= steps) continue;
    from[step] = Math.min(from[step]!, across);
    to[step] = Math.max(to[step]!, across);
  }
  return { axis, from: fillSteps(from), to: fillSteps(to) };
}

function fillSteps(values: Float32Array): Float32Array {
  const out = values.slice();
  let last = out.find((value) => Number.isFinite(value)) ?? 0;
  for (let n = 0; n < out.length; n += 1) {
    if (Number.isFinite(out[n]!)) last = out[n]!;
    else out[n] = last;
  }
  return medianRows(out, SMOOTH);
}

const SMOOTH = 4; // steps on both sides of a moving median, which ignores thumbs and creases

/** The two edges at `along` pixels of the axis, in pixels across; clamped to the strip's ends. */
export function widthAt(strip: Strip, along: number): { from: number; to: number } {
  const step = Math.min(strip.from.length - 1, Math.max(0, Math.round(along)));
  return { from: strip.from[step]!, to: strip.to[step]! };
}

/** One side of a person: shoulder, arm and hip. */
export type Side = { shoulder: Point; elbow: Point | undefined; wrist: Point | undefined; hip: Point | undefined };

/** Both sides, the picture's left one first. */
export function orderSides({ joints }: Pose): BothSides<Side> {
  const sideOf = (name: 'left' | 'right'): Side => ({
    shoulder: joints[`${name}Shoulder`],
    elbow: joints[`${name}Elbow`],
    wrist: joints[`${name}Wrist`],
    hip: joints[`${name}Hip`],
  });
  const [left, right] = [sideOf('left'), sideOf('right')];
  return left.shoulder.x < right.shoulder.x ? [left, right] : [right, left];
}

export type WornSleeve = { end: number; isEndVisible: boolean };

const BONE = 0.75; // shoulder widths from shoulder to elbow, and from there to the wrist, in adults

/**
 * The arm's axis from the armhole's centre. An unseen arm hangs down, an unseen forearm continues straight; an unseen
 * elbow bends, unless the hand is before its own shoulder, where it hides the arm.
 */
export function traceArm(seam: Point, { elbow, wrist }: Side, shoulderWidth: number): Axis {
  if (elbow) return makeAxis([seam, elbow, wrist ?? { x: 2 * elbow.x - seam.x, y: 2 * elbow.y - seam.y }]);
  if (!wrist) return makeAxis([seam, { x: seam.x, y: seam.y + 1.2 * shoulderWidth }]);
  const bone = BONE * shoulderWidth;
  const isFolded = Math.hypot(wrist.x - seam.x, wrist.y - seam.y) < bone;
  return makeAxis(isFolded ? [seam, wrist] : [seam, bendArm(seam, wrist, bone), wrist]);
}

/** The unseen elbow: the lower one of the two places at a bone's length from both ends; halfway, if none is. */
function bendArm(seam: Point, wrist: Point, bone: number): Point {
  const [dx, dy] = [wrist.x - seam.x, wrist.y - seam.y];
  const reach = Math.hypot(dx, dy);
  const aside = (Math.sqrt(Math.max(0, bone ** 2 - (reach / 2) ** 2)) / reach) * (dx < 0 ? -1 : 1);
  return { x: (seam.x + wrist.x) / 2 - aside * dy, y: (seam.y + wrist.y) / 2 + aside * dx };
}

const GAP = 0.12; // of the arm's length: gaps by rolled cuffs and watches do not end a sleeve
const ARM = 0.12; // of the chest, on either side of the arm's axis

/** The sleeve's end: how far along the arm, measured apart from the body if possible, cloth outweighs skin. */
export function findSleeveEnd(
  { data, width, height }: Plane,
  axis: Axis,
  chest: number,
  isBeside: (x: number, y: number) => boolean,
  isBare: (i: number) => boolean,
): WornSleeve {
  const reach = ARM * chest;
  let [end, gap] = [0, 0];
  for (let along = 0; along < axis.length; along += 2) {
    const bone = placeOnAxis(axis, along, 0);
    if (bone.x < 0 || bone.y < 0 || bone.x >= width || bone.y >= height)
      return gap > 0 ? { end, isEndVisible: true } : { end: along, isEndVisible: false };
    let [cloth, bare] = [0, 0];
    for (let across = -reach; across <= reach; across += 2) {
      const place = placeOnAxis(axis, along, across);
      const [x, y] = [Math.floor(place.x), Math.floor(place.y)];
      if (x < 0 || y < 0 || x >= width || y >= height || !isBeside(x, y)) continue;
      if (data[y * width + x]! > 0.5) cloth += 1;
      else if (isBare(y * width + x)) bare += 1;
    }
    const isCloth = cloth + bare > 0 ? cloth > bare : data[Math.floor(bone.y) * width + Math.floor(bone.x)]! > 0.5;
    gap = isCloth ? 0 : gap + 2;
    if (isCloth) end = along;
    if (gap > GAP * axis.length) break;
  }
  return { end, isEndVisible: true };
}
