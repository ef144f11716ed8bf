import { beside, listIslands } from './cells.ts';
import type { Raster } from './opened.ts';

/** Lines of letters beside the product: marks of one ink and height in a row on an even ground. Nothing is read. */

/** In pixels of the picture that is looked at, whose longer side has this many at most. */
export const LETTERS_SIDE_PX = 1280;
const LEAST_HEIGHT = 7;
/** Of the picture's height. */
const MOST_HEIGHT = 0.16;
// Of 255: ink is so much darker or lighter than the ground around it.
const LEAST_CONTRAST = 48;
const FEWEST_LETTERS = 4;
/** Of a letter's height: how far the next one is away, and how far it stands higher or lower. */
const MOST_GAP = 0.9;
const MOST_RISE = 0.3;
const SAME_HEIGHT = 1.75;
/** Of the ground in the box around a line: how much of it differs from its middle by more than a JPEG's noise. */
const MOST_UNEVEN = 0.06;
const NOISE = 14;
/** Pixels of rows that are looked at, each time anew: of 449 photos and scenes none needed a fiftieth, weaves do. */
const MOST_LOOKS = 1e8;

type Mark = { left: number; top: number; right: number; bottom: number; pixels: number; ink: number };

/** @param grey one channel. @param isProduct 1 for each of its pixels that belongs to the product */
export function countLetterLines(grey: Raster, isProduct: Uint8Array): number {
  const ground = blurGround(grey);
  return [1, -1].reduce((lines, sign) => lines + findLines(findMarks(grey, ground, isProduct, sign), grey, ground), 0);
}

/** Mean of the surroundings, wider than a letter's stroke: by sums over rows and columns. */
function blurGround({ data, width, height }: Raster): Uint8Array {
  const radius = Math.max(8, Math.round(Math.max(width, height) * 0.02));
  const rows = blurLines(data, { lines: height, length: width, line: width, step: 1 }, radius);
  return blurLines(rows, { lines: width, length: height, line: 1, step: width }, radius);
}

type Layout = { lines: number; length: number; line: number; step: number };

function blurLines(data: Uint8Array, { lines, length, line, step }: Layout, radius: number): Uint8Array {
  const out = new Uint8Array(data.length);
  for (let n = 0; n < lines; n += 1) {
    const at = (x: number) => data[n * line + Math.min(length - 1, Math.max(0, x)) * step] ?? 0;
    let sum = 0;
    for (let x = -radius; x <= radius; x += 1) sum += at(x);
    for (let x = 0; x < length; x += 1) {
      out[n * line + x * step] = Math.round(sum / (2 * radius + 1));
      sum += at(x + radius + 1) - at(x - radius);
    }
  }
  return out;
}

/** What hangs together and is darker (1) or lighter (-1) than its surroundings, of a letter's size, off the product. */
function findMarks(grey: Raster, ground: Uint8Array, isProduct: Uint8Array, sign: number): Mark[] {
  const { width: columns, height: rows } = grey;
  const isInk = grey.data.map((value, at) => (((ground[at] ?? 0) - value) * sign >= LEAST_CONTRAST / 2 ? 1 : 0));
  return listIslands(isInk, { columns, rows }, beside)
    .filter((pixels) => !pixels.some((at) => isProduct[at] === 1))
    .map((pixels) => toMark(pixels, grey))
    .filter((mark) => isLetterLike(mark, grey));
}

function toMark(pixels: number[], { data, width }: Raster): Mark {
  const mark = { left: width, top: Infinity, right: 0, bottom: 0, pixels: pixels.length, ink: 0 };
  for (const at of pixels) {
    const x = at % width;
    const y = (at - x) / width;
    mark.left = Math.min(mark.left, x);
    mark.right = Math.max(mark.right, x);
    mark.top = Math.min(mark.top, y);
    mark.bottom = Math.max(mark.bottom, y);
    mark.ink += data[at] ?? 0;
  }
  return { ...mark, ink: mark.ink / pixels.length };
}

function isLetterLike({ left, right, top, bottom, pixels }: Mark, { width, height }: Raster): boolean {
  if (left === 0 || top === 0 || right === width - 1 || bottom === height - 1) return false;
  const [wide, high] = [right - left + 1, bottom - top + 1];
  const filled = pixels / (wide * high);
  const isSized = high >= LEAST_HEIGHT && high <= height * MOST_HEIGHT && wide <= 1.6 * high && wide < width / 4;
  return isSized && filled > 0.12 && filled < 0.95;
}

