import { expect, test } from 'vitest';
import type { ToolEntry } from '@plinth/contract/generations';
import { tools } from '@plinth/contract/tools';
import { makePhoto } from '../../../test/photos.ts';
import { findPhotoProblems } from './photo-problems.ts';

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
  [15, 400, UNREADABLE],
  [64, 513, 'Use a picture whose longer side is at most 8 times the shorter.'],
  [20_000, 100, 'Use a picture whose longer side is at most 8 times the shorter.'],
  [16_385, 16_000, UNREADABLE],
  [8001, 8000, UNREADABLE],
])('of a photo of %i × %i pixels it is told whether what serves the tool takes it', (width, height, says) => {
  expect(problemOf(width, height, builtIn)).toBe(says);
});

test('while nobody knows what serves the tool, the limits of every picture count', () => {
  expect([problemOf(63, 900), problemOf(15, 400)]).toEqual([undefined, UNREADABLE]);
});
