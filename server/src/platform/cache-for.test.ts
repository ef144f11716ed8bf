import { expect, it } from 'vitest';
import { cacheFor } from './cache-for.ts';

it('reads anew when its time has passed, and when the clock was set back', async () => {
  let at = 10_000_000;
  let reads = 0;
  const read = cacheFor(1000, { now: () => new Date(at) }, async () => (reads += 1));
  const values: number[] = [];
  for (const step of [0, 999, 1, -3_600_000, 500]) {
    at += step;
    values.push(await read());
  }
  expect(values).toEqual([1, 1, 2, 3, 3]);
});
