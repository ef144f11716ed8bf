/** A sleeve, or the arm it goes on, as a strip along an axis: how far along, and how far across. */
import type { Mask, Point } from '../pixels/plane.ts';
import { median } from './rows.ts';

/** A bent line with its lengths, in pixels. */
export type Axis = {
  points: Point[];
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
  let length = 0;
  for (let n = 1; n < points.length; n += 1) length += distance(points[n - 1]!, points[n]!);
  return { points, length };
}

function distance(one: Point, other: Point): number {
  return Math.hypot(one.x - other.x, one.y - other.y);
}

/** Nearest place on the axis; before its beginning and beyond its end the outer pieces run on straight. */
export function projectOnAxis({ points }: Axis, x: number, y: number): { along: number; across: number } {
  let best = { along: 0, across: 0 };
  let least = Infinity;
  let passed = 0;
  for (let n = 1; n < points.length; n += 1) {
    const start = points[n - 1]!;
    const end = points[n]!;
    const length = distance(start, end);
    const ux = (end.x - start.x) / length;
    const uy = (end.y - start.y) / length;
    const raw = (x - start.x) * ux + (y - start.y) * uy;
    const low = n === 1 ? -Infinity : 0;
    const high = n === points.length - 1 ? Infinity : length;
    const along = Math.min(high, Math.max(low, raw));
    const away = Math.hypot(x - start.x - along * ux, y - start.y - along * uy);
    if (away < least) {
      least = away;
      best = { along: passed + along, across: (x - start.x) * -uy + (y - start.y) * ux };
    }
    passed += length;
  }
  return best;
}

/** The place that lies so far along and across. */
export function placeOnAxis({ points }: Axis, along: number, across: number): Point {
  let left = along;
  for (let n = 1; n < points.length; n += 1) {
    const start = points[n - 1]!;
    const end = points[n]!;
    const length = distance(start, end);
    if (left <= length || n === points.length - 1) {
      const ux = (end.x - start.x) / length;
      const uy = (end.y - start.y) / length;
      return { x: start.x + ux * left - uy * across, y: start.y + uy * left + ux * across };
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