/** Rows of marks from left to right. One that is no line is tried again without its first mark, unless it is short. */
function findLines(marks: Mark[], grey: Raster, ground: Uint8Array): number {
  const waiting = marks.toSorted((one, other) => one.left - other.left);
  const isTaken = new Set<Mark>();
  const looks = { left: MOST_LOOKS };
  /** For each mark, where its next one is looked for: what is passed once, is so for ever. */
  const nexts = waiting.map((_, at) => at + 1);
  const findNext = (at: number) => {
    const last = waiting[at]!;
    for (let next = nexts[at]!; (waiting[next]?.left ?? Infinity) <= farthestNext(last); next += 1) {
      nexts[at] = next;
      if (!isTaken.has(waiting[next]!) && isNext(last, waiting[next]!)) return next;
    }
    nexts[at] = waiting.length;
    return waiting.length;
  };
  let lines = 0;
  for (const [at, first] of waiting.entries()) {
    if (isTaken.has(first) || looks.left < 0) continue;
    const line: Mark[] = [];
    for (let next = at; next < waiting.length; next = findNext(next)) line.push(waiting[next]!);
    const isLine = line.length >= FEWEST_LETTERS && isOneLine(line, grey, ground, looks);
    if (isLine || line.length < FEWEST_LETTERS) line.forEach((mark) => isTaken.add(mark));
    if (isLine) lines += 1;
  }
  return lines;
}

/** Beyond it no mark is the next one, however tall. */
const farthestNext = ({ top, right, bottom }: Mark) => right + MOST_GAP * SAME_HEIGHT * (bottom - top + 1);

function isNext(last: Mark, mark: Mark): boolean {
  const [high, other] = [last.bottom - last.top + 1, mark.bottom - mark.top + 1];
  const taller = Math.max(high, other);
  const gap = mark.left - last.right;
  return (
    mark.left > last.left &&
    gap >= -0.2 * taller &&
    gap <= MOST_GAP * taller &&
    taller <= SAME_HEIGHT * Math.min(high, other) &&
    Math.abs(mark.bottom - last.bottom) <= MOST_RISE * taller &&
    Math.abs(mark.ink - last.ink) <= LEAST_CONTRAST
  );
}

/** One ink on an even ground, and shapes that are not all the same, as those of a weave or a keyboard are. */
function isOneLine(
  line: Mark[],
  { data, width, height }: Raster,
  ground: Uint8Array,
  looks: { left: number },
): boolean {
  const shares = line.map(({ left, right, top, bottom, pixels }) => pixels / ((right - left + 1) * (bottom - top + 1)));
  if (Math.max(...shares) - Math.min(...shares) <= 0.06) return false;
  const box = {
    left: Math.max(0, Math.min(...line.map(({ left }) => left)) - 2),
    right: Math.min(width - 1, Math.max(...line.map(({ right }) => right)) + 2),
    top: Math.max(0, Math.min(...line.map(({ top }) => top)) - 2),
    bottom: Math.min(height - 1, Math.max(...line.map(({ bottom }) => bottom)) + 2),
  };
  looks.left -= (box.right - box.left + 1) * (box.bottom - box.top + 1);
  if (looks.left < 0) return false;
  const ink = line.reduce((sum, mark) => sum + mark.ink, 0) / line.length;
  const middle = ground[Math.round((box.top + box.bottom) / 2) * width + box.left] ?? 0;
  const plain = new Uint32Array(256);
  for (let y = box.top; y <= box.bottom; y += 1)
    for (let x = box.left, at = y * width + x; x <= box.right; x += 1, at += 1) plain[data[at] ?? 0]! += 1;
  plain.forEach((_, value) => Math.abs(value - ink) > Math.abs(value - middle) || (plain[value] = 0));
  const all = plain.reduce((sum, pixels) => sum + pixels, 0);
  let below = 0;
  const found = plain.findIndex((pixels) => (below += pixels) > Math.floor(all / 2));
  const paper = found === -1 ? middle : found;
  if (Math.abs(paper - ink) < LEAST_CONTRAST) return false;
  // Between ink and paper lies the soft edge of every letter; on the other side of the paper lies nothing.
  const isStrange = (value: number) => (value - paper) * Math.sign(paper - ink) > NOISE;
  const strange = plain.reduce((sum, pixels, value) => sum + (isStrange(value) ? pixels : 0), 0);
  return strange <= MOST_UNEVEN * all;
}
