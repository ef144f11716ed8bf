/**
 * The exact edge: a cover that follows the picture's own edges, by the guided filter (He, Sun and Tang 2010). Around
 * each pixel the cover is taken for a linear function of the colours.
 */
import { boxBlur } from '../pixels/blur.ts';
import { mapFloats } from '../pixels/map.ts';
import { threshold } from '../pixels/mask.ts';
import { makePlane, readChannel, toPlane, type Plane, type Rgb } from '../pixels/plane.ts';
import type { Subject } from './matting.ts';

const REACH = 2; // of the network's pixels: so far its outline may be off
const GRAIN = 2.5; // of 255: smaller steps of colour are noise
const REST = 0.05; // of the cover: what a linear function leaves where all is bare, or lacks where all is covered

/** Factors on red, green and blue (0..255), and what is added: their sum is the cover. */
export type Fit = readonly [red: Plane, green: Plane, blue: Plane, rest: Plane];

/** `alpha` has the picture's size; so has what comes out. */
export function solveEdges(picture: Rgb, { alpha, grain }: Pick<Subject, 'alpha' | 'grain'>): Plane {
  const outline = toPlane(threshold(alpha, 0.5));
  const [red, green, blue, rest] = fitCover(picture, outline, Math.round(REACH * grain));
  const rgb = picture.data;
  const data = mapFloats(rest.data, (added, i) => {
    const [r, g, b] = [red.data[i]!, green.data[i]!, blue.data[i]!];
    const cover = added + r * rgb[3 * i]! + g * rgb[3 * i + 1]! + b * rgb[3 * i + 2]!;
    return Math.min(1, Math.max(0, (cover - REST) / (1 - 2 * REST)));
  });
  return { ...alpha, data };
}

type Channels = [Float32Array, Float32Array, Float32Array];

/** The linear functions that are nearest to the cover, each over the pixels up to `radius` away; of one size all. */
export function fitCover(picture: Rgb, cover: Plane, radius: number): Fit {
  const mean = (one: Float32Array, other: Float32Array) =>
    boxBlur({ ...cover, data: mapFloats(one, (value, i) => value * other[i]!) }, radius).data;
  const covered = cover.data;
  const [reds, greens, blues] = [0, 1, 2].map((c) => readChannel(picture, c)) as [Plane, Plane, Plane];
  const [red, green, blue] = [reds, greens, blues].map((plane) => boxBlur(plane, radius).data) as Channels;
  const all = boxBlur(cover, radius).data;
  const [rr, gg, bb] = [reds, greens, blues].map(({ data }) => mean(data, data)) as Channels;
  const [rg, rb, gb] = [mean(reds.data, greens.data), mean(reds.data, blues.data), mean(greens.data, blues.data)];
  const [rc, gc, bc] = [reds, greens, blues].map(({ data }) => mean(data, covered)) as Channels;
  const fit = [makePlane(cover), makePlane(cover), makePlane(cover), makePlane(cover)] as const;
  for (let i = 0; i < all.length; i += 1) {
    const [r, g, b, p] = [red[i]!, green[i]!, blue[i]!, all[i]!];
    // covariances of the colours, and of each with the cover; their system by Cramer's rule
    const [a11, a12, a13] = [rr[i]! - r * r + GRAIN ** 2, rg[i]! - r * g, rb[i]! - r * b];
    const [a22, a23, a33] = [gg[i]! - g * g + GRAIN ** 2, gb[i]! - g * b, bb[i]! - b * b + GRAIN ** 2];
    const [x, y, z] = [rc[i]! - r * p, gc[i]! - g * p, bc[i]! - b * p];
    const [m11, m12, m13] = [a22 * a33 - a23 * a23, a13 * a23 - a12 * a33, a12 * a23 - a13 * a22];
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
