import { describePack, type PackCheck } from '@plinth/contract/packs';
import { describe, expect, it } from 'vitest';
import { judgeExport, judgePicture, sayFile } from './verdict.ts';

const check = (found: Partial<PackCheck>): PackCheck => ({
  pack: 'amazon-main',
  ready: false,
  canFix: false,
  refusal: null,
  rules: [],
  ...found,
});

describe('what is said of an export', () => {
  it.each([
    [check({}), 'file'],
    [check({ refusal: 'cutout_needed', canFix: true }), 'mend'],
    [check({ refusal: 'cutout_needed' }), 'no'],
    [check({ refusal: 'picture_too_small' }), 'no'],
  ])('follows why there is no file', (found, kind) => expect(judgeExport(found, true).kind).toBe(kind));

  it('says what would be large enough', () => {
    const found = check({ refusal: 'picture_too_small' });
    expect(judgeExport(found, true).says).toBe('Too small. The product needs 900 pixels on its longer side.');
    expect(judgeExport({ ...found, pack: 'instagram-square' }, false).says).toBe(
      'Too small. The picture needs 540 pixels on its shorter side.',
    );
  });
});

describe('what is said of a picture', () => {
  it.each([
    [check({ ready: true }), 'ready'],
    [check({ canFix: true, refusal: 'cutout_needed' }), 'mend'],
    [check({ canFix: true }), 'mend'],
    [check({ refusal: 'picture_too_small' }), 'no'],
  ])('follows whether it can be handed in', (found, kind) => expect(judgePicture(found).kind).toBe(kind));
});

it('names the size of a file, where it has one', () => {
  expect(sayFile(describePack('instagram-portrait'))).toBe('JPEG, 1080 × 1350');
  expect(sayFile(describePack('transparent-png'))).toBe('PNG, trimmed to the product');
});
