/** Row-wise measurements of shapes. */
import { boxBlur } from '../pixels/blur.ts';
import type { Mask } from '../pixels/plane.ts';

export type Span = { from: number; to: number };

/** The run of ones that contains `x` or is nearest to it within `reach`; undefined if there is none. */
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

/** The first and last one of a row, ignoring gaps; `width` is 0 if there is none. */
export function spanRow({ data, width }: Mask, y: number): Span & { width: number; row: Uint8Array } {
  const row = data.subarray(y * width, (y + 1) * width);
  const [from, to] = [row.indexOf(1), row.lastIndexOf(1)];
  return { from, to, width: from < 0 ? 0 : to - from + 1, row };
}

/** A moving average over `reach` rows on both sides. */
export function smoothRows(values: Float32Array, reach: number): Float32Array {
  return boxBlur({ width: values.length, height: 1, data: values }, reach).data;
}

/** The median, the upper one of two; undefined if there are no values. */
export function median(values: Float32Array): number | undefined {
  return values.slice().sort()[values.length >> 1];
}

/** A moving median over `reach` values on both sides, which ignores what is shorter. */
export function medianRows(values: Float32Array, reach: number): Float32Array {
  return values.map((_, n) => median(values.subarray(Math.max(0, n - reach), n + reach + 1))!);
}
