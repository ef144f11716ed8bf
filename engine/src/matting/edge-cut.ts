// The cheapest closed outline along crisp edges: for products that share their background's colours.
import { boxBlur } from '../pixels/planes.ts';
import { mapBytes } from '../pixels/map.ts';
import { widen } from './geodesic.ts';
import { fillHull } from './hull.ts';
import { cutGrid, type FlowGrid } from './max-flow.ts';
import { close, countOnes, dilate, distanceInside, findRegions, invert, open } from './regions.ts';
import type { Sharpness } from './sharpness.ts';

const LEAST_PRICE = 0.03; // of one pixel of outline on the crispest edge; where there is none it costs 1
const AREA_PULL = 0.012; // per pixel: an area of some thousand pixels weighs like its outline
const FOREIGN_PULL = 0.06;
const CERTAIN_PULL = 50;
const FOREIGN = 6;
const BAND = 5; // px
const MOST_TELLING = 6; // Lab units per pixel
const NOTABLE = 0.0006; // of the picture

export interface EdgeCut {
  mask: Uint8Array;
  /** Of the outline, 0..1: where a crisp edge runs. */
  crisp: number;
}

/** The product in the middle of the picture; `foreign` is how unlike the background a pixel is, in Lab units. */
export function cutAlongEdges(
  sharpness: Sharpness,
  foreign: Float32Array,
  ring: Uint8Array,
  width: number,
  height: number,
): EdgeCut {
  const scale = localScale(sharpness, width, height);
  const rough = cutBetween(sharpness.edges, scale, pullToMiddle(foreign, ring, width, height), width, height);
  const ridges = thinOut(sharpness.edges, width, height);
  const whole = cutBetween(ridges, scale, pullNear(rough, width, height), width, height);
  const smooth = open(close(whole, width, height, 6), width, height, 3);
  const mask = openHandles(smooth, foreign, width, height);
  return { mask, crisp: shareOfCrisp(mask, sharpness.edges, scale, width, height) };
}

/** A strong edge is some pixels wide: the outline must run along its ridge and not cut corners within. */
function thinOut(edges: Float32Array, width: number, height: number): Float32Array {
  const most = widen(edges, width, height, 2);
  return edges.map((edge, i) => Math.min(edge, MOST_TELLING) * (edge / Math.max(1e-6, most[i]!)) ** 3);
}

/** How strong an edge must be to count, pixel by pixel: more on wood grain and carpet than on a wall. */
export function localScale({ edges, noise }: Sharpness, width: number, height: number): Float32Array {
  const root = boxBlur(boxBlur(edges.map(Math.sqrt), width, height, 30), width, height, 30);
  return root.map((value) => 0.4 + Math.max(2.5 * noise, 2.2 * value * value));
}

function cutBetween(
  edges: Float32Array,
  scale: Float32Array,
  pull: Float32Array,
  width: number,
  height: number,
): Uint8Array {
  return cutGrid({ width, height, links: linkPixels(priceEdges(edges, scale), width), pull });
}

/** What a pixel of outline costs: 1 where there is no edge, next to nothing on a crisp one. */
export function priceEdges(edges: Float32Array, scale: Float32Array): Float32Array {
  return edges.map((edge, i) => LEAST_PRICE + Math.exp(-((edge / scale[i]!) ** 2)));
}

/** Leaves open only a band along the outline found so far. */
function pullNear(mask: Uint8Array, width: number, height: number): Float32Array {
  const depth = distanceInside(mask, width, height);
  const away = distanceInside(invert(mask), width, height);
  return depth.map((value, i) => (value > BAND ? CERTAIN_PULL : away[i]! > BAND ? -CERTAIN_PULL : 0));
}

/** Links between neighbours, each as dear as its cheaper end. */
export function linkPixels(price: Float32Array, width: number): FlowGrid['links'] {
  const links = [0, 1, 2, 3].map(() => new Float32Array(price.length)) as FlowGrid['links'];
  for (let i = 0; i < price.length; i += 1) {
    if (i % width < width - 1) links[0][i] = links[1][i + 1] = Math.min(price[i]!, price[i + 1]!);
    if (i + width < price.length) links[2][i] = links[3][i + width] = Math.min(price[i]!, price[i + width]!);
  }
  return links;
}

