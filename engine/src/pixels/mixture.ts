/** Mixtures of Gaussians in RGB, 0..255 a channel. */
import type { Mask, Rgb } from './plane.ts';

/**
 * Ten numbers a component: the mean r, g, b; the inverse covariance rr, rg, rb, gg, gb, bb; and log(share / sqrt((2
 * pi)^3 det)), with the component's share of the pixels and the covariance's determinant.
 */
export type Mixture = Float64Array;

type Colour = readonly [red: number, green: number, blue: number];

const COMPONENTS = 5;
const NUMBERS = 10;
const LEAST_VARIANCE = 0.01; // keeps the covariance of one flat colour invertible
const AXIS_ROUNDS = 10;
const FIRST_PIXELS = 4000; // of a side, enough for a first guess
const NOT_LEARNT = 255;

/**
 * A first mixture of some of the pixels whose mask value is `side` (at least one must be): the widest component is
 * split across its longest axis until there are enough (Orchard and Bouman 1991).
 */
export function startMixture(picture: Rgb, mask: Mask, side: number): Mixture {
  const some = pickSome(picture, mask, side);
  const components = new Uint8Array(some.length / 3);
  for (let count = 1; count < COMPONENTS; count += 1) {
    const spreads = Array.from({ length: count }, (_, n) => measureSpread(some, components, n));
    const widest = spreads.reduce((most, spread) => (spread.weight > most.weight ? spread : most));
    const [r, g, b] = widest.axis;
    const middle = r * widest.mean[0] + g * widest.mean[1] + b * widest.mean[2];
    for (let i = 0; i < components.length; i += 1) {
      const along = r * some[i * 3]! + g * some[i * 3 + 1]! + b * some[i * 3 + 2]!;
      if (components[i] === widest.component && along > middle) components[i] = count;
    }
  }
  return fit(some, components, COMPONENTS);
}

/** The mixture learnt anew from all those pixels, each given to the component that is likeliest to have made it. */
export function learnMixture({ data }: Rgb, mask: Mask, side: number, before: Mixture): Mixture {
  const components = new Uint8Array(mask.data.length).fill(NOT_LEARNT);
  for (let i = 0; i < components.length; i += 1) {
    if (mask.data[i] !== side) continue;
    let most = -Infinity;
    for (let n = 0; n * NUMBERS < before.length; n += 1) {
      const value = logOf(before, n * NUMBERS, data[i * 3]!, data[i * 3 + 1]!, data[i * 3 + 2]!);
      if (value <= most) continue;
      most = value;
      components[i] = n;
    }
  }
  return fit(data, components, before.length / NUMBERS);
}

/** Log of the mixture's density at a colour. */
export function logDensity(mixture: Mixture, red: number, green: number, blue: number): number {
  let sum = 0;
  for (let at = 0; at < mixture.length; at += NUMBERS) sum += Math.exp(logOf(mixture, at, red, green, blue));
  return Math.log(Math.max(sum, Number.MIN_VALUE));
}

function logOf(m: Mixture, at: number, red: number, green: number, blue: number): number {
  const r = red - m[at]!;
  const g = green - m[at + 1]!;
  const b = blue - m[at + 2]!;
  const squares = m[at + 3]! * r * r + m[at + 6]! * g * g + m[at + 8]! * b * b;
  return m[at + 9]! - 0.5 * squares - m[at + 4]! * r * g - m[at + 5]! * r * b - m[at + 7]! * g * b;
}

/** Evenly spread over the side's pixels: three bytes each. */
function pickSome({ data }: Rgb, mask: Mask, side: number): Uint8Array {
  let count = 0;
  for (const value of mask.data) if (value === side) count += 1;
  const some = new Uint8Array(3 * Math.min(count, FIRST_PIXELS));
  const step = (3 * count) / some.length;
  let seen = 0;
  let taken = 0;
  for (let i = 0; i < mask.data.length; i += 1) {
    if (mask.data[i] !== side) continue;
    if (seen >= taken * step && taken * 3 < some.length) {
      some.set(data.subarray(i * 3, i * 3 + 3), taken * 3);
      taken += 1;
    }
    seen += 1;
  }
  return some;
}

