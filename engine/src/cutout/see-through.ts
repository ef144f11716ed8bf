/**
 * The ground that is seen through a ring or under a handle, which the network takes along whatever the size of its
 * look. Colours alone do not tell it from a label; that it has the ground's pattern in the right place does.
 */
import { shrinkRgb } from '../pixels/decode.ts';
import { close, distanceInside, findRegions, invert, keepWhere, threshold } from '../pixels/mask.ts';
import { learnMixture, logLikeliest, startMixture } from '../pixels/mixture.ts';
import { makePlane, type Mask, type Plane, type Rgb } from '../pixels/plane.ts';
import { resizePlane } from '../pixels/resize.ts';
import type { Dot } from './marks.ts';

const SIDE = 320; // pixels of the long side
const SURE = 0.9; // cover from which the product's colours are learnt, and 1 - SURE down to which the ground's are
const UNKNOWN = 2;
const LIKE_GROUND = 2.5; // as a logarithm: the product's colours were learnt from such spots as well
const LEAST = 0.004; // of the product
const LINE = 2; // pixels of SIDE: half the width of what is no more than a line
const CLEAR = 3; // pixels of SIDE: so far from the product ground is free of it
const BESIDE = 0.8; // of a spot's pixels must have ground to one and the same side
const EXPLAINED = 0.5; // of what varies in a spot
const ALIKE = 30; // of 255, distance in RGB of what may lie between two such colours: the line of a horizon

/**
 * `alpha` (of the picture's size) without the spots in which the ground runs on: in which what lies straight to the
 * left, to the right, above or below, beside the product, explains half of what varies. In a plain spot it never does:
 * a label may well have a plain wall's colour. Spots that a person wants to keep stay.
 */
export async function openSeenThrough(picture: Rgb, alpha: Plane, keep: readonly Dot[] = []): Promise<Plane> {
  const small = await shrinkRgb(picture, SIDE);
  const said = resizePlane(alpha, small);
  const likeGround = findLikeGround(small, said);
  if (!likeGround) return alpha;
  const product = threshold(said, 0.5);
  const least = LEAST * product.data.reduce((count, is) => count + is, 0);
  const findPairs = makePairs(small, distanceInside(invert(product)).data);
  const depth = distanceInside(likeGround).data;
  const open = makePlane(small);
  for (const { pixels } of findRegions(close(likeGround, LINE))) {
    const isSpot = pixels.length >= least && pixels.some((i) => depth[i]! > LINE);
    if (!isSpot || pixels.some((i) => isKept(small, i, keep))) continue;
    for (const step of [-1, 1, -small.width, small.width]) {
      const pairs = findPairs(pixels, step);
      const seen = pairs.filter(([i]) => likeGround.data[i] === 1);
      if (seen.length < BESIDE * pixels.length || explain(small.data, seen) <= EXPLAINED) continue;
      for (const i of pixels) if (likeGround.data[i]) open.data[i] = 1;
      for (const pair of pairs) if (measure(small.data, ...pair) < ALIKE) open.data[pair[0]] = 1;
    }
  }
  if (!open.data.includes(1)) return alpha;
  const opened = resizePlane(open, picture).data;
  return { ...alpha, data: alpha.data.map((cover, i) => cover * (1 - opened[i]!)) };
}

/** What belongs to the product but may as well have the ground's colours; undefined where one side is unknown. */
function findLikeGround(picture: Rgb, said: Plane): Mask | undefined {
  const sides = { ...said, data: new Uint8Array(said.data.length) };
  for (const [i, cover] of said.data.entries()) sides.data[i] = cover >= SURE ? 1 : cover <= 1 - SURE ? 0 : UNKNOWN;
  if (!sides.data.includes(0) || !sides.data.includes(1)) return undefined;
  const ground = learnMixture(picture, sides, 0, startMixture(picture, sides, 0));
  const product = learnMixture(picture, sides, 1, startMixture(picture, sides, 1));
  return keepWhere(threshold(said, 0.5), (i) => {
    const [r, g, b] = [picture.data[i * 3]!, picture.data[i * 3 + 1]!, picture.data[i * 3 + 2]!];
    return logLikeliest(product, r, g, b) - logLikeliest(ground, r, g, b) < LIKE_GROUND;
  });
}

type Pair = [pixel: number, ground: number];

/** Gives each pixel with the nearest clear ground in one direction; those that have none are left out. */
function makePairs({ width, height }: Rgb, away: Float32Array) {
  return (pixels: Int32Array, step: number): Pair[] => {
    const pairs: Pair[] = [];
    for (const i of pixels) {
      const x = i % width;
      const y = (i - x) / width;
      let left = step === -1 ? x : step === 1 ? width - 1 - x : step < 0 ? y : height - 1 - y;
      let at = i;
      for (; left > 0 && away[at]! <= CLEAR; left -= 1) at += step;
      if (away[at]! > CLEAR) pairs.push([i, at]);
    }
    return pairs;
  };
}

/** 1 where each pair's colours are alike, 0 or less where the ground's say no more than the mean of the pixels'. */
function explain(rgb: Uint8Array, pairs: readonly Pair[]): number {
  let [missed, varied] = [0, 0];
  for (const [pixel, ground] of pairs) missed += measure(rgb, pixel, ground) ** 2;
  for (let c = 0; c < 3; c += 1) {
    const mean = pairs.reduce((sum, [pixel]) => sum + rgb[pixel * 3 + c]!, 0) / pairs.length;
    for (const [pixel] of pairs) varied += (rgb[pixel * 3 + c]! - mean) ** 2;
  }
  return 1 - missed / Math.max(1, varied);
}

/** How far two pixels' colours are apart, in RGB. */
function measure(rgb: Uint8Array, one: number, other: number): number {
  const [red, green, blue] = [0, 1, 2].map((c) => rgb[one * 3 + c]! - rgb[other * 3 + c]!);
  return Math.hypot(red!, green!, blue!);
}

function isKept({ width, height }: Rgb, i: number, keep: readonly Dot[]): boolean {
  const longer = Math.max(width, height);
  const [px, py] = [(i % width) + 0.5, Math.floor(i / width) + 0.5];
  return keep.some(([x, y, radius]) => Math.hypot(px - x * width, py - y * height) <= Math.max(1, radius * longer));
}
