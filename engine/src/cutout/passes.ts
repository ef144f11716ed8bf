/** Detects the product by the inference passes that the network's card prescribes. */
import { boxBlur } from '../pixels/blur.ts';
import { countOnes, findBox, keepLargeParts, overlap, threshold } from '../pixels/mask.ts';
import { makePlane, mapFloats, type Plane, type Rgb, type Size } from '../pixels/plane.ts';
import { resizePlane } from '../pixels/sample.ts';
import type { SecondPass, Card, Softness } from './card.ts';
import { drawMarks, toShares, type Marks, type ShareBox } from './marks.ts';

/**
 * Runs a pass per side of the card, then again with a box around what they detected. The user's box replaces that box;
 * dots are passed along. Returns alpha 0..1 of the whole picture, resized to a square, and its uncertainty as a score,
 * whose threshold is the card's `askAbove`.
 */
export async function detectProduct(network: Network, picture: Rgb, marks?: Marks) {
  const { card } = network;
  const first = await runPasses(network, picture, marks);
  const box = marks?.box || !card.again ? undefined : boxAround(mean(first, card.measuredAt), card.again);
  const again = box ? await runPasses(network, picture, { ...marks, box }) : first;
  const alpha = mean(again, Math.max(...card.sides));
  return { alpha, score: measureScore(network, first === again ? first : [...first, ...again], alpha) };
}

async function runPasses(network: Network, picture: Rgb, marks: Marks | undefined): Promise<Plane[]> {
  const passes: Plane[] = [];
  for (const side of network.card.sides) {
    const size = { width: side, height: side };
    const image = toPlanes(await network.squeeze(picture, size));
    const drawn = marks ? drawMarks(marks, picture, size) : new Float32Array(image.length);
    passes.push(await network.infer(image, drawn, size));
  }
  return passes;
}

/** Converts interleaved bytes to three planes of values 0..1. */
export function toPlanes({ width, height, data }: Rgb): Float32Array {
  const area = width * height;
  const planes = new Float32Array(3 * area);
  for (let i = 0; i < area; i += 1) {
    for (let c = 0; c < 3; c += 1) planes[c * area + i] = data[i * 3 + c]! / 255;
  }
  return planes;
}

function mean(passes: readonly Plane[], side: number): Plane {
  const out = makePlane({ width: side, height: side });
  for (const pass of passes) {
    const { data } = resizePlane(pass, out);
    for (let i = 0; i < data.length; i += 1) out.data[i]! += data[i]! / passes.length;
  }
  return out;
}

function boxAround(alpha: Plane, { minShare, padding }: SecondPass): ShareBox | undefined {
  const box = findBox(keepLargeParts(threshold(alpha, 0.5), minShare), Math.floor(padding * alpha.width));
  return box && toShares(box, alpha);
}

function measureScore({ card }: Network, passes: readonly Plane[], result: Plane): number {
  const square = { width: card.measuredAt, height: card.measuredAt };
  const alpha = resizePlane(result, square);
  const shown = threshold(alpha, 0.5);
  const agreements = passes.map((pass) => overlap(threshold(resizePlane(pass, square), 0.5), shown));
  const agreement = agreements.reduce((sum, value) => sum + value, 0) / agreements.length;
  return measureSoftness(alpha, card.softness) + 1 - agreement;
}

/** The share of soft pixels, after erosion, among pixels with alpha above `shareOf`; 1 if there are none. */
function measureSoftness(alpha: Plane, { above, below, erosion, shareOf }: Softness): number {
  const isSoft = mapFloats(alpha.data, (value) => (value > above && value < below ? 1 : 0));
  // erosion by a square: the mean within it is 1; outside the picture counts as soft
  const around = boxBlur({ ...alpha, data: isSoft }, (erosion - 1) / 2);
  const shownCount = countOnes(threshold(alpha, shareOf));
  return shownCount === 0 ? 1 : countOnes(threshold(around, 1 - 1e-6)) / shownCount;
}

/** A cut-out network of our own kind, with its card. */
export type Network = {
  card: Card;
  /** Resizes a picture, ignoring its aspect ratio: by sharp in the engine, by a canvas in the browser. */
  squeeze: (picture: Rgb, size: Size) => Promise<Rgb>;
  /**
   * Returns alpha 0..1. `image` and `marks`: three planes of `size`, values 0..1 (red, green, blue; box, keep, drop).
   * Both sides are multiples of 32. @throws BadNetwork
   */
  infer: (image: Float32Array, marks: Float32Array, size: Size) => Promise<Plane>;
};
