import { describe, expect, it } from 'vitest';
import { listScenes } from '../src/scenes/strip.ts';
import type { Product } from '../src/scenes/product.ts';
import { BOX, listDifferences, makeBox, mean, pairs, SEEN, show } from '../test/tries.ts';

/** How different the tries of a scene look, for every scene there is. */

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
