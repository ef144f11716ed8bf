/**
 * The ground that is seen through a ring or under a handle, which the network takes along whatever the size of its
 * look. Colours alone do not tell it from a label; that it has the ground's pattern in the right place does.
 */
import { measureApart } from '../pixels/colour.ts';
import {
  close,
  countOnes,
  distanceInside,
  findRegions,
  invert,
  keepWhere,
  threshold,
  type Region,
} from '../pixels/mask.ts';
import { logLikeliest, type Mixture } from '../pixels/mixture.ts';
import { makeMask, type Mask, type Rgb, type Size } from '../pixels/plane.ts';
import type { Learnt } from './sides.ts';

const LIKE_GROUND = 2.5; // as a logarithm: the product's colours were learnt from such spots as well
const LEAST = 0.004; // of the product
const LINE = 2; // pixels: half the width of what is no more than a line
const CLEAR = 3; // pixels: so far from the product ground is free of it
const BESIDE = 0.8; // of a spot's pixels must have ground to one and the same side
const EXPLAINED = 0.5; // of what varies in a spot
const ALIKE = 30; // of 255, distance in RGB of what may lie between two such colours: the line of a horizon

/**
 * The spots of the product in which the ground runs on: in which what lies straight to the left, to the right, above or
 * below, beside the product, explains half of what varies; undefined where there are none. In a plain spot it never
 * does: a label may well have a plain wall's colour. Spots that a person wants to keep stay. All of one size.
 */
export function findSeenThrough(picture: Rgb, learnt: Learnt, kept: Mask): Mask | undefined {
  const product = threshold(learnt.said, 0.5);
  const likeGround = findLikeGround(picture, product, learnt);
  const spots = findSpots(likeGround, LEAST * countOnes(product)).filter(
    ({ pixels }) => !pixels.some((i) => kept.data[i] === 1),
  );
  if (spots.length === 0) return undefined;
  const open = makeMask(product);
  const clear = distanceInside(invert(product)).data;
  for (const step of [-1, 1, -picture.width, picture.width]) {
    const ground = findGround(picture, clear, step);
    const isAlike = (i: number) => {
      const beside = 3 * ground[i]!;
      const [red, green, blue] = [picture.data[beside], picture.data[beside + 1], picture.data[beside + 2]];
      return beside >= 0 && measureApart(picture.data, i, red!, green!, blue!) < ALIKE;
    };
    for (const { pixels } of spots) {
      const seen = pixels.filter((i) => likeGround.data[i] && ground[i]! >= 0);
      if (seen.length < BESIDE * pixels.length || explain(picture.data, seen, ground) <= EXPLAINED) continue;
      for (const i of pixels) open.data[i] ||= Number(likeGround.data[i] === 1 || isAlike(i));
    }
  }
  return open.data.includes(1) ? open : undefined;
}

/** What belongs to the product but may as well have the ground's colours. */
function findLikeGround({ data }: Rgb, product: Mask, learnt: Learnt): Mask {
  const log = (mixture: Mixture, i: number) => logLikeliest(mixture, data[i]!, data[i + 1]!, data[i + 2]!);
  return keepWhere(product, (i) => log(learnt.product, 3 * i) - log(learnt.background, 3 * i) < LIKE_GROUND);
}

/** Also in two halves that a line parts. */
function findSpots(likeGround: Mask, least: number): Region[] {
  const depth = distanceInside(likeGround).data;
  return findRegions(close(likeGround, LINE)).filter(
    ({ pixels }) => pixels.length >= least && pixels.some((i) => depth[i]! > LINE),
  );
}

/** Of every pixel the nearest one in one direction that is clear of the product; -1 where there is none. */
function findGround({ width, height }: Size, clear: Float32Array, step: number): Int32Array {
  const ground = new Int32Array(clear.length).fill(-1);
  for (let n = 0; n < clear.length; n += 1) {
    const i = step < 0 ? n : clear.length - 1 - n;
    const x = i % width;
    const isLast =
      step === -1 ? x === 0 : step === 1 ? x === width - 1 : step < 0 ? i < width : i >= width * (height - 1);
    if (clear[i]! > CLEAR) ground[i] = i;
    else if (!isLast) ground[i] = ground[i + step]!;
  }
  return ground;
}

/** 1 where pixels have their ground's colours, 0 or less where those say no more than the mean of the pixels'. */
function explain(rgb: Uint8Array, pixels: Int32Array, ground: Int32Array): number {
  let [missed, varied] = [0, 0];
  for (let c = 0; c < 3; c += 1) {
    let mean = 0;
    for (const i of pixels) mean += rgb[i * 3 + c]! / pixels.length;
    for (const i of pixels) {
      missed += (rgb[i * 3 + c]! - rgb[ground[i]! * 3 + c]!) ** 2;
      varied += (rgb[i * 3 + c]! - mean) ** 2;
    }
  }
  return 1 - missed / Math.max(1, varied);
}
