import { expect, test } from 'vitest';
import { formatElapsed, formatKilobytes, formatPrice, formatRemaining, formatSize, plural } from './format.ts';

const MINUTE = 60_000;

test.each([
  [48 * 60 * MINUTE - 1, '47 h 59 min'],
  [39 * 60 * MINUTE + 2 * MINUTE, '39 h 02 min'],
  [60 * MINUTE, '1 h 00 min'],
  [60 * MINUTE - 1, '59 min'],
  [30_000, '1 min'],
])('%i ms remaining reads %s', (ms, text) => {
  expect(formatRemaining(ms)).toBe(text);
});

test.each([
  [14_999, '0:14'],
  [102_000, '1:42'],
  [-5, '0:00'],
])('%i ms elapsed reads %s', (ms, text) => {
  expect(formatElapsed(ms)).toBe(text);
});

test('prices, sizes and counts read as a person writes them', () => {
  expect([formatPrice(1500), formatPrice(75)]).toEqual(['$15', '$0.75']);
  expect([2_373_632, 3, 0].map(formatKilobytes)).toEqual(['2,318 KB', '1 KB', '0 KB']);
  expect([0, 36_000, 700_000, 20_000_000].map(formatSize)).toEqual(['0 KB', '35 KB', '0.7 MB', '19 MB']);
  expect([plural(1, 'credit'), plural(5, 'credit')]).toEqual(['1 credit', '5 credits']);
});
