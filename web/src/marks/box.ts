import type { Point } from '../platform/pan-zoom.ts';
import type { Box, Size } from './marks.ts';

type Area = { left: number; top: number; right: number; bottom: number };
export type Grip = { left: boolean; top: boolean; right: boolean; bottom: boolean };

/** Of the picture's side: a box is never smaller. */
const LEAST_SIDE = 0.02;

export const FIRST_BOX: Box = [0.1, 0.1, 0.9, 0.9];

export function handlesOf({ left, top, right, bottom }: Area): Point[] {
  const [x, y] = [(left + right) / 2, (top + bottom) / 2];
  return [
    { x: left, y: top },
    { x, y: top },
    { x: right, y: top },
    { x: right, y },
    { x: right, y: bottom },
    { x, y: bottom },
    { x: left, y: bottom },
    { x: left, y },
  ];
}

/**
 * What lies below a place: sides near it, the whole box when it is inside, or null. `reach` in the place's own pixels.
 */
export function findGrip({ left, top, right, bottom }: Area, { x, y }: Point, reach: number): Grip | null {
  const inColumn = x > left - reach && x < right + reach;
  const inRow = y > top - reach && y < bottom + reach;
  if (!inColumn || !inRow) return null;
  const near = {
    left: Math.abs(x - left) <= reach && Math.abs(x - left) <= Math.abs(x - right),
    right: Math.abs(x - right) <= reach && Math.abs(x - right) < Math.abs(x - left),
    top: Math.abs(y - top) <= reach && Math.abs(y - top) <= Math.abs(y - bottom),
    bottom: Math.abs(y - bottom) <= reach && Math.abs(y - bottom) < Math.abs(y - top),
  };
  if (Object.values(near).includes(true)) return near;
  return { left: true, top: true, right: true, bottom: true };
}

/** The box after its grip was dragged by so much, in shares of the picture; it stays inside and never turns over. */
export function dragBox([left, top, right, bottom]: Box, grip: Grip, byX: number, byY: number): Box {
  const isWhole = grip.left && grip.right;
  if (isWhole) {
    const x = clamp(byX, -left, 1 - right);
    const y = clamp(byY, -top, 1 - bottom);
    return [left + x, top + y, right + x, bottom + y];
  }
  return [
    grip.left ? clamp(left + byX, 0, right - LEAST_SIDE) : left,
    grip.top ? clamp(top + byY, 0, bottom - LEAST_SIDE) : top,
    grip.right ? clamp(right + byX, left + LEAST_SIDE, 1) : right,
    grip.bottom ? clamp(bottom + byY, top + LEAST_SIDE, 1) : bottom,
  ];
}

/** The box between two places of the picture; null when they are too close to each other to mean one. */
export function boxBetween(one: Point, other: Point, { width, height }: Size): Box | null {
  const [x1, x2] = [one.x / width, other.x / width].map((share) => clamp(share, 0, 1)).sort((a, b) => a - b);
  const [y1, y2] = [one.y / height, other.y / height].map((share) => clamp(share, 0, 1)).sort((a, b) => a - b);
  const box: Box = [x1!, y1!, x2!, y2!];
  return box[2] - box[0] < LEAST_SIDE || box[3] - box[1] < LEAST_SIDE ? null : box;
}

/**
 * A drag with the box tool that begins at `start`: it takes a grip of the box along, or draws a new box beside it.
 * Places and `reach` are in pixels of the picture.
 * @returns the box for each place that the drag comes to
 */
export function startDrag(
  picture: Size,
  before: Box | null,
  start: Point,
  reach: number,
): (place: Point) => Box | null {
  const { width, height } = picture;
  const grip = before && findGrip(areaOf(before, picture), start, reach);
  return (place) =>
    before === null || grip === null
      ? (boxBetween(start, place, picture) ?? before)
      : dragBox(before, grip, (place.x - start.x) / width, (place.y - start.y) / height);
}

function areaOf([left, top, right, bottom]: Box, { width, height }: Size): Area {
  return { left: left * width, top: top * height, right: right * width, bottom: bottom * height };
}

function clamp(value: number, least: number, most: number): number {
  return Math.min(most, Math.max(least, value));
}