type Spread = { component: number; mean: Colour; axis: Colour; weight: number };

/** Along which axis the component's colours vary most, and how much together. */
function measureSpread(some: Uint8Array, components: Uint8Array, component: number): Spread {
  const sums = sumUp(some, components, component + 1).subarray(component * NUMBERS);
  const { count, mean, covariance } = readMoments(sums);
  const [rr, rg, rb, gg, gb, bb] = covariance;
  let axis: Colour = [1, 1, 1];
  let variance = 0;
  for (let round = 0; round < AXIS_ROUNDS; round += 1) {
    const [r, g, b] = axis;
    const turned: Colour = [rr * r + rg * g + rb * b, rg * r + gg * g + gb * b, rb * r + gb * g + bb * b];
    variance = Math.hypot(...turned);
    axis = [turned[0] / variance, turned[1] / variance, turned[2] / variance];
  }
  return { component, mean, axis, weight: count * variance };
}

/** Mean and covariance of every component that has pixels. */
function fit(data: Uint8Array, components: Uint8Array, most: number): Mixture {
  const sums = sumUp(data, components, most);
  const rows = Array.from({ length: most }, (_, n) => sums.subarray(n * NUMBERS, (n + 1) * NUMBERS));
  const all = rows.reduce((sum, row) => sum + row[0]!, 0);
  return Float64Array.from(rows.filter((row) => row[0]! > 0).flatMap((row) => fitComponent(row, all)));
}

/** Of every component below `most`: its count, sums of r, g, b, and of rr, rg, rb, gg, gb, bb. */
function sumUp(data: Uint8Array, components: Uint8Array, most: number): Float64Array {
  const sums = new Float64Array(most * NUMBERS);
  for (let i = 0; i < components.length; i += 1) {
    if (components[i]! >= most) continue;
    const at = components[i]! * NUMBERS;
    const r = data[i * 3]!;
    const g = data[i * 3 + 1]!;
    const b = data[i * 3 + 2]!;
    sums[at]! += 1;
    sums[at + 1]! += r;
    sums[at + 2]! += g;
    sums[at + 3]! += b;
    sums[at + 4]! += r * r;
    sums[at + 5]! += r * g;
    sums[at + 6]! += r * b;
    sums[at + 7]! += g * g;
    sums[at + 8]! += g * b;
    sums[at + 9]! += b * b;
  }
  return sums;
}

type Moments = { count: number; mean: Colour; covariance: [number, number, number, number, number, number] };

function readMoments(sums: Float64Array): Moments {
  const count = sums[0]!;
  const [r, g, b] = [sums[1]! / count, sums[2]! / count, sums[3]! / count];
  const covariance: Moments['covariance'] = [
    sums[4]! / count - r * r + LEAST_VARIANCE,
    sums[5]! / count - r * g,
    sums[6]! / count - r * b,
    sums[7]! / count - g * g + LEAST_VARIANCE,
    sums[8]! / count - g * b,
    sums[9]! / count - b * b + LEAST_VARIANCE,
  ];
  return { count, mean: [r, g, b], covariance };
}

function fitComponent(sums: Float64Array, all: number): number[] {
  const { count, mean, covariance } = readMoments(sums);
  const [rr, rg, rb, gg, gb, bb] = covariance;
  const adjoint = [
    gg * bb - gb * gb,
    rb * gb - rg * bb,
    rg * gb - rb * gg,
    rr * bb - rb * rb,
    rg * rb - rr * gb,
    rr * gg - rg * rg,
  ] as const;
  const det = rr * adjoint[0] + rg * adjoint[1] + rb * adjoint[2];
  const logScale = Math.log(count / all) - 0.5 * Math.log((2 * Math.PI) ** 3 * det);
  return [...mean, ...adjoint.map((value) => value / det), logScale];
}

/**
 * Log of the density of the component that is likeliest to have made the colour: nearly logDensity, and many times as
 * fast.
 */
export function logLikeliest(mixture: Mixture, red: number, green: number, blue: number): number {
  let most = -Infinity;
  for (let at = 0; at < mixture.length; at += NUMBERS) most = Math.max(most, logOf(mixture, at, red, green, blue));
  return most;
}
