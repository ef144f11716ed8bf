/** A smooth map between two planes through given pairs of points: thin-plate splines (Bookstein 1989). */
import type { Point, Size } from '../pixels/plane.ts';
import { readPoint } from '../pixels/sample.ts';

/** A target point and its source point. */
export type Pair = readonly [to: Point, from: Point];

const STIFFNESS = 0.02; // 0 interpolates every point; a small value keeps the map smooth where points disagree
const CELL = 6; // pixels between exact values, with bilinear interpolation between them

/**
 * Fits a map from points in a picture of `width` x `height` pixels to their source points; clamped outside.
 * @param pairs at least three, not collinear
 */
export function fitWarp(pairs: readonly Pair[], { width, height }: Size): (x: number, y: number) => Point {
  const scale = 1 / Math.max(width, height);
  const spline = solveSpline(pairs, scale);
  const columns = Math.ceil(width / CELL) + 1;
  const rows = Math.ceil(height / CELL) + 1;
  const grid = { width: columns, height: rows, data: new Float64Array(2 * columns * rows) };
  for (let n = 0; n < columns * rows; n += 1) {
    const { x, y } = readSpline(pairs, spline, scale, (n % columns) * CELL, Math.floor(n / columns) * CELL);
    grid.data.set([x, y], 2 * n);
  }
  const read = (x: number, y: number, axis: number) => readPoint(grid, x / CELL, y / CELL, 2, axis);
  return (x, y) => ({ x: read(x, y, 0), y: read(x, y, 1) });
}

/** Weights of the pairs, then constant, x and y terms; one column for x, one for y. */
type Spline = [number, number][];

function readSpline(pairs: readonly Pair[], spline: Spline, scale: number, x: number, y: number): Point {
  const n = pairs.length;
  const out = [0, 1].map(
    (axis) => spline[n]![axis]! + spline[n + 1]![axis]! * x * scale + spline[n + 2]![axis]! * y * scale,
  );
  for (const [k, [to]] of pairs.entries()) {
    const weight = bend(Math.hypot(x - to.x, y - to.y) * scale);
    out[0]! += spline[k]![0] * weight;
    out[1]! += spline[k]![1] * weight;
  }
  return { x: out[0]!, y: out[1]! };
}

function bend(distance: number): number {
  return distance === 0 ? 0 : distance * distance * Math.log(distance);
}

function solveSpline(pairs: readonly Pair[], scale: number): Spline {
  const n = pairs.length;
  const rows = pairs.map(([to, from], k) => {
    const kernel = pairs.map(([other], m) =>
      m === k ? STIFFNESS / n : bend(Math.hypot(to.x - other.x, to.y - other.y) * scale),
    );
    return [...kernel, 1, to.x * scale, to.y * scale, from.x, from.y];
  });
  for (const axis of [() => 1, ({ x }: Point) => x * scale, ({ y }: Point) => y * scale]) {
    rows.push([...pairs.map(([to]) => axis(to)), 0, 0, 0, 0, 0]);
  }
  return eliminate(rows, n + 3).map((row) => [row[n + 3]!, row[n + 4]!]);
}

/** Gauss-Jordan elimination with pivoting over the first `size` columns. */
function eliminate(rows: number[][], size: number): number[][] {
  for (let column = 0; column < size; column += 1) {
    let best = column;
    for (let row = column + 1; row < size; row += 1) {
      if (Math.abs(rows[row]![column]!) > Math.abs(rows[best]![column]!)) best = row;
    }
    [rows[column], rows[best]] = [rows[best]!, rows[column]!];
    const pivot = rows[column]![column]! || 1e-12;
    rows[column] = rows[column]!.map((value) => value / pivot);
    for (const [row, values] of rows.entries()) {
      const factor = values[column]!;
      if (row === column || factor === 0) continue;
      rows[row] = values.map((value, k) => value - factor * rows[column]![k]!);
    }
  }
  return rows;
}
