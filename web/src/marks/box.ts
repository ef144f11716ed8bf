import { clamp } from '../platform/clamp.ts';
import type { Point, Size } from '../platform/pan-zoom.ts';
import type { Box } from './marks.ts';

/** Which of a box's four sides move. */
export type Grip = readonly boolean[];

/** Minimum side of a box, as a share of the picture's side. */
const MIN_SIDE = 0.02;

export const FIRST_BOX: Box = [0.1, 0.1, 0.9, 0.9];

/** Corners and midpoints of the sides. */
export function handlesOf([left, top, right, bottom]: Box): Point[] {
  const [middleX, middleY] = [(left + right) / 2, (top + bottom) / 2];
  const places = [left, middleX, right].flatMap((x) => [top, middleY, bottom].map((y) => ({ x, y })));
  return places.filter(({ x, y }) => x !== middleX || y !== middleY);
}

/** Returns the sides near a point, all of them inside the box, null outside. All in the same pixels. */
export function findGrip([left, top, right, bottom]: Box, { x, y }: Point, reach: number): Grip | null {
  if (x <= left - reach || x >= right + reach || y <= top - reach || y >= bottom + reach) return null;
  const nearer = (at: number, side: number, other: number) =>
    Math.abs(at - side) <= reach && Math.abs(at - side) <= Math.abs(at - other);
  const [onLeft, onTop] = [nearer(x, left, right), nearer(y, top, bottom)];
  const grip = [onLeft, onTop, !onLeft && nearer(x, right, left), !onTop && nearer(y, bottom, top)];
  return grip.includes(true) ? grip : [true, true, true, true];
}

/** Returns the box after dragging a grip by this much, in shares of the picture. It stays inside and never flips. */
export function dragBox(box: Box, grip: Grip, byX: number, byY: number): Box {
  const [left, top, right, bottom] = box;
  if (!grip.includes(false)) {
    const [x, y] = [clamp(byX, -left, 1 - right), clamp(byY, -top, 1 - bottom)];
    return [left + x, top + y, right + x, bottom + y];
  }
  return [
    grip[0] ? clamp(left + byX, 0, right - MIN_SIDE) : left,
    grip[1] ? clamp(top + byY, 0, bottom - MIN_SIDE) : top,
    grip[2] ? clamp(right + byX, left + MIN_SIDE, 1) : right,
    grip[3] ? clamp(bottom + byY, top + MIN_SIDE, 1) : bottom,
  ];
}

/** Returns the box between two points of the picture; null if they are too close to form one. */
export function boxBetween(one: Point, other: Point, { width, height }: Size): Box | null {
  const share = (pixels: number, side: number) => clamp(pixels / side, 0, 1);
  const left = share(Math.min(one.x, other.x), width);
  const top = share(Math.min(one.y, other.y), height);
  const right = share(Math.max(one.x, other.x), width);
  const bottom = share(Math.max(one.y, other.y), height);
  return right - left < MIN_SIDE || bottom - top < MIN_SIDE ? null : [left, top, right, bottom];
}

/** A box in pixels of the picture. */
export function inPixels([left, top, right, bottom]: Box, { width, height }: Size): Box {
  return [left * width, top * height, right * width, bottom * height];
}

/**
 * Starts a drag with the box tool at `start`: moves a grip of the box, or draws a new box outside it. Points and
 * `reach` are in pixels of the picture.
 * @returns the box for each position of the drag
 */
export function startDrag(picture: Size, before: Box | null, start: Point, reach: number) {
  const grip = before && findGrip(inPixels(before, picture), start, reach);
  return (place: Point): Box | null =>
    before === null || grip === null
      ? (boxBetween(start, place, picture) ?? before)
      : dragBox(before, grip, (place.x - start.x) / picture.width, (place.y - start.y) / picture.height);
}
