/** Colour guided filter (He, Sun, Tang 2010): alpha as a local linear function of the picture's colours. */
import { boxBlur } from './blur.ts';
import type { Plane, Rgb, Size } from './plane.ts';

/**
 * alpha = r * red + g * green + b * blue + offset, colours 0..1, smoothed over the window; planes of the guide's size.
 */
export type Coefficients = Size & { planes: [Float32Array, Float32Array, Float32Array, Float32Array] };

const EPSILON = 1e-4;

/**
 * @param alpha 0..1, of the guide's size
 * @param radius of the window, in pixels
 */
export function fitAlpha(guide: Rgb, alpha: Plane, radius: number): Coefficients {
  const { width, height } = guide;
  const blur = (data: Float32Array) => boxBlur({ width, height, data }, radius).data;
  const channels = [0, 1, 2].map((c) => takeChannel(guide.data, c));
  const means = channels.map(blur);
  const meanAlpha = blur(alpha.data);
  const withAlpha = channels.map((channel) => blur(product(channel, alpha.data)));
  const moments = PAIRS.map(([one, other]) => blur(product(channels[one], channels[other])));
  const planes = solvePlanes(means, meanAlpha, withAlpha, moments).map(blur) as Coefficients['planes'];
  return { width, height, planes };
}

const PAIRS = [
  [0, 0],
  [0, 1],
  [0, 2],
  [1, 1],
  [1, 2],
  [2, 2],
] as const;

function takeChannel(rgb: Uint8Array, channel: number): Float32Array {
  const out = new Float32Array(rgb.length / 3);
  for (let i = 0; i < out.length; i += 1) out[i] = rgb[i * 3 + channel]! / 255;
  return out;
}

function product(one: Float32Array | undefined, other: Float32Array | undefined): Float32Array {
  const out = new Float32Array(one!.length);
  for (let i = 0; i < out.length; i += 1) out[i] = one![i]! * other![i]!;
  return out;
}

/** Per pixel: slope = (covariance of colours + epsilon)^-1 * covariance with alpha, by Cramer's rule. */
function solvePlanes(
  means: Float32Array[],
  meanAlpha: Float32Array,
  withAlpha: Float32Array[],
  moments: Float32Array[],
): Float32Array[] {
  const [red, green, blue] = means as [Float32Array, Float32Array, Float32Array];
  const [redA, greenA, blueA] = withAlpha as [Float32Array, Float32Array, Float32Array];
  const [mrr, mrg, mrb, mgg, mgb, mbb] = moments as [
    Float32Array,
    Float32Array,
    Float32Array,
    Float32Array,
    Float32Array,
    Float32Array,
  ];
  const out = [0, 1, 2, 3].map(() => new Float32Array(meanAlpha.length));
  for (let i = 0; i < meanAlpha.length; i += 1) {
    const r = red[i]!;
    const g = green[i]!;
    const b = blue[i]!;
    const a = meanAlpha[i]!;
    const vr = redA[i]! - r * a;
    const vg = greenA[i]! - g * a;
    const vb = blueA[i]! - b * a;
    const rr = mrr[i]! - r * r + EPSILON;
    const rg = mrg[i]! - r * g;
    const rb = mrb[i]! - r * b;
    const gg = mgg[i]! - g * g + EPSILON;
    const gb = mgb[i]! - g * b;
    const bb = mbb[i]! - b * b + EPSILON;
    const c00 = gg * bb - gb * gb;
    const c01 = rb * gb - rg * bb;
    const c02 = rg * gb - rb * gg;
    const det = rr * c00 + rg * c01 + rb * c02 || 1e-12;
    const sr = (c00 * vr + c01 * vg + c02 * vb) / det;
    const sg = (c01 * vr + (rr * bb - rb * rb) * vg + (rg * rb - rr * gb) * vb) / det;
    const sb = (c02 * vr + (rg * rb - rr * gb) * vg + (rr * gg - rg * rg) * vb) / det;
    out[0]![i] = sr;
    out[1]![i] = sg;
    out[2]![i] = sb;
    out[3]![i] = a - sr * r - sg * g - sb * b;
  }
  return out;
}
