import { expect, test } from 'vitest';
import { measureSpeed, type Done } from './speed.ts';

const SECOND = 1000;
const every = (ms: number, count: number): Done[] =>
  Array.from({ length: count }, (_, n) => ({ at: n * ms, amount: 2 }));

test('what was done in the last minute tells how fast it goes, or since it began where that was later', () => {
  expect(measureSpeed(every(SECOND, 10), 0, 10 * SECOND)).toBe(20 / (10 * SECOND));
  expect(measureSpeed([{ at: 0, amount: 1000 }, ...every(SECOND, 121)], 0, 120 * SECOND)).toBe(122 / (60 * SECOND));
});

test('of little nothing is told', () => {
  expect(measureSpeed(every(SECOND, 2), 0, 10 * SECOND)).toBeNull();
  expect(measureSpeed(every(100, 40), 0, 4 * SECOND)).toBeNull();
  expect(measureSpeed([], 0, 10 * SECOND)).toBeNull();
});
