import type { Point } from '../pixels/plane.ts';
import type { Matrix } from './plates.ts';

export function multiply(a: Matrix, b: Matrix): Matrix {
  return a.map((_, n) => {
    const [row, column] = [n - (n % 3), n % 3];
    return a[row]! * b[column]! + a[row + 1]! * b[column + 3]! + a[row + 2]! * b[column + 6]!;
  }) as Matrix;
}

export function invertMatrix(m: Matrix): Matrix {
  const at = (row: number, column: number) => m[3 * (row % 3) + (column % 3)]!;
  const adjoint = m.map((_, n) => {
    const [column, row] = [Math.floor(n / 3), n % 3];
    return at(row + 1, column + 1) * at(row + 2, column + 2) - at(row + 1, column + 2) * at(row + 2, column + 1);
  });
  const det = m[0] * adjoint[0]! + m[1] * adjoint[3]! + m[2] * adjoint[6]! || 1e-12;
  return adjoint.map((value) => value / det) as Matrix;
}

/** A point through a homography. */
export function project(m: Matrix, x: number, y: number): Point {
  const depth = m[6] * x + m[7] * y + m[8];
  return { x: (m[0] * x + m[1] * y + m[2]) / depth, y: (m[3] * x + m[4] * y + m[5]) / depth };
}
