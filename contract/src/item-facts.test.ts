import { expect, it } from 'vitest';
import { altText, isEan, itemFactsSchema } from './item-facts.ts';

const NONE = { heightCm: null, asin: null, ean: null, role: null, handle: null };
const read = (given: object) => itemFactsSchema.safeParse({ ...NONE, ...given });

it.each(['0.1', '.1', '12.5', '1000', '1000.0', '9'])('takes %s cm as a height', (heightCm) => {
  expect(read({ heightCm }).data?.heightCm).toBe(Number(heightCm));
});

it.each([
  '0',
  '',
  '.',
  '12.',
  '0.09',
  '1000.1',
  '10000',
  '12,5 cm',
  '12.5 cm',
  '5"',
  '1e2',
  '-3',
  ' 12',
  'Infinity',
  '0x10',
])('takes no %j as a height', (heightCm) => {
  expect(read({ heightCm }).error?.issues.map(({ path }) => path[0])).toEqual(['heightCm']);
});

it('knows the last digit of an EAN', () => {
  for (const ean of ['4006381333931', '96385074', '036000291452', '10614141000415']) expect(isEan(ean)).toBe(true);
  for (const ean of ['4006381333932', '96385075', '400638133393', '4006381333931 ', 'abcdefgh', ''])
    expect(isEan(ean)).toBe(false);
});

it.each([
  { asin: 'b000123456' },
  { asin: 'B00012345' },
  { role: 'PT09' },
  { role: 'main' },
  { handle: 'Red-mug' },
  { handle: 'red--mug' },
  { handle: '-a' },
  { handle: 'a'.repeat(256) },
  { ean: '123' },
])('takes no %j', (given) => expect(read(given).success).toBe(false));

it('accepts valid facts, and an item without any', () => {
  expect(read({ asin: 'B000123456', role: 'SWATCH', handle: 'red-mug-2', ean: '96385074' }).success).toBe(true);
  expect(read({}).data).toEqual(NONE);
});

it('says what a picture shows in at most 125 characters', () => {
  expect(altText({ sku: 'M-01', filename: 'x.jpg' }, ['marble table', 'soft light'])).toBe(
    'M-01: marble table, soft light',
  );
  expect(altText({ sku: null, filename: 'red_mug-2.png' }, [])).toBe('red mug 2');
  expect(altText({ sku: null, filename: null }, [])).toBe('');
  const long = altText({ sku: 'M-01', filename: null }, ['word '.repeat(60)]);
  expect([...long].length).toBeLessThanOrEqual(125);
  expect(long).toMatch(/^M-01: word .*word…$/);
});
