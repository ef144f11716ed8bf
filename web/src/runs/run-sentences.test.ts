import { tools } from '@plinth/contract/tools';
import { expect, it } from 'vitest';
import { makeRun } from '../../test/makers.ts';
import { sayCounts, sayMissing } from './run-sentences.ts';

const cutout = tools.remover;
const scene = tools['text-to-image'];
const tooSmall = 'picture_too_small';

it('says which marketplaces get no file, and what would be enough for all of them', () => {
  expect(sayMissing(cutout, [])).toEqual([]);
  expect(sayMissing(cutout, [{ pack: 'amazon-main', refusal: tooSmall }])).toEqual([
    'Too small for Amazon, main picture. The product needs 225 pixels on its longer side.',
  ]);
  expect(
    sayMissing(cutout, [
      { pack: 'amazon-main', refusal: tooSmall },
      { pack: 'walmart', refusal: tooSmall },
    ]),
  ).toEqual(['Too small for Amazon, main picture and Walmart. The product needs 990 pixels on its longer side.']);
  expect(
    sayMissing(scene, [
      { pack: 'instagram-portrait', refusal: tooSmall },
      { pack: 'amazon-main', refusal: 'cutout_needed' },
    ]),
  ).toEqual([
    'Too small for Instagram, portrait. The picture needs 675 pixels on its shorter side.',
    'No cut-out for Amazon, main picture. Remove the background first.',
  ]);
});

it('calls nothing ready to the last that lacks a file', () => {
  const counts = { total: 6, queued: 0, running: 0, succeeded: 6, failed: 0, canceled: 0 };
  expect(sayCounts(makeRun({ counts }))).toBe('All 6 pictures ready');
  expect(sayCounts(makeRun({ counts, incomplete: 2 }))).toBe('6 pictures ready, 2 lack a marketplace file');
  expect(sayCounts(makeRun({ counts: { ...counts, total: 7, failed: 1 }, incomplete: 1 }))).toBe(
    '6 of 7 ready, 1 lacks a marketplace file, 1 did not work',
  );
});
