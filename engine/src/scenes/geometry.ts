import type { Point } from '../pixels/plane.ts';
import type { Matrix } from './plates.ts';

export function multiply(a: Matrix, b: Matrix): Matrix {
  return a.map((_, n) => {
    const [row, column] = [n - (n % 3), n % 3];
    return a[row]! * b[column]! + a[row + 1]! * b[column + 3]! + a[row + 2]! * b[column + 6]!;
  }) as Matrix;
}

export function invertMatrix(m: Matrix): Matrix {
  const [a, b, c, d, e, f, g, h, i] = m;
  const det = a * (e * i - f * h) - b * (d * i - f * g) + c * (d * h - e * g) || 1e-12;
  const adjoint = [
    e * i - f * h,
    c * h - b * i,
    b * f - c * e,
    f * g - d * i,
    a * i - c * g,
    c * d - a * f,
    d * h - e * g,
    b * g - a * h,
    a * e - b * d,
  ];
  return adjoint.map((value) => value / det) as Matrix;
}

/** A point through a homography. */
export function project(m: Matrix, x: number, y: number): Point {
  const depth = m[6] * x + m[7] * y + m[8];
  return { x: (m[0] * x + m[1] * y + m[2]) / depth, y: (m[3] * x + m[4] * y + m[5]) / depth };
}
