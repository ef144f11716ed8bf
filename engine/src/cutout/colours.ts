/**
 * Help for the network by the picture's own colours: two mixtures learnt from what it is sure of and a minimum cut (as
 * in GrabCut, with the network's cover in place of seeds) find the parts that it missed and the ground that it took
 * along.
 */
import { linkNeighbours } from '../pixels/grab-cut.ts';
import { mapFloats } from '../pixels/map.ts';
import { distanceInside, findRegions, overlap, threshold } from '../pixels/mask.ts';
import { cutGrid } from '../pixels/max-flow.ts';
import { learnMixture, logLikeliest, type Mixture } from '../pixels/mixture.ts';
import { makeMask, makePlane, toPlane, type Mask, type Plane, type Rgb } from '../pixels/plane.ts';
import { resizePlane } from '../pixels/resize.ts';
import { drawKept, type Marks } from './marks.ts';
import type { Resizing } from './network.ts';
import { findPockets } from './pockets.ts';
import { findSeenThrough } from './see-through.ts';
import { learnSides, type Learnt } from './sides.ts';

const SIDE = 320; // pixels of the long side: finer cuts gain nothing (measured on tune-*)
const LINE = 2; // pixels of SIDE: half the width of what is no more than a line
const UNSEEN = 0.05; // mean cover that the network saw in what it did not see
const ROUNDS = 2;
const DEAR = 10; // what a link costs between two equal neighbours, in units of the colours' log likelihood
const NETWORK = 0.4; // weight of the logarithm of the network's odds
const DOUBT = 0.01; // the network is never surer than 99 in 100
const MOST_LIKELIHOOD = 4; // the colours', of one pixel
const SHADE = 0.5; // of its light: ground that lies in a shadow
const IN_SHADE = 1; // as a logarithm: so much less likely
const TELLING = 0.84; // share of what the network is sure of whose colours say the same: with less they are not heard
const SHARE = 0.65; // of the cut in what comes out: where the two contradict each other it wins narrowly
// of a region's colours, on average, that may contradict the network with their whole share
const ENOUGH_LIKELIHOOD = 3.5;

export type Helped = {
  /** Of the picture's size. */
  alpha: Plane;
  /** Overlap of the cut with what the network said, 0..1. */
  agreement: number;
};

/** `alpha` is what the network said, of the picture's size. Pockets that a person wants to keep stay. */
export async function helpByColours(
  { shrink }: Pick<Resizing, 'shrink'>,
  picture: Rgb,
  alpha: Plane,
  marks: Pick<Marks, 'keep'> = {},
): Promise<Helped> {
  const small = await shrink(picture, SIDE);
  const kept = drawKept(marks, picture, small);
  const before = learnSides(small, alpha);
  const seenThrough = before && findSeenThrough(small, before, kept);
  const opened = seenThrough ? mix(alpha, makePlane(picture), resizePlane(toPlane(seenThrough), picture)) : alpha;
  const learnt = seenThrough ? learnSides(small, opened) : before;
  if (!learnt) return { alpha: opened, agreement: 1 };
  const { said } = learnt;
  const { cut, likelihood } = cutByColours(small, learnt);
  const agreement = overlap(cut, threshold(said, 0.5));
  if (measureTelling(learnt, likelihood) < TELLING) return { alpha: opened, agreement };
  const weights = weighContradictions(said, cut, likelihood);
  // What the network said shows pockets that the cut opens by half, what comes of both those that it leaves.
  const pockets = [said, mix(said, toPlane(cut), weights)].map((cover) => findPockets(small, cover, likelihood, kept));
  for (const { data } of pockets) {
    for (let i = 0; i < data.length; i += 1) if (data[i]) [weights.data[i], cut.data[i]] = [1, 0];
  }
  return { alpha: mix(opened, resizePlane(toPlane(cut), picture), resizePlane(weights, picture)), agreement };
}

