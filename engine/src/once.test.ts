import { expect, it } from 'vitest';
import { once } from './once.ts';

it('loads once, however many ask at a time', async () => {
  let count = 0;
  const load = once(async () => (count += 1));
  expect(await Promise.all([load(), load()])).toEqual([1, 1]);
  expect(await load()).toBe(1);
});

it('forgets what failed: the next one asks again', async () => {
  let count = 0;
  const load = once(async () => {
    count += 1;
    if (count === 1) throw new Error('no file');
    return count;
  });
  const calls = [load(), load()];
  for (const one of calls) await expect(one).rejects.toThrow('no file');
  expect(await load()).toBe(2);
  expect(await load()).toBe(2);
});
