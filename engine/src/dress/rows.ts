/** Reading shapes row by row: where a garment or a body begins and ends. */
import { boxBlur } from '../pixels/blur.ts';
import type { Mask } from '../pixels/plane.ts';

export type Span = { from: number; to: number };

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

/** From the first to the last one of a row, gaps between them or not; `width` is 0 where there is none. */
export function spanRow({ data, width }: Mask, y: number): Span & { width: number; row: Uint8Array } {
  const row = data.subarray(y * width, (y + 1) * width);
  const [from, to] = [row.indexOf(1), row.lastIndexOf(1)];
  return { from, to, width: from < 0 ? 0 : to - from + 1, row };
}

/** A running mean over `reach` rows on both sides. */
export function smoothRows(values: Float32Array, reach: number): Float32Array {
  return boxBlur({ width: values.length, height: 1, data: values }, reach).data;
}

/** The middle value by size, of two the greater; nothing when there is none. */
export function median(values: Float32Array): number | undefined {
  return values.slice().sort()[values.length >> 1];
}

/** Takes away hollows: values become those of a string that is stretched over them, above (1) or below (-1). */
export function bulge(values: Float32Array, side: 1 | -1): void {
  const hull: number[] = [];
  const isHollow = (one: number, middle: number, other: number) =>
    side * ((values[middle]! - values[one]!) * (other - one) - (values[other]! - values[one]!) * (middle - one)) <= 0;
  for (let n = 0; n < values.length; n += 1) {
    while (hull.length > 1 && isHollow(hull.at(-2)!, hull.at(-1)!, n)) hull.pop();
    hull.push(n);
  }
  for (const [k, end] of hull.entries()) {
    const start = hull[k - 1] ?? 0;
    for (let n = start + 1; n < end; n += 1) {
      values[n] = values[start]! + ((values[end]! - values[start]!) * (n - start)) / (end - start);
    }
  }
}
