/** Measures how much the variations of every scene differ. */
import type { Product } from '../src/scenes/product.ts';
import { listPlates } from '../src/scenes/plates.ts';
import { BOX, listDifferences, makeBox, mean, pairs, MIN_VISIBLE_DIFFERENCE, show } from '../test/tries.ts';

const WORDS = [
  ...listPlates().map(({ says }) => says),
  ...['wooden table, morning light', 'marble', 'plain studio, soft shadow', 'in a kitchen', 'stone block, late sun'],
  ...['on a red table', 'in a dark room with warm light'],
];
/** Prompts with four distinct variations in a row; all others have two, because dark sets have less light to vary. */
const FOUR = ['wooden table, morning light', 'marble', 'plain studio, soft shadow', 'stone block, late sun'];
const WHITES = ['on a white background', 'white studio', 'product on pure white'];
/** Products that the photo's border cuts off. */
const CUT: Product[] = [
  { ...makeBox(), top: 80, isCut: true, isCutBelow: true },
  { ...makeBox(), left: 0, isCut: true },
];
/** A cut-off, invisible product: only the backdrop shows. */
const NOTHING: Product = {
  ...makeBox(),
  isCut: true,
  isCutBelow: true,
  alpha: new Uint8Array(BOX.width * BOX.height),
};
/** On white only shadows differ: share of the picture. */
const SHADOWS = 0.1;

/** Makes the first picture and this many variations. */
const tries = async (prompt: string, count: number, product?: Product) => [
  await show(prompt, undefined, product),
  ...(await Promise.all(Array.from({ length: count }, (_, n) => show(prompt, 1_000_001 + n, product)))),
];

/** Returns a sentence per scene with two similar variations, or that does not stay white as requested. */
export async function judgeTries(): Promise<string[]> {
  const faults: string[] = [];
  for (const prompt of WORDS) {
    const all = await tries(prompt, FOUR.includes(prompt) ? 4 : 2);
    const min = Math.min(...pairs(all).map(([one, other]) => mean(listDifferences(one, other))));
    if (min <= MIN_VISIBLE_DIFFERENCE) faults.push(`"${prompt}": two tries look alike (${min.toFixed(1)})`);
  }
  for (const prompt of WHITES) {
    const all = await tries(prompt, 4);
    for (const [one, other] of pairs(all)) {
      const differences = listDifferences(one, other);
      if (mean(differences, SHADOWS) <= MIN_VISIBLE_DIFFERENCE) faults.push(`"${prompt}": two tries look alike`);
      if (differences.toSorted()[differences.length >> 1]! >= MIN_VISIBLE_DIFFERENCE)
        faults.push(`"${prompt}": not only shadows change`);
    }
    if (all.some(({ plate }) => plate.id !== 'studio-sweep')) faults.push(`"${prompt}": not white`);
  }
  const [white = ''] = WHITES;
  const bare = await show(white, undefined, NOTHING);
  for (const product of CUT) {
    const all = await tries(white, 4, product);
    const shadows = all.map((one) => mean(listDifferences(one, bare), SHADOWS));
    const changes = pairs(all).map(([one, other]) => mean(listDifferences(one, other), SHADOWS));
    if (Math.min(...shadows) <= MIN_VISIBLE_DIFFERENCE)
      faults.push('a product that the photo cuts off has no shadow on white');
    if (Math.min(...changes) <= MIN_VISIBLE_DIFFERENCE / 2)
      faults.push('the shadows of a product that the photo cuts off look alike');
  }
  console.log(`tries of ${WORDS.length + WHITES.length} scenes: ${faults.length} faults`);
  return faults;
}
