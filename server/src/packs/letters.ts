import { listAdjacent, listIslands } from './cells.ts';
import { fromRaster, type Raster, toRaster } from './raster.ts';

/** Detects lines of text beside the product: marks of one colour and height in a row on plain ground. No OCR. */

/** Long side in pixels at which text is searched. */
export const LETTERS_SIDE_PX = 1280;
const MIN_HEIGHT = 7;
/** Of the picture's height: the tallest letter. */
const MAX_HEIGHT = 0.16;
// Of 255: least contrast of ink to its ground.
const MIN_CONTRAST = 48;
const MIN_LETTERS = 4;
/** Of a letter's height: largest gap and vertical offset to the next one. */
const MAX_GAP = 0.9;
const MAX_RISE = 0.3;
const MAX_HEIGHT_RATIO = 1.75;
/** Largest share of a line's ground that differs from its median by more than JPEG noise. */
const MAX_UNEVEN_SHARE = 0.06;
const NOISE = 14;
/** Budget of pixels examined for candidate lines: of 449 photos and scenes none needed a tenth; weaves exceed it. */
const MAX_EXAMINED_PIXELS = 2e7;

type Mark = { left: number; top: number; right: number; bottom: number; pixels: number; ink: number };

/** Counts lines of text. @param grey one channel. @param isProduct 1 on the product's pixels */
export async function countLetterLines(grey: Raster, isProduct: Uint8Array): Promise<number> {
  const background = await blurBackground(grey);
  return [1, -1].reduce(
    (lines, sign) => lines + findLines(findMarks(grey, background, isProduct, sign), grey, background),
    0,
  );
}

/** The picture blurred more widely than a letter's stroke. */
async function blurBackground(grey: Raster): Promise<Uint8Array> {
  const sigma = Math.max(5, Math.max(grey.width, grey.height) * 0.0125);
  return (await toRaster(fromRaster(grey).blur({ sigma, precision: 'integer' }).toColourspace('b-w'))).data;
}

/** Connected regions of a letter's size off the product that are darker (1) or lighter (-1) than their surroundings. */
function findMarks(grey: Raster, background: Uint8Array, isProduct: Uint8Array, sign: number): Mark[] {
  const { width: columns, height: rows } = grey;
  const isInk = grey.data.map((value, at) => (((background[at] ?? 0) - value) * sign >= MIN_CONTRAST / 2 ? 1 : 0));
  return listIslands(isInk, { columns, rows }, listAdjacent)
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
  const isLetterSized = high >= MIN_HEIGHT && high <= height * MAX_HEIGHT && wide <= 1.6 * high && wide < width / 4;
  return isLetterSized && filled > 0.12 && filled < 0.95;
}

/** Joins marks to lines from left to right. A failed line is retried without its first mark, unless it is too short. */
function findLines(marks: Mark[], grey: Raster, background: Uint8Array): number {
  const candidates = marks.toSorted((one, other) => one.left - other.left);
  const isUsed = new Set<Mark>();
  /** Marks of lines of one shape: a part of such a line has one shape, too. */
  const isUniform = new Set<Mark>();
  const budget = { left: MAX_EXAMINED_PIXELS };
  /** For each mark, where the search for its successor continues: skipped marks stay skipped. */
  const nexts = candidates.map((_, at) => at + 1);
  const findNext = (at: number) => {
    const last = candidates[at]!;
    for (let next = nexts[at]!; (candidates[next]?.left ?? Infinity) <= farthestNext(last); next += 1) {
      nexts[at] = next;
      if (!isUsed.has(candidates[next]!) && isNext(last, candidates[next]!)) return next;
    }
    nexts[at] = candidates.length;
    return candidates.length;
  };
  let lines = 0;
  for (const [at, first] of candidates.entries()) {
    if (isUsed.has(first) || isUniform.has(first) || budget.left < 0) continue;
    const line: Mark[] = [];
    for (let next = at; next < candidates.length; next = findNext(next)) line.push(candidates[next]!);
    const isLong = line.length >= MIN_LETTERS;
    if (isLong && isOfOneShape(line)) {
      line.forEach((mark) => isUniform.add(mark));
      continue;
    }
    const isLine = isLong && isOnPlainGround(line, grey, background, budget);
    if (isLine || !isLong) line.forEach((mark) => isUsed.add(mark));
    if (isLine) lines += 1;
  }
  return lines;
}

/** The farthest left edge of a successor, however tall it is. */
const farthestNext = ({ top, right, bottom }: Mark) => right + MAX_GAP * MAX_HEIGHT_RATIO * (bottom - top + 1);

function isNext(last: Mark, mark: Mark): boolean {
  const [high, other] = [last.bottom - last.top + 1, mark.bottom - mark.top + 1];
  const taller = Math.max(high, other);
  const gap = mark.left - last.right;
  return (
    mark.left > last.left &&
    gap >= -0.2 * taller &&
    gap <= MAX_GAP * taller &&
    taller <= MAX_HEIGHT_RATIO * Math.min(high, other) &&
    Math.abs(mark.bottom - last.bottom) <= MAX_RISE * taller &&
    Math.abs(mark.ink - last.ink) <= MIN_CONTRAST
  );
}

/** True for a weave or a keyboard, where letters vary. */
function isOfOneShape(line: Mark[]): boolean {
  const shares = line.map(({ left, right, top, bottom, pixels }) => pixels / ((right - left + 1) * (bottom - top + 1)));
  return Math.max(...shares) - Math.min(...shares) <= 0.06;
}

/** True for one ink on plain ground. */
function isOnPlainGround(
  line: Mark[],
  { data, width, height }: Raster,
  background: Uint8Array,
  budget: { left: number },
): boolean {
  const box = {
    left: Math.max(0, Math.min(...line.map(({ left }) => left)) - 2),
    right: Math.min(width - 1, Math.max(...line.map(({ right }) => right)) + 2),
    top: Math.max(0, Math.min(...line.map(({ top }) => top)) - 2),
    bottom: Math.min(height - 1, Math.max(...line.map(({ bottom }) => bottom)) + 2),
  };
  budget.left -= (box.right - box.left + 1) * (box.bottom - box.top + 1);
  if (budget.left < 0) return false;
  const ink = line.reduce((sum, mark) => sum + mark.ink, 0) / line.length;
  const middle = background[Math.round((box.top + box.bottom) / 2) * width + box.left] ?? 0;
  const histogram = new Uint32Array(256);
  for (let y = box.top; y <= box.bottom; y += 1)
    for (let x = box.left, at = y * width + x; x <= box.right; x += 1, at += 1) histogram[data[at] ?? 0]! += 1;
  histogram.forEach((_, value) => Math.abs(value - ink) > Math.abs(value - middle) || (histogram[value] = 0));
  const all = histogram.reduce((sum, pixels) => sum + pixels, 0);
  let below = 0;
  const found = histogram.findIndex((pixels) => (below += pixels) > Math.floor(all / 2));
  const paper = found === -1 ? middle : found;
  if (Math.abs(paper - ink) < MIN_CONTRAST) return false;
  // Values between ink and paper are letters' soft edges; values beyond the paper are foreign.
  const isForeign = (value: number) => (value - paper) * Math.sign(paper - ink) > NOISE;
  const foreign = histogram.reduce((sum, pixels, value) => sum + (isForeign(value) ? pixels : 0), 0);
  return foreign <= MAX_UNEVEN_SHARE * all;
}
