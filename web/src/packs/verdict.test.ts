import { describePack, type PackCheck } from '@plinth/contract/packs';
import { describe, expect, it } from 'vitest';
import { findFault, judgeExport, judgePicture, sayFile, sayReady } from './verdict.ts';

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
    [check({ ready: true }), 'Ready'],
    [check({ canFix: true }), 'Adjusted to fit'],
    [check({}), 'This shop wants no picture that a model drew.'],
  ])('claims nothing was mended that lasts', (found, says) => expect(judgeExport(found, true).says).toBe(says));

  it.each([
    [check({ canFix: true }), 'ready'],
    [check({}), 'mend'],
    [check({ refusal: 'cutout_needed', canFix: true }), 'mend'],
    [check({ refusal: 'cutout_needed', ready: true }), 'mend'],
    [check({ refusal: 'cutout_needed' }), 'no'],
    [check({ refusal: 'picture_too_small' }), 'no'],
  ])('follows why there is no file', (found, kind) => expect(judgeExport(found, true).kind).toBe(kind));

  it('says what would be large enough', () => {
    const found = check({ refusal: 'picture_too_small' });
    expect(judgeExport(found, true).says).toBe('Too small. The product needs 225 pixels on its longer side.');
    expect(judgeExport({ ...found, pack: 'instagram-square' }, false).says).toBe(
      'Too small. The picture needs 540 pixels on its shorter side.',
    );
    expect(judgeExport(check({ refusal: 'cutout_needed' }), false).says).toBe(
      'Too small. The product needs 225 pixels on its longer side.',
    );
  });
});

const rule = (part: Partial<PackCheck['rules'][number]>): PackCheck['rules'][number] => ({
  id: 'background-white',
  level: 'must',
  says: 'The background is pure white',
  passed: false,
  measured: '100 % of the background is not 255, 255, 255',
  ...part,
});
const small = rule({
  id: 'size-min',
  level: 'advice',
  says: 'At least 1,600 pixels on the longer side',
  measured: 'the longer side has 900 pixels',
});

describe('what is said of a picture', () => {
  it('names the reason that decides, in words of a seller', () => {
    expect(findFault(check({ canFix: true, rules: [rule({})] }))).toBe('The background is not pure white');
    expect(findFault(check({ refusal: 'picture_too_small', rules: [rule({})] }))).toBe(
      'The product needs 225 pixels on its longer side. The background is not pure white.',
    );
    expect(findFault(check({ ready: true }))).toBeUndefined();
    const drawn = check({ rules: [rule({ id: 'ai-allowed', measured: 'a model drew some of it' })] });
    expect([judgePicture(drawn).says, findFault(drawn)]).toEqual([
      'This shop wants no picture that a model drew.',
      'A model drew some of it',
    ]);
  });

  it('says what would be better where it is taken all the same', () => {
    const found = check({ ready: true, rules: [rule({ passed: true }), small] });
    expect(judgePicture(found)).toEqual({ kind: 'ready', says: 'Accepted, could be better' });
    expect(findFault(found)).toBe('Better: at least 1,600 pixels on the longer side');
  });

  it('says in an export, too, that a shop takes it as it is', () => {
    const found = check({ pack: 'tiktok-shop', ready: true, refusal: 'cutout_needed' });
    expect(judgeExport(found, false).says).toMatch(/^Accepted as it is\. /);
    expect(judgePicture({ ...found, rules: [small] }).says).toMatch(/^Accepted/);
  });

  it('counts marketplaces alone', () => {
    const all = [check({ ready: true }), check({ pack: 'ebay' }), check({ pack: 'transparent-png', ready: true })];
    expect(sayReady(all)).toBe('Ready for 1 of 2 marketplaces');
  });

  it.each([
    [check({ ready: true }), 'ready'],
    [check({ canFix: true, refusal: 'cutout_needed' }), 'mend'],
    [check({ canFix: true }), 'mend'],
    [check({ refusal: 'picture_too_small' }), 'no'],
  ])('follows whether it can be handed in', (found, kind) => expect(judgePicture(found).kind).toBe(kind));
});

it('names the size of a file, where it has one', () => {
  expect(sayFile(describePack('instagram-portrait'))).toBe('JPEG, up to 1080 × 1350');
  expect(sayFile(describePack('transparent-png'))).toBe('PNG, trimmed to the product');
});
