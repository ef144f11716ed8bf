import type { Sharp } from 'sharp';
import { type Box, open, type Raster, toRaster } from './opened.ts';

/** A border: a frame of one colour on all four sides that the next pixels do not continue. */

// A JPEG does not keep a colour exactly.
const SAME = 10;
/** So much of a line has the border's colour, and so little of the first line within. */
const ALL = 0.99;
const LEFT_OVER = 0.2;
/** Of each side; what is wider is a picture on a wall. */
const WIDEST = 0.15;
// Whoever draws two frames around a picture draws a third, too; a fourth we have not seen.
const MOST_FRAMES = 3;

/** What a border encloses; undefined where there is none. */
export function findBorder(picture: Raster, from: Box = whole(picture)): Box | undefined {
  const { width, channels } = picture;
  const colour = (from.top * width + from.left) * channels;
  const horizontal = (y: number, { left, width: length }: Box) =>
    shareOf(picture, colour, { start: (y * width + left) * channels, length, step: channels });
  const vertical = (x: number, { top, height: length }: Box) =>
    shareOf(picture, colour, { start: (top * width + x) * channels, length, step: width * channels });
  const right = from.left + from.width;
  const bottom = from.top + from.height;
  const top = countLines(from.height, (line) => horizontal(from.top + line, from));
  const below = countLines(from.height, (line) => horizontal(bottom - 1 - line, from));
  const before = countLines(from.width, (line) => vertical(from.left + line, from));
  const after = countLines(from.width, (line) => vertical(right - 1 - line, from));
  const inner = {
    left: from.left + before,
    top: from.top + top,
    width: from.width - before - after,
    height: from.height - top - below,
  };
  const thickest = Math.max((top + below) / 2 / from.height, (before + after) / 2 / from.width);
  if (Math.min(top, below, before, after) === 0 || thickest > WIDEST) return undefined;
  const goesOn = [
    horizontal(inner.top, inner),
    horizontal(inner.top + inner.height - 1, inner),
    vertical(inner.left, inner),
    vertical(inner.left + inner.width - 1, inner),
  ];
  return goesOn.every((share) => share <= LEFT_OVER) ? inner : undefined;
}

/** The picture without the borders around it. */
export async function cropBorder(content: Uint8Array): Promise<{ box: Box; picture: () => Sharp }> {
  const picture = await toRaster(open(content).flatten({ background: '#ffffff' }).toColourspace('srgb').removeAlpha());
  let box = whole(picture);
  for (let frame = 0; frame < MOST_FRAMES; frame += 1) {
    const inner = findBorder(picture, box);
    if (inner === undefined) break;
    // A JPEG smears the border into the next pixel or two.
    box = { left: inner.left + 2, top: inner.top + 2, width: inner.width - 4, height: inner.height - 4 };
  }
  return { box, picture: () => open(content).extract(box) };
}

const whole = ({ width, height }: Raster): Box => ({ left: 0, top: 0, width, height });

/** How many lines from the edge have the colour, and all of it. */
function countLines(most: number, shareAt: (line: number) => number): number {
  let lines = 0;
  while (lines < most && shareAt(lines) >= ALL) lines += 1;
  return lines;
}

/** Pixels in a row or one below the other; `start` and `step` count bytes of the raster. */
type Line = { start: number; length: number; step: number };

/** The share of a line's pixels that have the colour of the pixel at `colour`. */
function shareOf({ data }: Raster, colour: number, { start, length, step }: Line): number {
  const isSame = (at: number, other: number) => Math.abs((data[at] ?? 0) - (data[other] ?? 0)) <= SAME;
  let same = 0;
  for (let pixel = 0, at = start; pixel < length; pixel += 1, at += step) {
    if (isSame(at, colour) && isSame(at + 1, colour + 1) && isSame(at + 2, colour + 2)) same += 1;
  }
  return length === 0 ? 1 : same / length;
}
