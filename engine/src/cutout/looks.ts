/** What the network says of a picture at several sizes, which of it to use, and how far to believe it. */
import { resizePlane } from '../pixels/resize.ts';
import type { Plane, Rgb, Size } from '../pixels/plane.ts';
import { evaluate, type Card, type Look, type Softness } from './card.ts';
import { drawMarks, type Marks } from './marks.ts';
import type { Network } from './network.ts';

/** One look of the network: the cover, squeezed to a square of the look's side. */
export async function lookAt(network: Network, picture: Rgb, look: Look, marks?: Marks): Promise<Plane> {
  const { side, mirrored } = look;
  return lookAtSize(network, picture, { width: side, height: side }, marks, mirrored);
}

/** One look at any size whose sides are multiples of 32. */
export async function lookAtSize(
  network: Network,
  picture: Rgb,
  size: Size,
  marks?: Marks,
  isMirrored = false,
): Promise<Plane> {
  const image = mirrorIf(isMirrored, toPlanes(await network.squeeze(picture, size)), size);
  const drawn = marks ? mirrorIf(isMirrored, drawMarks(marks, picture, size), size) : new Float32Array(image.length);
  const { data } = await network.infer(image, drawn, size);
  return { ...size, data: mirrorIf(isMirrored, data, size) };
}

/** Interleaved bytes as three planes of values 0..1. */
function toPlanes({ width, height, data }: Rgb): Float32Array {
  const area = width * height;
  const planes = new Float32Array(3 * area);
  for (let i = 0; i < area; i += 1) {
    for (let c = 0; c < 3; c += 1) planes[c * area + i] = data[i * 3 + c]! / 255;
  }
  return planes;
}

function mirrorIf(isMirrored: boolean, planes: Float32Array, { width }: Size): Float32Array {
  if (!isMirrored) return planes;
  const out = planes.slice();
  for (let at = 0; at < out.length; at += width) out.subarray(at, at + width).reverse();
  return out;
}

export type Opinion = {
  /** The cover of the look that was picked, at that look's own size. */
  alpha: Plane;
  /** How doubtful the picture is as a whole: compared with the card's `refuseAbove`. */
  score: number;
  leastAgreement: number;
  softness: number;
};

/** Compares looks of one picture and picks one, by the rules of the card. */
export function weighLooks(card: Card, alphas: readonly Plane[]): Opinion {
  const side = card.measuredAt;
  const brought = alphas.map((alpha) => resizePlane(alpha, { width: side, height: side }).data);
  const median = takeMedian(brought);
  const agreements = brought.map((alpha) => overlapOf(alpha, median));
  const softnesses = brought.map((alpha) => measureSoftness(alpha, side, card.softness));
  const values = agreements.map((agreement, i) => evaluate(card.pick, { agreement, softness: softnesses[i]! }));
  const picked = values.indexOf(Math.max(...values));
  const softness = measureSoftness(median, side, card.softness);
  const score = evaluate(card.score, {
    'softness of the pixelwise median of all looks': softness,
    'softness of the chosen look': softnesses[picked]!,
    'mean softness': mean(softnesses),
    'mean agreement': mean(agreements),
    'least agreement': Math.min(...agreements),
  });
  return { alpha: alphas[picked]!, score, softness, leastAgreement: Math.min(...agreements) };
}

function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}

function takeMedian(planes: readonly Float32Array[]): Float32Array {
  const out = new Float32Array(planes[0]!.length);
  const middle = (planes.length - 1) / 2;
  const values = new Float32Array(planes.length);
  for (let i = 0; i < out.length; i += 1) {
    for (let n = 0; n < values.length; n += 1) values[n] = planes[n]![i]!;
    values.sort();
    out[i] = (values[Math.floor(middle)]! + values[Math.ceil(middle)]!) / 2;
  }
  return out;
}

/** Intersection over union of what is covered by half and more; two that show nothing agree. */
function overlapOf(one: Float32Array, other: Float32Array): number {
  let [both, either] = [0, 0];
  for (let i = 0; i < one.length; i += 1) {
    const inOne = one[i]! >= 0.5;
    const inOther = other[i]! >= 0.5;
    if (inOne && inOther) both += 1;
    if (inOne || inOther) either += 1;
  }
  return either === 0 ? 1 : both / either;
}

/** Soft pixels that have only soft ones around them, as a share of what is covered at all; 1 where nothing is. */
function measureSoftness(alpha: Float32Array, side: number, rule: Softness): number {
  const { above, below, erosion, shareOf } = rule;
  const reach = (erosion - 1) / 2;
  const isSoft = (i: number) => alpha[i]! > above && alpha[i]! < below;
  let [soft, covered] = [0, 0];
  // Runs of soft pixels along the row, then down the column: an erosion by a square in two passes.
  const along = new Uint8Array(alpha.length);
  for (let i = 0; i < alpha.length; i += 1) {
    if (alpha[i]! > shareOf) covered += 1;
    along[i] = isSoft(i) ? Math.min(255, (i % side === 0 ? 0 : along[i - 1]!) + 1) : 0;
  }
  const down = new Uint16Array(side);
  for (let y = 0; y < side; y += 1) {
    for (let x = 0; x < side; x += 1) {
      const end = x + reach;
      const isRowSoft = end < side && along[y * side + end]! >= erosion;
      down[x] = isRowSoft ? down[x]! + 1 : 0;
      if (down[x]! >= erosion) soft += 1;
    }
  }
  return covered === 0 ? 1 : soft / covered;
}
