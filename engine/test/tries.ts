import { makeScene, type Scene } from '../src/scenes/make-scene.ts';
import { scaleSize } from '../src/pixels/plane.ts';
import type { Product } from '../src/scenes/product.ts';
import { readBrief } from '../src/words/brief.ts';

/** Variations of a scene, and how much they differ. */

const UPLOAD = { width: 160, height: 160 };
export const BOX = { width: 60, height: 80 };
/** Of 255: below it two adjacent pictures look the same. */
export const MIN_VISIBLE_DIFFERENCE = 10;

/** A grey box at the photo's centre, lit from no side. */
export function makeBox(): Product {
  const { width, height } = BOX;
  const size = width * height;
  const rgb = new Uint8Array(size * 3).fill(128);
  const alpha = new Uint8Array(size).fill(255);
  return { width, height, left: 50, top: 45, isCut: false, isCutBelow: false, data: rgb, alpha };
}

export const show = (words: string, variation?: number, product = makeBox()): Promise<Scene> =>
  makeScene({ product, upload: UPLOAD, brief: readBrief(words), variation });

/** Differences of all pixels outside the product, of 255. */
export function listDifferences(first: Scene, second: Scene): Float64Array {
  const [one, other] = [first.picture, second.picture];
  const isProduct = (at: number) => {
    const [x, y] = [at % one.width, Math.floor(at / one.width)];
    return [first, second].some(({ frame: { left, top, productScale }, product }) => {
      const { width, height } = scaleSize(product, productScale);
      return x >= left && x < left + width && y >= top && y < top + height;
    });
  };
  const differences = new Float64Array(one.width * one.height);
  let count = 0;
  for (let at = 0; at < one.width * one.height; at += 1) {
    if (isProduct(at)) continue;
    let sum = 0;
    for (let c = 0; c < 3; c += 1) sum += Math.abs(one.data[at * 3 + c]! - other.data[at * 3 + c]!);
    differences[count] = sum / 3;
    count += 1;
  }
  return differences.subarray(0, count);
}

/** The mean of these differences, or of a share with the largest ones. */
export function mean(differences: Float64Array, share = 1): number {
  const largest = share === 1 ? differences : differences.toSorted().reverse();
  const counted = largest.subarray(0, Math.ceil(differences.length * share));
  return counted.reduce((sum, one) => sum + one, 0) / counted.length;
}

/** Every pair, once. */
export const pairs = <One>(all: One[]): [One, One][] =>
  all.flatMap((one, n) => all.slice(n + 1).map((other): [One, One] => [one, other]));
