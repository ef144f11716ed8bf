import { expect, it } from 'vitest';
import { once } from './once.ts';

it('loads once for concurrent calls', async () => {
  let count = 0;
  const load = once(async () => (count += 1));
  expect(await Promise.all([load(), load()])).toEqual([1, 1]);
  expect(await load()).toBe(1);
});

it('retries after a failure', async () => {
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
