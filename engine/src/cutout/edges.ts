/**
 * Refines the outline with the guided filter (He, Sun and Tang 2010), so that alpha follows the picture's own edges:
 * around each pixel alpha is modelled as a linear function of the colours.
 */
import { boxBlur } from '../pixels/blur.ts';
import { threshold } from '../pixels/mask.ts';
import {
  clampBox,
  cutPlane,
  makePlane,
  mapFloats,
  pastePlane,
  readChannel,
  toPlane,
  type Plane,
  type Rgb,
  type Size,
} from '../pixels/plane.ts';
import { makeSampler, resizePlane, sample } from '../pixels/sample.ts';
import type { Subject } from './matting.ts';

const REACH = 2; // pixels of the network: how far its outline may be off
const NOISE = 2.5; // of 255: smaller colour differences are noise
const RESIDUAL = 0.05; // of alpha: residual error of the linear model in flat areas; 0 and 1 are stretched by it

/** Coefficients of red, green and blue (0..255) and the offset: their sum is alpha. */
export type Fit = readonly [red: Plane, green: Plane, blue: Plane, rest: Plane];

/** Returns the refined alpha. `alpha` and the result have the picture's size. */
export function solveEdges(picture: Rgb, { alpha, scale }: Pick<Subject, 'alpha' | 'scale'>): Plane {
  const { width, height } = alpha;
  const half = { width: Math.ceil(width / 2), height: Math.ceil(height / 2) };
  const fit = fitAlpha(picture, toPlane(threshold(alpha, 0.5)), Math.max(1, Math.round((REACH * scale) / 2)), half);
  const read = makeAlphaReader(picture, fit);
  const data = mapFloats(alpha.data, (_, i) => Math.min(1, Math.max(0, (read(i) - RESIDUAL) / (1 - 2 * RESIDUAL))));
  return { width, height, data };
}

/** Returns a reader of the modelled alpha, not clamped to 0..1. The picture has the size of `fit` or is larger. */
export function makeAlphaReader({ width, height, data: rgb }: Rgb, [red, green, blue, rest]: Fit) {
  const sampler = makeSampler(rest, { width, height });
  return (i: number): number => {
    const x = i % width;
    sampler.moveTo(x, (i - x) / width);
    return (
      sample(sampler, rest.data) +
      sample(sampler, red.data) * rgb[3 * i]! +
      sample(sampler, green.data) * rgb[3 * i + 1]! +
      sample(sampler, blue.data) * rgb[3 * i + 2]!
    );
  };
}

type Channels = [Float32Array, Float32Array, Float32Array];

const TILE = 32; // pixels: tiles without an edge need no fit

/**
 * Fits the linear functions to alpha, each over the pixels within `radius`. Works at the size `at`, which may be
 * smaller, because coefficients change slowly (fast guided filter, He and Sun 2015).
 */
export function fitAlpha(picture: Rgb, alpha: Plane, radius: number, at: Size = alpha): Fit {
  const target = resizePlane(alpha, at);
  const colours = [0, 1, 2].map((c) => resizePlane(readChannel(picture, c), at));
  const fit = [makePlane(at), makePlane(at), makePlane(at), { ...target, data: target.data.slice() }] as const;
  for (let top = 0; top < at.height; top += TILE) {
    for (let left = 0; left < at.width; left += TILE) {
      const box = { left, top, width: Math.min(TILE, at.width - left), height: Math.min(TILE, at.height - top) };
      const [width, height] = [box.width + 4 * radius, box.height + 4 * radius];
      const around = clampBox({ left: left - 2 * radius, top: top - 2 * radius, width, height }, at);
      const part = cutPlane(target, around);
      if (part.data.every((value) => value === part.data[0])) continue;
      const within = { ...box, left: left - around.left, top: top - around.top };
      const own = fitTile(colours.map((plane) => cutPlane(plane, around)) as Colours, part, radius);
      for (const [n, plane] of own.entries()) pastePlane(fit[n]!, cutPlane(plane, within), box);
    }
  }
  return fit;
}

type Colours = [Plane, Plane, Plane];

function fitTile(colours: Colours, target: Plane, radius: number): Fit {
  const mean = (one: Float32Array, other: Float32Array) =>
    boxBlur({ ...target, data: mapFloats(one, (value, i) => value * other[i]!) }, radius).data;
  const values = target.data;
  const [reds, greens, blues] = colours;
  const [red, green, blue] = colours.map((plane) => boxBlur(plane, radius).data) as Channels;
  const all = boxBlur(target, radius).data;
  const [rr, gg, bb] = colours.map(({ data }) => mean(data, data)) as Channels;
  const [rg, rb, gb] = [mean(reds.data, greens.data), mean(reds.data, blues.data), mean(greens.data, blues.data)];
  const [rc, gc, bc] = colours.map(({ data }) => mean(data, values)) as Channels;
  const fit = [makePlane(target), makePlane(target), makePlane(target), makePlane(target)] as const;
  for (let i = 0; i < all.length; i += 1) {
    const r = red[i]!;
    const g = green[i]!;
    const b = blue[i]!;
    const p = all[i]!;
    // covariances of the colours, and of each colour with alpha; solved by Cramer's rule
    const a11 = rr[i]! - r * r + NOISE ** 2;
    const a12 = rg[i]! - r * g;
    const a13 = rb[i]! - r * b;
    const a22 = gg[i]! - g * g + NOISE ** 2;
    const a23 = gb[i]! - g * b;
    const a33 = bb[i]! - b * b + NOISE ** 2;
    const x = rc[i]! - r * p;
    const y = gc[i]! - g * p;
    const z = bc[i]! - b * p;
    const m11 = a22 * a33 - a23 * a23;
    const m12 = a13 * a23 - a12 * a33;
    const m13 = a12 * a23 - a13 * a22;
    const det = a11 * m11 + a12 * m12 + a13 * m13;
    const ofRed = (m11 * x + m12 * y + m13 * z) / det;
    const ofGreen = (m12 * x + (a11 * a33 - a13 * a13) * y + (a12 * a13 - a11 * a23) * z) / det;
    const ofBlue = (m13 * x + (a12 * a13 - a11 * a23) * y + (a11 * a22 - a12 * a12) * z) / det;
    fit[0].data[i] = ofRed;
    fit[1].data[i] = ofGreen;
    fit[2].data[i] = ofBlue;
    fit[3].data[i] = p - ofRed * r - ofGreen * g - ofBlue * b;
  }
  return [boxBlur(fit[0], radius), boxBlur(fit[1], radius), boxBlur(fit[2], radius), boxBlur(fit[3], radius)];
}