/** Products stand in the middle, and between whatever of them is plainly not background. */
function pullToMiddle(foreign: Float32Array, ring: Uint8Array, width: number, height: number): Float32Array {
  const parts = foreignParts(foreign, ring, width, height);
  const hull = fillHull(parts, width, height);
  const beyond = distanceInside(invert(hull), width, height);
  const isTelling = countOnes(hull) > 0.05 * hull.length;
  return foreign.map((value, i) => {
    if (ring[i]) return -CERTAIN_PULL;
    const x = ((i % width) / width - 0.5) / 0.36;
    const y = (Math.floor(i / width) / height - 0.52) / 0.38;
    const away = x * x + y * y;
    if (away < 0.02) return CERTAIN_PULL;
    const middle = Math.max(-1, 1 - away);
    const slack = (y > -0.35 ? 0.8 : -0.2) - beyond[i]! / 40; // the top is where backgrounds have lines of their own
    const place = !isTelling
      ? middle
      : hull[i]
        ? 1
        : Math.max(y > 0.3 ? 1 - 0.5 * x * x - y * y : middle - 0.35, slack);
    return AREA_PULL * place + (parts[i] ? FOREIGN_PULL * Math.min(1, (value - 4) / 8) : 0);
  });
}

function foreignParts(foreign: Float32Array, ring: Uint8Array, width: number, height: number): Uint8Array {
  const parts = mapBytes(foreign, (value) => (value > FOREIGN ? 1 : 0));
  for (const { pixels } of findRegions(parts, width, height)) {
    if (pixels.length > NOTABLE * parts.length && !pixels.some((i) => ring[i])) continue;
    for (const i of pixels) parts[i] = 0;
  }
  return parts;
}

const FRAME = 9; // px around a hole that must be product

/** A handle encloses background: quiet, of the background's colours, and framed by what is not of them. */
function openHandles(mask: Uint8Array, foreign: Float32Array, width: number, height: number): Uint8Array {
  const quiet = mask.map((value, i) => (value && foreign[i]! < 3 ? 1 : 0));
  const out = mask.slice();
  for (const { pixels } of findRegions(open(quiet, width, height, 3), width, height)) {
    if (pixels.length < 0.003 * mask.length) continue;
    const hole = new Uint8Array(mask.length);
    for (const i of pixels) hole[i] = 1;
    const frame = dilate(hole, width, height, FRAME).map((value, i) => (value && !hole[i] ? 1 : 0));
    const rim = countOnes(frame);
    let [outside, strange] = [0, 0];
    for (let i = 0; i < frame.length; i += 1) {
      if (!frame[i]) continue;
      if (!mask[i]) outside += 1;
      if (foreign[i]! > FOREIGN) strange += 1;
    }
    if (outside > 0.03 * rim || strange < 0.3 * rim) continue;
    const reach = dilate(hole, width, height, 4);
    for (let i = 0; i < out.length; i += 1) if (reach[i] && foreign[i]! < FOREIGN) out[i] = 0;
  }
  return out;
}

/** Of the mask's outline, 0..1: where an edge runs that is crisp on its local scale. */
export function shareOfCrisp(
  mask: Uint8Array,
  edges: Float32Array,
  scale: Float32Array,
  width: number,
  height: number,
): number {
  let count = 0;
  let crisp = 0;
  for (let y = 2; y < height - 2; y += 1) {
    for (let x = 2; x < width - 2; x += 1) {
      const i = y * width + x;
      if (!mask[i] || (mask[i - 1] && mask[i + 1] && mask[i - width] && mask[i + width])) continue;
      count += 1;
      if (Math.max(edges[i]!, edges[i - 1]!, edges[i + 1]!, edges[i - width]!, edges[i + width]!) > 0.8 * scale[i]!)
        crisp += 1;
    }
  }
  return crisp / Math.max(1, count);
}
