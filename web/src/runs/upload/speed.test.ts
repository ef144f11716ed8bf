import { expect, test } from 'vitest';
import { dropOldSamples, measureSpeed, type ProgressSample } from './speed.ts';

const SECOND = 1000;
const every = (ms: number, count: number): ProgressSample[] =>
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

test('what is long done is forgotten, and the speed is the same without it', () => {
  const done = Array.from({ length: 1000 }, (_none, second) => ({ at: second * 1000, amount: second }));
  const now = 1_000_500;
  const left = dropOldSamples(done, now);
  expect(left).toHaveLength(60);
  expect(measureSpeed(left, left[0]!.at, now)).toBe(measureSpeed(done, 0, now));
  expect(dropOldSamples(left, 2 * now)).toEqual([done.at(-1)]);
  expect(dropOldSamples(done.slice(0, 3), 4000)).toHaveLength(3);
});
