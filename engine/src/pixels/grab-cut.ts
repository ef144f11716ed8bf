/**
 * Foreground and background by their colours: two Gaussian mixtures and a minimum cut, in turns (GrabCut: Rother,
 * Kolmogorov and Blake 2004, with their constants).
 */
import { cutGrid } from './max-flow.ts';
import { learnMixture, logDensity, startMixture, type Mixture } from './mixture.ts';
import type { Mask, Rgb, Size } from './plane.ts';

/** What is known of a pixel beforehand. */
export const SEED = { background: 0, foreground: 1, probablyBackground: 2, probablyForeground: 3 } as const;

/** One of SEED a pixel. */
export type Seeds = Size & { data: Uint8Array };

const GAMMA = 50; // what a link costs between two equal neighbours, in units of the colours' log likelihood
const SURE = 9 * GAMMA; // more than all links of a pixel together
const NEIGHBOURS = [
  { dx: 1, dy: 0 },
  { dx: 0, dy: 1 },
  { dx: 1, dy: 1 },
  { dx: -1, dy: 1 },
] as const; // and their opposites: the order of FlowGrid's pairs

/**
 * @param seeds sure pixels stay what they are; colours are learnt from sure and probable ones
 * @param rounds of learning and cutting
 */
export function grabCut(picture: Rgb, seeds: Seeds, rounds: number): Mask {
  const { width, height } = picture;
  let mask: Mask = { width, height, data: seeds.data.map((seed) => seed & 1) };
  if (!mask.data.includes(0) || !mask.data.includes(1)) return mask; // one of the two has no colours to learn from
  // None between two sure pixels, which no cut can tell apart or join.
  const links = linkNeighbours(picture, GAMMA, (i, j) => seeds.data[i]! >= 2 || seeds.data[j]! >= 2);
  let background = startMixture(picture, mask, 0);
  let foreground = startMixture(picture, mask, 1);
  for (let round = 0; round < rounds; round += 1) {
    background = learnMixture(picture, mask, 0, background);
    foreground = learnMixture(picture, mask, 1, foreground);
    const pull = pullByColour(picture, seeds, background, foreground);
    mask = cutGrid({ width, height, links: links.map((link) => link.slice()), pull });
  }
  return mask;
}

/** Towards the foreground where its colours are likelier. */
function pullByColour({ data }: Rgb, seeds: Seeds, background: Mixture, foreground: Mixture): Float32Array {
  const pull = new Float32Array(seeds.data.length);
  for (let i = 0; i < pull.length; i += 1) {
    const seed = seeds.data[i]!;
    if (seed === SEED.foreground) pull[i] = SURE;
    else if (seed === SEED.background) pull[i] = -SURE;
    else {
      const [r, g, b] = [data[i * 3]!, data[i * 3 + 1]!, data[i * 3 + 2]!];
      pull[i] = logDensity(foreground, r, g, b) - logDensity(background, r, g, b);
    }
  }
  return pull;
}

/** A grid's links: `dear` between two equal neighbours, cheap across an edge; none where `isLinked` says so. */
export function linkNeighbours(
  picture: Rgb,
  dear: number,
  isLinked: (i: number, j: number) => boolean = () => true,
): Float32Array[] {
  const { width, height, data } = picture;
  const contrast = meanContrast(picture);
  const links = Array.from({ length: 8 }, () => new Float32Array(width * height));
  for (const [n, { dx, dy }] of NEIGHBOURS.entries()) {
    const [there, back] = [links[2 * n]!, links[2 * n + 1]!];
    const most = dear / Math.hypot(dx, dy);
    visitPairs(picture, dx, dy, (i, j) => {
      if (isLinked(i, j)) there[i] = back[j] = most * Math.exp(-squareDistance(data, i, j) / (2 * contrast));
    });
  }
  return links;
}

/** Mean squared distance of neighbours' colours. */
function meanContrast(picture: Rgb): number {
  let sum = 0;
  let count = 0;
  for (const { dx, dy } of NEIGHBOURS) {
    visitPairs(picture, dx, dy, (i, j) => {
      sum += squareDistance(picture.data, i, j);
      count += 1;
    });
  }
  return Math.max(1e-6, sum / count);
}

/** Every pixel i and the one dx, dy (0 or 1) from it, where both lie inside. */
function visitPairs({ width, height }: Size, dx: number, dy: number, visit: (i: number, j: number) => void): void {
  for (let y = 0; y < height - dy; y += 1) {
    for (let x = Math.max(0, -dx); x < width - Math.max(0, dx); x += 1) {
      const i = y * width + x;
      visit(i, i + dy * width + dx);
    }
  }
}

function squareDistance(data: Uint8Array, i: number, j: number): number {
  const r = data[i * 3]! - data[j * 3]!;
  const g = data[i * 3 + 1]! - data[j * 3 + 1]!;
  const b = data[i * 3 + 2]! - data[j * 3 + 2]!;
  return r * r + g * g + b * b;
}
