import { boxBlur, makePlane, type Plane, type Rgba } from './plane.ts';

/**
 * The exact edge and its own colours: a colour guided filter (He, Sun, Tang 2010) where the network is unsure, and the
 * product's colours by the mean of what is surely product nearby (Forte 2021).
 */

const SURE_PRODUCT = 0.95;
const SURE_BACKGROUND = 0.05;
const PRODUCT_REACH = 0.6; // of the network's pixels: so far inside its outline product is sure
const BACKGROUND_REACH = 1.4; // and so far outside of it background
const WINDOW = 2; // of the network's pixels
const EPSILON = 1e-4;
const HARDER = { from: 0.2, to: 0.8 }; // of the filter's answer, which is softer than an edge in a photo
const COLOUR_REACH = 8; // pixels: from so far around, the colours of product and background are known

/** `alpha` is what the network said, of the picture's size. */
export function solveEdges(picture: Rgba, alpha: Plane, grain: number): Plane {
  const { width, height, data } = alpha;
  const far = (test: (cover: number) => boolean, reach: number) =>
    boxBlur({ width, height, data: data.map((cover) => (test(cover) ? 1 : 0)) }, Math.max(1, Math.round(reach * grain)))
      .data;
  const notProduct = far((cover) => cover < SURE_PRODUCT, PRODUCT_REACH);
  const notBackground = far((cover) => cover > SURE_BACKGROUND, BACKGROUND_REACH);
  const guided = filterGuided(picture, alpha, Math.max(2, Math.round(WINDOW * grain)));
  const out = makePlane(alpha);
  for (let i = 0; i < out.data.length; i += 1) {
    if (notProduct[i]! < 1e-6) out.data[i] = 1;
    else if (notBackground[i]! >= 1e-6) out.data[i] = smoothStep(HARDER.from, HARDER.to, guided.data[i]!);
  }
  return out;
}

/** Alpha as a local linear function of the picture's colours over a window of `2 * radius + 1` pixels. */
export function filterGuided(picture: Rgba, alpha: Plane, radius: number): Plane {
  const { width, height } = picture;
  const blur = (data: Float32Array<ArrayBuffer>) => boxBlur({ width, height, data }, radius).data;
  const times = (one: Float32Array, other: Float32Array) => one.map((value, i) => value * other[i]!);
  const colours = [0, 1, 2].map((channel) => takeChannel(picture, channel)) as Three;
  const means = colours.map(blur) as Three;
  const meanAlpha = blur(alpha.data);
  const withAlpha = colours.map((colour) => blur(times(colour, alpha.data))) as Three;
  const moments = PAIRS.map(([one, other]) => blur(times(colours[one], colours[other])));
  const slopes = [0, 1, 2].map(() => new Float32Array(alpha.data.length)) as Three;
  const offset = new Float32Array(alpha.data.length);
  for (let i = 0; i < offset.length; i += 1) {
    const [r, g, b] = [means[0][i]!, means[1][i]!, means[2][i]!];
    const a = meanAlpha[i]!;
    const [sr, sg, sb] = solve(
      [moments[0]![i]! - r * r + EPSILON, moments[1]![i]! - r * g, moments[2]![i]! - r * b],
      [moments[3]![i]! - g * g + EPSILON, moments[4]![i]! - g * b, moments[5]![i]! - b * b + EPSILON],
      [withAlpha[0][i]! - r * a, withAlpha[1][i]! - g * a, withAlpha[2][i]! - b * a],
    );
    slopes[0][i] = sr;
    slopes[1][i] = sg;
    slopes[2][i] = sb;
    offset[i] = a - sr * r - sg * g - sb * b;
  }
  const [red, green, blue] = slopes.map(blur) as Three;
  const data = blur(offset);
  for (let i = 0; i < data.length; i += 1) {
    const value = red[i]! * colours[0][i]! + green[i]! * colours[1][i]! + blue[i]! * colours[2][i]! + data[i]!;
    data[i] = Math.min(1, Math.max(0, value));
  }
  return { width, height, data };
}

type Floats = Float32Array<ArrayBuffer>;
type Three = [Floats, Floats, Floats];
type Numbers = [number, number, number];

const PAIRS = [
  [0, 0],
  [0, 1],
  [0, 2],
  [1, 1],
  [1, 2],
  [2, 2],
] as const;

function takeChannel({ data }: Rgba, channel: number): Floats {
  const out = new Float32Array(data.length / 4);
  for (let i = 0; i < out.length; i += 1) out[i] = data[i * 4 + channel]! / 255;
  return out;
}

/** A symmetric system of three equations by Cramer's rule: its upper rows from the diagonal on, and the right side. */
function solve([rr, rg, rb]: Numbers, [gg, gb, bb]: Numbers, [vr, vg, vb]: Numbers): Numbers {
  const c00 = gg * bb - gb * gb;
  const c01 = rb * gb - rg * bb;
  const c02 = rg * gb - rb * gg;
  const determinant = rr * c00 + rg * c01 + rb * c02 || 1e-12;
  return [
    (c00 * vr + c01 * vg + c02 * vb) / determinant,
    (c01 * vr + (rr * bb - rb * rb) * vg + (rg * rb - rr * gb) * vb) / determinant,
    (c02 * vr + (rg * rb - rr * gb) * vg + (rr * gg - rg * rg) * vb) / determinant,
  ];
}

function smoothStep(from: number, to: number, value: number): number {
  const share = Math.min(1, Math.max(0, (value - from) / (to - from)));
  return share * share * (3 - 2 * share);
}

/** Changes the picture to the product alone: its cover, and along the edge its own colours without those behind it. */
export function takeProduct(picture: Rgba, alpha: Plane): void {
  const { width, height, data: cover } = alpha;
  const blur = (data: Floats) => boxBlur({ width, height, data }, COLOUR_REACH).data;
  const weights = blur(cover);
  for (let channel = 0; channel < 3; channel += 1) {
    const colour = takeChannel(picture, channel);
    const inside = blur(colour.map((value, i) => value * cover[i]!));
    const outside = blur(colour.map((value, i) => value * (1 - cover[i]!)));
    for (let i = 0; i < cover.length; i += 1) {
      const a = cover[i]!;
      if (a >= 1) continue;
      const front = inside[i]! / (weights[i]! + 1e-5);
      const behind = outside[i]! / (1 - weights[i]! + 1e-5);
      picture.data[i * 4 + channel] = 255 * (front + a * (colour[i]! - a * front - (1 - a) * behind));
    }
  }
  for (let i = 0; i < cover.length; i += 1) picture.data[i * 4 + 3] = 255 * cover[i]!;
}
