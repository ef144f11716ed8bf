/** Reading shapes row by row: where a garment or a body begins and ends. */
import { boxBlur } from '../pixels/blur.ts';
import { mapFloats } from '../pixels/map.ts';
import type { Mask, Point } from '../pixels/plane.ts';

export type Span = {
  from: number;
  to: number;
};

/** The run of ones that holds `x` or lies nearest to it within `reach`; nothing when the row is empty there. */
export function findRun({ data, width }: Mask, y: number, x: number, reach: number): Span | undefined {
  const row = y * width;
  for (let away = 0; away <= reach; away += 1) {
    for (const start of [Math.round(x) - away, Math.round(x) + away]) {
      if (start < 0 || start >= width || !data[row + start]) continue;
      let from = start;
      let to = start;
      while (from > 0 && data[row + from - 1]) from -= 1;
      while (to < width - 1 && data[row + to + 1]) to += 1;
      return { from, to };
    }
  }
  return undefined;
}

/**
 * For every column of `span`, the first row (or, `fromBelow`, the last) of the mask between two rows; -1 where there is
 * none.
 */
export function findContour(
  { data, width }: Mask,
  rows: { top: number; bottom: number },
  fromBelow = false,
): Int32Array {
  const out = new Int32Array(width).fill(-1);
  for (let x = 0; x < width; x += 1) {
    for (let n = rows.top; n <= rows.bottom; n += 1) {
      const y = fromBelow ? rows.bottom - (n - rows.top) : n;
      if (!data[y * width + x]) continue;
      out[x] = y;
      break;
    }
  }
  return out;
}

/**
 * The armpit on one side: the first row, from the top, on which a gap parts the middle run from a sleeve or an arm
 * further out. The row must be followed by others like it, so that a crease does not count.
 * @param side -1 for the picture's left, 1 for its right
 * @param least pixels from the middle within which a gap is the neck's
 */
export function findArmpit(
  mask: Mask,
  rows: { top: number; bottom: number },
  middle: number,
  side: -1 | 1,
  least: number,
): Point | undefined {
  let open = 0;
  for (let y = rows.top; y <= rows.bottom; y += 1) {
    const run = findRun(mask, y, middle, 0.02 * mask.width);
    const edge = run && (side < 0 ? run.from : run.to);
    const isNeck = edge !== undefined && Math.abs(edge - middle) < least;
    if (edge === undefined || isNeck || !hasMoreBeyond(mask, y, edge, side)) {
      open = 0;
      continue;
    }
    open += 1;
    if (open === OPEN_ROWS) return { x: edge, y: y - OPEN_ROWS + 1 };
  }
  return undefined;
}

const OPEN_ROWS = 4;

function hasMoreBeyond({ data, width }: Mask, y: number, edge: number, side: -1 | 1): boolean {
  for (let x = edge + 2 * side; x >= 0 && x < width; x += side) if (data[y * width + x]) return true;
  return false;
}

/**
 * The contour's highest place from `middle` towards `end`; of a top that is flat within `slack` rows its outer end, and
 * with a `slack` of -1 its inner one.
 */
export function findPeak(contour: Int32Array, middle: number, end: number, slack: number): Point {
  const side = Math.sign(end - middle);
  let best = { x: middle + (end - middle) * 0.4, y: Infinity };
  for (let x = Math.round(middle) + side; (end - x) * side > 0; x += side) {
    const y = contour[x]!;
    if (y >= 0 && y <= best.y + (y < best.y ? 0 : slack)) best = { x, y: Math.min(best.y, y) };
  }
  return Number.isFinite(best.y) ? best : { ...best, y: Math.max(0, contour[Math.round(best.x)] ?? 0) };
}

/** The contour as a line, straight between the two ends of the neck; `beside` them where a column is empty. */
export function straightenNeck(
  contour: Int32Array,
  [one, other]: [Point, Point],
  beside: readonly [left: number, right: number],
): Float32Array {
  return mapFloats(contour, (y, x) => {
    if (x < one.x) return y < 0 ? beside[0] : y;
    if (x > other.x) return y < 0 ? beside[1] : y;
    return one.y + ((other.y - one.y) * (x - one.x)) / Math.max(1, other.x - one.x);
  });
}

/** A running mean over `reach` rows on both sides. */
export function smoothRows(values: Float32Array, reach: number): Float32Array {
  return boxBlur({ width: values.length, height: 1, data: values }, reach).data;
}

/** The middle value by size, of two the greater; nothing when there is none. */
export function median(values: Float32Array | Int32Array): number | undefined {
  return values.slice().sort()[values.length >> 1];
}
