import type { Subject } from '@plinth/contract/marks';
import type { PlacedProduct } from '@plinth/contract/placement';
import { clamp } from '../../platform/clamp.ts';

export type Outline = NonNullable<Subject['outline']>;
export type Place = Omit<PlacedProduct, 'size' | 'box'>;
export type Point = readonly [x: number, y: number];

/** Share of the product's height: this much of its lower end counts as its foot. */
const FOOT = 0.06;

/** Returns the nearest placement that the server accepts. */
export const clampPlace = ({ x, y, scale, rotate }: Place): Place => ({
  x: clamp(x, 0, 1),
  y: clamp(y, 0, 1),
  scale: clamp(scale, 0.25, 4),
  rotate: clamp(rotate, -45, 45),
});

export function roundPlace({ x, y, scale, rotate }: Place): Place {
  const round = (value: number, digits: number) => Number(value.toFixed(digits));
  return { x: round(x, 4), y: round(y, 4), scale: round(scale, 3), rotate: round(rotate, 1) };
}

/** Returns the outline rotated around its centre; `ratio` is the frame's width divided by its height. */
export function turnOutline(outline: Outline, ratio: number, degrees: number): Point[] {
  const [middleX, middleY] = middleOf(outline);
  const [sin, cos] = [Math.sin((degrees * Math.PI) / 180), Math.cos((degrees * Math.PI) / 180)];
  return outline.map(([x, y]) => {
    const [right, down] = [(x - middleX) * ratio, y - middleY];
    return [middleX + (right * cos - down * sin) / ratio, middleY + right * sin + down * cos];
  });
}

function middleOf(outline: readonly Point[]): Point {
  const { left, top, right, bottom } = boundsOf(outline);
  return [(left + right) / 2, (top + bottom) / 2];
}

function boundsOf(points: readonly Point[]) {
  const xs = points.map(([x]) => x);
  const ys = points.map(([, y]) => y);
  return { left: Math.min(...xs), top: Math.min(...ys), right: Math.max(...xs), bottom: Math.max(...ys) };
}

/** The photo's product as drawn over a scene: with the foot and size of the scene's own product. */
export type Ghost = {
  outline: Outline;
  /** The frame's width divided by its height. */
  ratio: number;
  /** Its size at scale 1, relative to that in its photo. */
  full: number;
  /** Offset from the outline's foot to the engine's foot: right and down, in shares of the photo. */
  aside: Point;
};

export function makeGhost({ x, y, scale, rotate, size, box }: PlacedProduct, outline: Outline, ratio: number): Ghost {
  const turned = turnOutline(outline, ratio, rotate);
  const [left, top, right, bottom] = box;
  const [middleX, middleY] = middleOf(turned);
  const [footX, footY] = footOf(turned);
  const aside: Point = [
    middleX + (x - (left + right) / 2) / size - footX,
    middleY + (y - (top + bottom) / 2) / size - footY,
  ];
  return { outline, ratio, full: size / scale, aside };
}

/** How a placed product is drawn: the CSS transform of its photo, and its corners in shares of the scene. */
export function drawGhost({ outline, ratio, full, aside }: Ghost, { x, y, scale, rotate }: Place) {
  const turned = turnOutline(outline, ratio, rotate);
  const { left, top, right, bottom } = boundsOf(turned);
  const foot = footOf(turned);
  const [footX, footY] = [foot[0] + aside[0], foot[1] + aside[1]];
  const [middleX, middleY] = middleOf(outline);
  const size = scale * full;
  const move = (byX: number, byY: number) => `translate(${byX * 100}%, ${byY * 100}%)`;
  const parts = [move(x, y), `scale(${size})`, move(middleX - footX, middleY - footY), `rotate(${rotate}deg)`];
  return {
    transform: [...parts, move(-middleX, -middleY)].join(' '),
    corners: {
      left: x + (left - footX) * size,
      right: x + (right - footX) * size,
      top: y + (top - footY) * size,
      bottom: y + (bottom - footY) * size,
    },
  };
}

export function footOf(points: readonly Point[]): Point {
  const { top, bottom } = boundsOf(points);
  const { left, right } = boundsOf(points.filter(([, y]) => y >= bottom - FOOT * (bottom - top)));
  return [(left + right) / 2, bottom];
}
