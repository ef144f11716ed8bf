import { describe, expect, it } from 'vitest';
import { readBrief } from '../src/words/brief.ts';
import { makeScene, type Scene } from '../src/scenes/make-scene.ts';
import { listScenes } from '../src/scenes/strip.ts';
import type { Product } from '../src/scenes/product.ts';

/** How different the tries of a scene look, for every scene there is. */

const UPLOAD = { width: 160, height: 160 };
const BOX = { width: 60, height: 80 };
/** Of 255: with less, two pictures beside each other look the same. */
const SEEN = 10;

/** A grey box in the middle of the photo, without a side from which it is lit. */
function makeBox(): Product {
  const { width, height } = BOX;
  const size = width * height;
  const rgb = new Uint8Array(size * 3).fill(128);
  const alpha = new Uint8Array(size).fill(255);
  return { width, height, left: 50, top: 45, isCut: false, isCutBelow: false, rgb, alpha };
}

/** The same, cut off by a border of the photo. */
const makeCut = (border: 'below' | 'left'): Product =>
  border === 'below'
    ? { ...makeBox(), top: 80, isCut: true, isCutBelow: true }
    : { ...makeBox(), left: 0, isCut: true };

/** Cut off on every side and seen nowhere: what is left is the backdrop. */
const makeNothing = (): Product => ({
  ...makeBox(),
  isCut: true,
  isCutBelow: true,
  alpha: new Uint8Array(BOX.width * BOX.height),
});

const show = (words: string, seed: number, variation?: number, product = makeBox()): Promise<Scene> =>
  makeScene({ product, upload: UPLOAD, brief: readBrief(words), seed, variation });

/** Differences of all pixels outside of the product, of 255. */
function listDifferences(first: Scene, second: Scene): Float64Array {
  const [one, other] = [first.picture, second.picture];
  const isProduct = (at: number) => {
    const [x, y] = [at % one.width, Math.floor(at / one.width)];
    return [first, second].some(({ frame: { left, top }, product: { width, height } }) => {
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

/** Mean of these differences; of a share of them, the largest. */
function mean(differences: Float64Array, share = 1): number {
  const largest = share === 1 ? differences : differences.toSorted().reverse();
  const seen = largest.subarray(0, Math.ceil(differences.length * share));
  return seen.reduce((sum, one) => sum + one, 0) / seen.length;
}

/** Every two of these, once. */
const pairs = <One>(all: One[]): [One, One][] =>
  all.flatMap((one, n) => all.slice(n + 1).map((other): [One, One] => [one, other]));

const words = [
  ...listScenes().map((scene) => scene.words),
  ...['wooden table, morning light', 'marble', 'plain studio, soft shadow', 'in a kitchen', 'stone block, late sun'],
  ...['on a red table', 'in a dark room with warm light'],
];
const whites = ['on a white background', 'white studio', 'product on pure white'];
const MORE = ['wooden table, morning light', 'stone block, late sun', 'marble', 'plain studio, soft shadow'];
/** The first picture and this many of the next tries. */
const tries = async (prompt: string, count: number, product?: Product) => [
  await show(prompt, 7, undefined, product),
  ...(await Promise.all(Array.from({ length: count }, (_, n) => show(prompt, 1_000_001 + n, 1_000_001 + n, product)))),
];

describe('a variation', () => {
  it.each(words)('of "%s" can be told from the first picture and from the other tries at sight', async (prompt) => {
    for (const [one, other] of pairs(await tries(prompt, MORE.includes(prompt) ? 4 : 2)))
      expect(mean(listDifferences(one, other))).toBeGreaterThan(SEEN);
  });

  it.each(whites)('of "%s" stays as white, under another lamp', async (prompt) => {
    const all = await tries(prompt, 4);
    for (const [one, other] of pairs(all)) {
      const differences = listDifferences(one, other);
      // Shadows are a small part of a white picture; all around them it does not change.
      expect(mean(differences, 0.1)).toBeGreaterThan(SEEN);
      expect(differences.toSorted()[Math.floor(differences.length / 2)]).toBeLessThan(SEEN);
    }
    expect(new Set(all.map(({ plate }) => plate.id))).toEqual(new Set(['studio-sweep']));
  });

  it.each(['below', 'left'] as const)(
    'of what the photo cuts off %s has a shadow of its own on white',
    async (border) => {
      const all = await tries('on a white background', 4, makeCut(border));
      const bare = await show('on a white background', 7, undefined, makeNothing());
      for (const one of all) expect(mean(listDifferences(one, bare), 0.1)).toBeGreaterThan(SEEN);
      for (const [one, other] of pairs(all)) expect(mean(listDifferences(one, other), 0.1)).toBeGreaterThan(SEEN / 2);
    },
  );
});
