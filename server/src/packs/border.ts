import type { Sharp } from 'sharp';
import { type Box, open, type Raster, toRaster } from './raster.ts';

/** Detects borders: a frame of one colour on all four sides that ends abruptly. */

// Of 255: JPEG does not preserve colours exactly.
const COLOUR_TOLERANCE = 10;
/** Least share of the border's colour in its lines, and the most in the first line inside. */
const MIN_BORDER_SHARE = 0.99;
const MAX_INNER_SHARE = 0.2;
/** Of each side; a wider one is a picture on a wall. */
const MAX_BORDER_WIDTH = 0.15;
// Nested frames; more than three have not been seen.
const MAX_NESTED_BORDERS = 3;

export const SIDES = ['left', 'top', 'right', 'bottom'] as const;
export type Side = (typeof SIDES)[number];

/** A horizontal or vertical line of pixels; `start` and `step` in bytes of the raster. */
type Line = { start: number; length: number; step: number };

/** The line at this depth in pixels inside a side of the box. */
export function lineOf({ width, channels }: Raster, box: Box, side: Side, depth: number): Line {
  const x = side === 'left' ? depth : side === 'right' ? box.width - 1 - depth : 0;
  const y = side === 'top' ? depth : side === 'bottom' ? box.height - 1 - depth : 0;
  const [length, step] = side === 'top' || side === 'bottom' ? [box.width, 1] : [box.height, width];
  return { start: ((box.top + y) * width + box.left + x) * channels, length, step: step * channels };
}

export const wholeBox = ({ width, height }: Pick<Raster, 'width' | 'height'>): Box => ({
  left: 0,
  top: 0,
  width,
  height,
});

/** The area inside a border; undefined if there is none. */
export function findBorder(picture: Raster, from: Box = wholeBox(picture)): Box | undefined {
  const colour = (from.top * picture.width + from.left) * picture.channels;
  const shareAt = (box: Box, side: Side, depth: number) => shareOf(picture, colour, lineOf(picture, box, side, depth));
  const countLines = (side: Side, max: number) => {
    let lines = 0;
    while (lines < max && shareAt(from, side, lines) >= MIN_BORDER_SHARE) lines += 1;
    return lines;
  };
  const [left, top, right, bottom] = [
    countLines('left', from.width),
    countLines('top', from.height),
    countLines('right', from.width),
    countLines('bottom', from.height),
  ];
  const inner = {
    left: from.left + left,
    top: from.top + top,
    width: from.width - left - right,
    height: from.height - top - bottom,
  };
  const thickest = Math.max((top + bottom) / 2 / from.height, (left + right) / 2 / from.width);
  if (Math.min(left, top, right, bottom) === 0 || thickest > MAX_BORDER_WIDTH) return undefined;
  return SIDES.every((side) => shareAt(inner, side, 0) <= MAX_INNER_SHARE) ? inner : undefined;
}

/** Crops the borders around a picture. */
export async function cropBorder(content: Uint8Array): Promise<{ box: Box; picture: () => Sharp }> {
  const picture = await toRaster(open(content).flatten({ background: '#ffffff' }).toColourspace('srgb').removeAlpha());
  const box = findInner(picture);
  return { box, picture: () => open(content).extract(box) };
}

/** Returns the part of a picture inside its borders. */
export function findInner(picture: Raster): Box {
  let box = wholeBox(picture);
  for (let frame = 0; frame < MAX_NESTED_BORDERS; frame += 1) {
    const inner = findBorder(picture, box);
    if (inner === undefined) break;
    // JPEG smears the border into the next one or two pixels.
    box = { left: inner.left + 2, top: inner.top + 2, width: inner.width - 4, height: inner.height - 4 };
  }
  return box;
}

/** The share of a line's pixels with the colour of the pixel at `colour`. */
function shareOf({ data }: Raster, colour: number, { start, length, step }: Line): number {
  const isSame = (at: number, other: number) => Math.abs((data[at] ?? 0) - (data[other] ?? 0)) <= COLOUR_TOLERANCE;
  let same = 0;
  for (let pixel = 0, at = start; pixel < length; pixel += 1, at += step) {
    if (isSame(at, colour) && isSame(at + 1, colour + 1) && isSame(at + 2, colour + 2)) same += 1;
  }
  return length === 0 ? 1 : same / length;
}