/** `other` as far as its weight 0..1 says. */
function mix(one: Plane, other: Plane, { data: weights }: Plane): Plane {
  const data = mapFloats(one.data, (value, i) => weights[i]! * other.data[i]! + (1 - weights[i]!) * value);
  return { ...one, data };
}

/** Share of what the network is sure of whose colours say the same, 0..1, product and ground alike. */
function measureTelling({ sides: { data: sides } }: Learnt, likelihood: Float32Array): number {
  const [all, right] = [
    [0, 0],
    [0, 0],
  ];
  for (let i = 0; i < sides.length; i += 1) {
    const side = sides[i]!;
    if (side > 1) continue;
    all[side]! += 1;
    if (side === 1 ? likelihood[i]! > 0 : likelihood[i]! < 0) right[side]! += 1;
  }
  return (right[0]! / all[0]! + right[1]! / all[1]!) / 2;
}

/**
 * How much the cut counts. Where it contradicts the network: as far as the region's own colours bear it out, and not at
 * all for lines that the network did not see, which are gaps between tiles and edges of shelves.
 */
function weighContradictions(said: Plane, cut: Mask, likelihood: Float32Array): Plane {
  const weights = makePlane(said);
  weights.data.fill(SHARE);
  const contradicted = makeMask(said);
  for (let i = 0; i < cut.data.length; i += 1)
    contradicted.data[i] = said.data[i]! > 0.5 === (cut.data[i] === 1) ? 0 : 1;
  const depth = distanceInside(contradicted).data;
  for (const { pixels } of findRegions(contradicted)) {
    let [evidence, seen, deepest] = [0, 0, 0];
    for (const i of pixels) {
      evidence += cut.data[i] ? likelihood[i]! : -likelihood[i]!;
      seen += said.data[i]!;
      deepest = Math.max(deepest, depth[i]!);
    }
    const isLine = deepest <= LINE && seen < UNSEEN * pixels.length;
    const share = isLine ? 0 : Math.max(0, Math.min(1, evidence / pixels.length / ENOUGH_LIKELIHOOD));
    for (const i of pixels) weights.data[i] = SHARE * share;
  }
  return weights;
}

/** `likelihood`: how much likelier the product's colours make each pixel's, as a logarithm. */
function cutByColours(picture: Rgb, { said, ...learnt }: Learnt): { cut: Mask; likelihood: Float32Array } {
  const { width, height, data } = said;
  const links = linkNeighbours(picture, DEAR);
  const odds = mapFloats(data, oddsOf);
  let { background, product } = learnt;
  for (let round = 1; ; round += 1) {
    const likelihood = compareColours(picture, product, background);
    const pull = mapFloats(likelihood, (value, i) => value + NETWORK * odds[i]!);
    const cut = cutGrid({ width, height, links: links.map((link) => link.slice()), pull });
    if (round === ROUNDS) return { cut, likelihood };
    background = learnMixture(picture, cut, 0, background);
    product = learnMixture(picture, cut, 1, product);
  }
}

/** Ground may lie in a shadow, of which the network is sure nowhere. */
function compareColours({ data }: Rgb, product: Mixture, background: Mixture): Float32Array<ArrayBuffer> {
  const out = new Float32Array(data.length / 3);
  for (let i = 0; i < out.length; i += 1) {
    const [r, g, b] = [data[i * 3]!, data[i * 3 + 1]!, data[i * 3 + 2]!];
    const own = logLikeliest(product, r, g, b);
    let value = own - logLikeliest(background, r, g, b);
    if (value > 0) {
      const shaded = logLikeliest(background, r / SHADE, g / SHADE, b / SHADE) - IN_SHADE;
      value = Math.min(value, own - shaded);
    }
    out[i] = Math.max(-MOST_LIKELIHOOD, Math.min(MOST_LIKELIHOOD, value));
  }
  return out;
}

/** As a logarithm. */
function oddsOf(cover: number): number {
  const share = Math.max(DOUBT, Math.min(1 - DOUBT, cover));
  return Math.log(share / (1 - share));
}
