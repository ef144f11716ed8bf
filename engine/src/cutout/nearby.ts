/**
 * What the colours nearby say of a pixel: whether its like is found in sure product or in sure background around it. A
 * carpet's dark dots are background, however dark the product is where they touch it.
 */
import { distanceInside, invert, threshold } from '../pixels/mask.ts';
import type { Plane, Rgb, Size } from '../pixels/plane.ts';
import type { Found } from './find.ts';

const SURE = 0.9; // cover from which a pixel's colour is the product's, and 1 - SURE down to which the background's
const INSIDE = 1; // of the network's pixels: so far from its outline
const BAND = 2.5; // of the network's pixels, on both sides of its outline: what is asked about
const WINDOW = 16; // of the network's pixels to each side: what is nearby
const CELL = 8; // pixels: one set of samples serves a square of them
const SAMPLES = 10; // along a side of the window, of both sides together
const FEWEST = 18; // bytes of a side: six colours
const LIKE = 14; // of 255, distance in RGB
const ENOUGH = 0.04; // of the samples: so many of a like colour make it one of theirs
const FLOOR = 0.2; // of ENOUGH: a colour that neither has tells nothing
const WEIGHT = 0.5; // beside the logarithm of the network's odds
const DOUBT = 0.01; // the network is never surer than 99 in 100

type Seen = Pick<Found, 'alpha' | 'grain'>;

export type Nearby = {
  /** The network's cover and these colours together. */
  alpha: Plane;
  /** Positive: the colour is the product's, as a logarithm of how much likelier; 0 where nothing was asked. */
  evidence: Float32Array;
};

/** `alpha` has the picture's size; what it says of pixels near its outline is weighed with the colours around them. */
export function askNearby(picture: Rgb, { alpha, grain }: Seen): Nearby {
  const { width, height, data: said } = alpha;
  const mask = threshold(alpha, 0.5);
  const [inside, outside] = [distanceInside(mask).data, distanceInside(invert(mask)).data];
  const evidence = new Float32Array(said.length);
  const data = said.slice();
  const isAsked = (i: number) => Math.max(inside[i]!, outside[i]!) <= BAND * grain;
  const sideOf = (i: number) => {
    if (said[i]! > SURE) return inside[i]! > INSIDE * grain ? 1 : undefined;
    return said[i]! < 1 - SURE && outside[i]! > INSIDE * grain ? 0 : undefined;
  };
  for (let top = 0; top < height; top += CELL) {
    for (let left = 0; left < width; left += CELL) {
      const asked = listCell(alpha, left, top).filter(isAsked);
      if (asked.length === 0) continue;
      const [background, product] = sampleAround(picture, left, top, WINDOW * grain, sideOf);
      if (background.length < FEWEST || product.length < FEWEST) continue;
      for (const i of asked) {
        const [own, other] = [presence(picture.data, i, product), presence(picture.data, i, background)];
        evidence[i] = Math.log((FLOOR + own) / (FLOOR + other));
        const share = Math.max(DOUBT, Math.min(1 - DOUBT, said[i]!));
        data[i] = 1 / (1 + ((1 - share) / share) * Math.exp(-WEIGHT * evidence[i]));
      }
    }
  }
  return { alpha: { width, height, data }, evidence };
}

function listCell({ width, height }: Size, left: number, top: number): number[] {
  const out: number[] = [];
  for (let y = top; y < Math.min(height, top + CELL); y += 1) {
    for (let x = left; x < Math.min(width, left + CELL); x += 1) out.push(y * width + x);
  }
  return out;
}

/** Colours, three bytes each, of the background and of the product. */
function sampleAround(
  { width, height, data }: Rgb,
  left: number,
  top: number,
  reach: number,
  sideOf: (i: number) => 0 | 1 | undefined,
): [number[], number[]] {
  const out: [number[], number[]] = [[], []];
  const step = Math.max(1, Math.round((2 * reach) / SAMPLES));
  const [fromX, fromY] = [left + CELL / 2 - Math.round(reach), top + CELL / 2 - Math.round(reach)];
  const turn = ((left / CELL) * 7 + (top / CELL) * 13) % step; // no lattice beats with a weave
  for (let y = fromY + turn; y < Math.min(height, fromY + 2 * reach); y += step) {
    for (let x = fromX + ((y * 5) % step); x < Math.min(width, fromX + 2 * reach); x += step) {
      if (x < 0 || y < 0) continue;
      const i = y * width + x;
      const side = sideOf(i);
      if (side !== undefined) out[side].push(data[i * 3]!, data[i * 3 + 1]!, data[i * 3 + 2]!);
    }
  }
  return out;
}

/** 0..1: whether enough of the samples are like pixel `i`. */
function presence(rgb: Uint8Array, i: number, samples: readonly number[]): number {
  const [r, g, b] = [rgb[i * 3]!, rgb[i * 3 + 1]!, rgb[i * 3 + 2]!];
  const enough = (ENOUGH * samples.length) / 3;
  let like = 0;
  for (let n = 0; n < samples.length && like < enough; n += 3) {
    const [dr, dg, db] = [samples[n]! - r, samples[n + 1]! - g, samples[n + 2]! - b];
    if (dr * dr + dg * dg + db * db < LIKE * LIKE) like += 1;
  }
  return Math.min(1, like / enough);
}

const HAIR = 2; // pixels: half of what is thin
const UNLIKE = 0.2; // evidence below which a hair is not the product's
const STEEP = 4;

/**
 * Without thin things that have the background's colours, unless the network itself is sure of them. Fur and straps
 * have the product's.
 */
export function dropHairs(alpha: Plane, said: Plane, evidence: Float32Array): Plane {
  const opened = slide(slide(alpha, -1), 1).data;
  const data = alpha.data.slice();
  for (let i = 0; i < data.length; i += 1) {
    const hair = data[i]! - opened[i]!;
    if (hair <= 0 || evidence[i] === 0) continue;
    const isSeen = Math.min(1, Math.max(0, (said.data[i]! - 0.6) / 0.35));
    const isOwn = 1 / (1 + Math.exp(-STEEP * (evidence[i]! - UNLIKE)));
    data[i] = opened[i]! + hair * Math.max(isSeen, isOwn);
  }
  return { ...alpha, data };
}

/** The least (-1) or the most (1) of a square of 2 × HAIR + 1 around each pixel. */
function slide(plane: Plane, sign: 1 | -1): Plane {
  return slideAlong(slideAlong(plane, sign, 1, plane.width), sign, plane.width, plane.height);
}

/** Along rows (`step` 1) or columns (`step` the width) of `length` pixels; lines end at the border. */
function slideAlong({ width, height, data }: Plane, sign: 1 | -1, step: number, length: number): Plane {
  const out = data.slice();
  const end = sign > 0 ? 1 : 0; // there is no more, and no less
  for (let i = 0; i < data.length; i += 1) {
    if (data[i] === end) continue;
    const place = step === 1 ? i % width : Math.floor(i / width);
    const last = i + Math.min(HAIR, length - 1 - place) * step;
    let value = data[i]! * sign;
    for (let at = i - Math.min(HAIR, place) * step; at <= last; at += step) {
      if (data[at]! * sign > value) value = data[at]! * sign;
    }
    out[i] = value * sign;
  }
  return { width, height, data: out };
}
