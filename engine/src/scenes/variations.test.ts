import { describe, expect, it } from 'vitest';
import { readBrief } from './brief.ts';
import { makeScene, type Scene } from './make-scene.ts';
import { listScenes } from './strip.ts';
import type { Product } from './product.ts';

const UPLOAD = { width: 320, height: 320 };
/** Of 255: with less, two pictures beside each other look the same. */
const SEEN = 10;

/** A grey box in the middle of the photo, without a side from which it is lit. */
function makeBox(): Product {
  const [width, height] = [120, 160];
  const size = width * height;
  const rgb = new Uint8Array(size * 3).fill(128);
  return { width, height, left: 100, top: 90, isCut: false, rgb, alpha: new Uint8Array(size).fill(255) };
}

const show = (words: string, seed: number, variation?: number): Promise<Scene> =>
  makeScene({ product: makeBox(), upload: UPLOAD, brief: readBrief(words, ''), take: 0, seed, variation });

/** Mean difference of all pixels outside of the product, of 255. */
function differ({ picture: one, frame }: Scene, { picture: other }: Scene): number {
  const isProduct = (at: number) => {
    const [x, y] = [at % one.width, Math.floor(at / one.width)];
    return x >= frame.left && x < frame.left + 120 && y >= frame.top && y < frame.top + 160;
  };
  let sum = 0;
  let count = 0;
  for (let at = 0; at < one.width * one.height; at += 1) {
    if (isProduct(at)) continue;
    count += 3;
    for (let c = 0; c < 3; c += 1) sum += Math.abs(one.data[at * 3 + c]! - other.data[at * 3 + c]!);
  }
  return sum / count;
}

const words = [
  ...listScenes().map((scene) => scene.words),
  ...['wooden table, morning light', 'marble', 'plain studio, soft shadow', 'in a kitchen', 'stone block, late sun'],
  ...['on a white background', 'on a red table', 'in a dark room with warm light'],
];

describe('a variation', () => {
  it.each(words)('of "%s" can be told from the first picture at sight', async (prompt) => {
    const first = await show(prompt, 7);
    for (const seed of [1_000_001, 1_000_002]) {
      const variation = await show(prompt, seed, seed);
      // White stays white: only the view of it may change.
      expect(differ(first, variation)).toBeGreaterThan(/white/.test(prompt) ? 1 : SEEN);
    }
  });

  it('is the same picture for the same number', async () => {
    const [one, other] = [await show('marble', 5, 5), await show('marble', 5, 5)];
    expect(one.picture).toEqual(other.picture);
  });
});
