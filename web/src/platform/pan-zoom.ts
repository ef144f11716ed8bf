import { clamp } from './clamp.ts';

export type Size = { width: number; height: number };
export type Point = { x: number; y: number };
/**
 * Visible part of a picture in a frame, in CSS pixels. `x`, `y`: offset of the picture's centre from the frame's
 * centre.
 */
export type View = { scale: number; x: number; y: number };
/** A picture in its frame: the margin of its edges, the scale at which it fits, and the largest scale. */
export type Space = { picture: Size; frame: Size; margin: number; minScale: number; maxScale: number };

/** Returns the scale at which a picture fits a frame with a margin on each side. */
export function fittingScale(picture: Size, frame: Size, margin = 0): number {
  return Math.min((frame.width - 2 * margin) / picture.width, (frame.height - 2 * margin) / picture.height);
}

export function fit({ minScale }: Space): View {
  return { scale: minScale, x: 0, y: 0 };
}

/** Changes the scale; the point at `at` (relative to the frame's centre) stays in place. */
export function zoomTo(view: View, scale: number, at: Point, space: Space): View {
  const next = clamp(scale, space.minScale, space.maxScale);
  const grown = next / view.scale;
  return hold({ scale: next, x: at.x - (at.x - view.x) * grown, y: at.y - (at.y - view.y) * grown }, space);
}

export function moveBy(view: View, by: Point, space: Space): View {
  return hold({ ...view, x: view.x + by.x, y: view.y + by.y }, space);
}

export function isZoomed({ scale }: View, { minScale }: Space): boolean {
  return scale > minScale * 1.001;
}

/** Keeps the picture inside its frame, centred along a side that it does not fill. */
export function hold({ scale, x, y }: View, { picture, frame, margin }: Space): View {
  const reach = (side: 'width' | 'height') => Math.max(0, (picture[side] * scale - frame[side]) / 2 + margin);
  // No negative zero.
  const within = (value: number, max: number) => clamp(value, -max, max) || 0;
  return { scale, x: within(x, reach('width')), y: within(y, reach('height')) };
}

export function cornerOf({ scale, x, y }: View, { picture, frame }: Space): Point {
  return { x: x + (frame.width - picture.width * scale) / 2, y: y + (frame.height - picture.height * scale) / 2 };
}

/** Direction of a key: -1, 0 or 1 to the right and down. */
export const ARROWS: Readonly<Record<string, readonly [right: number, down: number]>> = {
  ArrowLeft: [-1, 0],
  ArrowRight: [1, 0],
  ArrowUp: [0, -1],
  ArrowDown: [0, 1],
};
