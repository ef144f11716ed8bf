import { expect, test } from 'vitest';
import type { ToolEntry } from '@plinth/contract/generations';
import type { PackId } from '@plinth/contract/pack-names';
import { tools, type ToolId } from '@plinth/contract/tools';
import { makePhoto } from '../../../test/photos.ts';
import type { RunForm } from '../run-form.ts';
import { sumUpSizeWarnings, findPhotoProblems, findSizeWarnings } from './check-photos.ts';

const builtIn: ToolEntry = {
  id: 'remover',
  name: 'Remover',
  cost: 1,
  mediaType: 'product_image',
  servedBy: { kind: 'built-in', name: 'Plinth engine' },
  returnable: true,
  fields: [{ name: 'image', type: 'image', required: true, minSide: 64, maxSide: 16_384, maxRatio: 8 }],
};
const UNREADABLE = 'Failed to load image. Please try another file.';

const problemOf = (width: number, height: number, entry?: ToolEntry) =>
  findPhotoProblems([makePhoto('mug', { size: { width, height } })], tools.remover, entry).get('mug')?.says;

test('a photo that cannot be read is told before the start, one whose size is not known is not', () => {
  const problems = findPhotoProblems([makePhoto('text', { size: null }), makePhoto('mug')], tools.remover, builtIn);
  expect([...problems]).toEqual([['text', { says: UNREADABLE, about: 'file' }]]);
});

test.each([
  [64, 512, undefined],
  [63, 400, 'Use a picture of at least 64 pixels on each side.'],
  [15, 15, 'Use a picture of at least 64 pixels on each side.'],
  [64, 513, UNREADABLE],
  [20_000, 100, UNREADABLE],
  [16_385, 16_000, UNREADABLE],
  [8001, 8000, UNREADABLE],
])('of a photo of %i × %i pixels it is told whether what serves the tool takes it', (width, height, says) => {
  expect(problemOf(width, height, builtIn)).toBe(says);
});

test('while nobody knows what serves the tool, the limits of every picture count', () => {
  expect([problemOf(63, 900), problemOf(15, 400)]).toEqual([
    undefined,
    'Use a picture of at least 16 pixels on each side.',
  ]);
});

const makeForm = (tool: ToolId, packs: PackId[]): RunForm => ({
  name: 'Mugs',
  tool,
  texts: {},
  packs,
  lookId: null,
  heightCm: '',
});
const photo = (longer: number, shorter = longer) => ({ id: `${longer}`, size: { width: shorter, height: longer } });
const foresee = (tool: ToolId, packs: PackId[], ...sides: number[]) =>
  findSizeWarnings(
    sides.map((side) => photo(side)),
    tools[tool],
    makeForm(tool, packs),
  );

const doubts = (sizeWarnings: ReturnType<typeof foresee>) =>
  Object.fromEntries([...sizeWarnings].map(([id, { sure, maybe }]) => [id, { sure, maybe }]));

test('is sure where not even a product that fills its photo would be large enough', () => {
  const sizeWarnings = foresee('remover', ['amazon-main'], 224, 225, 299, 300);
  expect(doubts(sizeWarnings)).toEqual({
    224: { sure: ['amazon-main'], maybe: [] },
    225: { sure: [], maybe: ['amazon-main'] },
    299: { sure: [], maybe: ['amazon-main'] },
  });
});

test('never promises the size of a scene, which may be smaller than its photo', () => {
  const sizeWarnings = foresee('text-to-image', ['etsy'], 600, 1333, 1334);
  expect(doubts(sizeWarnings)).toEqual({
    600: { sure: [], maybe: ['etsy'] },
    1333: { sure: [], maybe: ['etsy'] },
  });
});

test('says nothing of what nobody can know, or nobody asked for', () => {
  expect(foresee('remover', [], 100).size).toBe(0);
  expect(foresee('remover', ['transparent-png'], 100).size).toBe(0);
  expect(foresee('headshot-generator', ['etsy'], 100).size).toBe(0);
  expect(foresee('image-to-video', ['etsy'], 100).size).toBe(0);
  // Chosen for cut-outs before, and still in the form.
  expect(foresee('text-to-image', ['amazon-main'], 100).size).toBe(0);
  expect(findSizeWarnings([{ id: 'unread' }], tools.remover, makeForm('remover', ['etsy'])).size).toBe(0);
});

test('names the marketplaces, what is needed, what the photo has, and what helps', () => {
  const say = (tool: ToolId, packs: PackId[], longer: number, shorter = longer) => {
    const [[, one] = []] = findSizeWarnings([photo(longer, shorter)], tools[tool], makeForm(tool, packs));
    return one?.says;
  };
  expect(say('remover', ['amazon-main', 'etsy'], 200)).toBe(
    'Too small for Amazon, main picture and Etsy. The product needs 800 pixels on its longer side, this photo has 200. Use a larger one.',
  );
  expect(say('remover', ['walmart', 'etsy'], 850)).toBe(
    'Too small for Walmart. The product needs 990 pixels on its longer side, this photo has 850. ' +
      'May be too small for Etsy. The product needs 800 pixels on its longer side, this photo has 850. Use a larger one.',
  );
  expect(say('text-to-image', ['instagram-square'], 1200, 500)).toBe(
    'May be too small for Instagram, square. The picture needs 540 pixels on its shorter side, this photo has 500. A larger one is safe.',
  );
});

test('counts the photos by what they are too small for', () => {
  expect(sumUpSizeWarnings(foresee('remover', ['etsy', 'walmart'], 500, 600, 950, 2000))).toEqual([
    '2 photos are too small for Etsy.',
    '3 photos are too small for Walmart.',
    '1 photo may be too small for Etsy.',
  ]);
  expect(sumUpSizeWarnings(foresee('remover', ['amazon-main', 'etsy'], 200))).toEqual([
    '1 photo is too small for Amazon, main picture and Etsy.',
  ]);
  expect(sumUpSizeWarnings(new Map())).toEqual([]);
});
