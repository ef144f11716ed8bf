import { expect, it } from 'vitest';
import { makeDecodeBudget } from './decoding.ts';

/** Work that ends when it is told to. */
function makeWork() {
  const state = { isRunning: false, end: (): void => undefined };
  const work = () =>
    new Promise<void>((resolve) => {
      state.isRunning = true;
      state.end = resolve;
    });
  return Object.assign(state, { work });
}
const settle = () => new Promise((resolve) => setImmediate(resolve));

it('lets in what fits, and the rest in its order', async () => {
  const budget = makeDecodeBudget(10, 60_000);
  const [large, small, huge, last] = [makeWork(), makeWork(), makeWork(), makeWork()];
  const all = [
    budget.spend(7, large.work),
    budget.spend(3, small.work),
    budget.spend(99, huge.work),
    budget.spend(1, last.work),
  ];
  await settle();
  expect([large, small, huge, last].map(({ isRunning }) => isRunning)).toEqual([true, true, false, false]);
  small.end();
  await settle();
  expect([huge.isRunning, last.isRunning], 'nobody overtakes').toEqual([false, false]);
  large.end();
  await settle();
  expect([huge.isRunning, last.isRunning], 'more than all is all').toEqual([true, false]);
  huge.end();
  await settle();
  last.end();
  await Promise.all(all);
});

it('sends away who waited too long, and gives room back after a failure', async () => {
  const budget = makeDecodeBudget(10, 20);
  const long = makeWork();
  const first = budget.spend(10, long.work);
  await expect(budget.spend(1, async () => 'late')).rejects.toMatchObject({
    code: 'temporarily_unavailable',
    retryAfterSeconds: 5,
  });
  long.end();
  await first;
  await expect(budget.spend(10, () => Promise.reject(new Error('broken')))).rejects.toThrow('broken');
  expect(await budget.spend(10, async () => 'fine')).toBe('fine');
});
