import type { Matrix } from './plates.ts';

export function multiply(a: Matrix, b: Matrix): Matrix {
  const out = new Array<number>(9).fill(0);
  for (let row = 0; row < 3; row += 1) {
    for (let column = 0; column < 3; column += 1) {
      for (let k = 0; k < 3; k += 1) out[row * 3 + column]! += a[row * 3 + k]! * b[k * 3 + column]!;
    }
  }
  return out as Matrix;
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

/** Bilinear, nothing outside. */
export function sampleAt(plane: Float32Array, width: number, height: number, x: number, y: number): number {
  const left = Math.floor(x);
  const top = Math.floor(y);
  if (left < -1 || top < -1 || left >= width || top >= height) return 0;
  const fx = x - left;
  const fy = y - top;
  const read = (column: number, row: number) =>
    column < 0 || row < 0 || column >= width || row >= height ? 0 : plane[row * width + column]!;
  return (
    (read(left, top) * (1 - fx) + read(left + 1, top) * fx) * (1 - fy) +
    (read(left, top + 1) * (1 - fx) + read(left + 1, top + 1) * fx) * fy
  );
}
