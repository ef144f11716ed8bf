// Colour guided filter (He, Sun, Tang 2010): alpha as a local linear function of the picture's colours.
import type { Picture } from '../pixels/decode.ts';
import { boxBlur } from '../pixels/planes.ts';

/** alpha = r * red + g * green + b * blue + offset, smoothed over the window; planes of the guide's size. */
export interface Coefficients {
  width: number;
  height: number;
  planes: [Float32Array, Float32Array, Float32Array, Float32Array];
}

const EPSILON = 1e-4;

export function fitAlpha(guide: Picture, alpha: Float32Array, radius: number): Coefficients {
  const { width, height, rgb } = guide;
  const blur = (plane: Float32Array) => boxBlur(plane, width, height, radius);
  const channels = [0, 1, 2].map((c) => Float32Array.from(alpha, (_, i) => rgb[i * 3 + c]! / 255));
  const product = (one: Float32Array, other: Float32Array) => one.map((value, i) => value * other[i]!);
  const means = channels.map(blur);
  const meanAlpha = blur(alpha);
  const withAlpha = channels.map((channel) => blur(product(channel, alpha)));
  const pairs = [
    [0, 0],
    [0, 1],
    [0, 2],
    [1, 1],
    [1, 2],
    [2, 2],
  ] as const;
  const moments = pairs.map(([one, other]) => blur(product(channels[one]!, channels[other]!)));
  const fitted = [0, 1, 2, 3].map(() => new Float32Array(alpha.length));
  const covariance = new Float64Array(6);
  for (let i = 0; i < alpha.length; i += 1) {
    const m = means.map((plane) => plane[i]!);
    for (const [n, [one, other]] of pairs.entries()) {
      covariance[n] = moments[n]![i]! - m[one]! * m[other]! + (one === other ? EPSILON : 0);
    }
    const slope = solveSymmetric(
      covariance,
      withAlpha.map((plane, c) => plane[i]! - m[c]! * meanAlpha[i]!),
    );
    for (let c = 0; c < 3; c += 1) fitted[c]![i] = slope[c]!;
    fitted[3]![i] = meanAlpha[i]! - slope[0] * m[0]! - slope[1] * m[1]! - slope[2] * m[2]!;
  }
  return { width, height, planes: fitted.map(blur) as Coefficients['planes'] };
}

/** The matrix comes as its upper triangle [rr, rg, rb, gg, gb, bb]. */
function solveSymmetric(m: Float64Array, v: number[]): [number, number, number] {
  const c00 = m[3]! * m[5]! - m[4]! * m[4]!;
  const c01 = m[2]! * m[4]! - m[1]! * m[5]!;
  const c02 = m[1]! * m[4]! - m[2]! * m[3]!;
  const det = m[0]! * c00 + m[1]! * c01 + m[2]! * c02 || 1e-12;
  const c11 = m[0]! * m[5]! - m[2]! * m[2]!;
  const c12 = m[1]! * m[2]! - m[0]! * m[4]!;
  const c22 = m[0]! * m[3]! - m[1]! * m[1]!;
  return [
    (c00 * v[0]! + c01 * v[1]! + c02 * v[2]!) / det,
    (c01 * v[0]! + c11 * v[1]! + c12 * v[2]!) / det,
    (c02 * v[0]! + c12 * v[1]! + c22 * v[2]!) / det,
  ];
}

export function applyAlpha(coefficients: Coefficients, at: number, red: number, green: number, blue: number): number {
  const [r, g, b, offset] = coefficients.planes;
  return (r[at]! * red + g[at]! * green + b[at]! * blue) / 255 + offset[at]!;
}
