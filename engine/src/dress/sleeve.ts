/** A sleeve, or the arm it goes on, as a strip along an axis: how far along, and how far across. */
import type { Mask, Point } from '../pixels/plane.ts';
import { median } from './rows.ts';

/** A bent line with its lengths, in pixels. */
export type Axis = {
  points: Point[];
  /** From each point to the next: where it begins, its direction (of length 1) and its length. */
  pieces: { x: number; y: number; ux: number; uy: number; length: number }[];
  length: number;
};

export type Strip = {
  axis: Axis;
  /** Per pixel of length: the least and the greatest distance across, to the right of the direction of travel. */
  from: Float32Array;
  to: Float32Array;
};

/** A line of joints with its length in pixels. */
export function makeAxis(points: Point[]): Axis {
  const pieces = points.slice(1).map((end, n) => {
    const { x, y } = points[n]!;
    const length = Math.hypot(x - end.x, y - end.y);
    return { x, y, ux: (end.x - x) / length, uy: (end.y - y) / length, length };
  });
  return { points, pieces, length: pieces.reduce((sum, { length }) => sum + length, 0) };
}

/** Nearest place on the axis; before its beginning and beyond its end the outer pieces run on straight. */
export function projectOnAxis({ pieces }: Axis, px: number, py: number): { along: number; across: number } {
  let best = { along: 0, across: 0 };
  let least = Infinity;
  let passed = 0;
  for (const piece of pieces) {
    const { ux, uy, length } = piece;
    const [dx, dy] = [px - piece.x, py - piece.y];
    const low = piece === pieces[0] ? -Infinity : 0;
    const high = piece === pieces.at(-1) ? Infinity : length;
    const along = Math.min(high, Math.max(low, dx * ux + dy * uy));
    const away = Math.hypot(dx - along * ux, dy - along * uy);
    if (away < least) {
      least = away;
      best = { along: passed + along, across: dx * -uy + dy * ux };
    }
    passed += length;
  }
  return best;
}

/** The place that lies so far along and across. */
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

/**
 * Measures how wide the marked pixels are at every step along the axis; steps without pixels take their neighbours'
 * width.
 */
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
  return out.map((_, n) => median(out.subarray(Math.max(0, n - SMOOTH), n + SMOOTH + 1))!);
}

const SMOOTH = 4; // steps on both sides of a running median: a thumb or a crease is no width

/** The two edges of a sleeve at `along` steps of its axis, in pixels to both sides; the nearest where it is shorter. */
export function widthAt(strip: Strip, along: number): { from: number; to: number } {
  const step = Math.min(strip.from.length - 1, Math.max(0, Math.round(along)));
  return { from: strip.from[step]!, to: strip.to[step]! };
}
