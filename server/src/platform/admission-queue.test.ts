import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { makeAdmissionQueue } from './admission-queue.ts';

// The queue uses `performance.now()` and timers; the tests control both.
beforeEach(() => vi.useFakeTimers({ toFake: ['performance', 'setTimeout', 'clearTimeout'] }));
afterEach(() => vi.useRealTimers());

/** Work that ends on request. */
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
const whoRuns = (works: readonly { isRunning: boolean }[]) => works.map(({ isRunning }) => isRunning);
const place = (size: number, maxWaitMs = 10_000) => ({ size, maxWaitMs });
const BUSY = { code: 'temporarily_unavailable', retryAfterSeconds: 2 };

it('lets in what fits, and the rest in its order', async () => {
  const queue = makeAdmissionQueue({ slots: 9, size: 10 });
  const works = [makeWork(), makeWork(), makeWork(), makeWork()] as const;
  const [large, small, huge, last] = works;
  const all = [
    queue.run(place(7), large.work),
    queue.run(place(3), small.work),
    queue.run(place(99), huge.work),
    queue.run(place(1), last.work),
  ];
  await settle();
  expect(whoRuns(works)).toEqual([true, true, false, false]);
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

it('lets in so many at one time, whoever has to leave first before the others', async () => {
  const queue = makeAdmissionQueue({ slots: 2, size: 100 });
  const works = [makeWork(), makeWork(), makeWork(), makeWork(), makeWork()] as const;
  const [one, two, patient, hasty, alsoHasty] = works;
  const all = [
    queue.run(place(1), one.work),
    queue.run(place(1), two.work),
    queue.run(place(1, 20_000), patient.work),
    queue.run(place(1, 5000), hasty.work),
    queue.run(place(1, 5000), alsoHasty.work),
  ];
  await settle();
  expect(whoRuns(works)).toEqual([true, true, false, false, false]);
  one.end();
  await settle();
  expect(whoRuns(works)).toEqual([true, true, false, true, false]);
  two.end();
  await settle();
  expect(whoRuns(works)).toEqual([true, true, false, true, true]);
  hasty.end();
  await settle();
  expect(patient.isRunning).toBe(true);
  for (const { end } of works) end();
  await Promise.all(all);
});

it('gives room back after a failure', async () => {
  const queue = makeAdmissionQueue({ slots: 1, size: 10 });
  await expect(queue.run(place(10), () => Promise.reject(new Error('broken')))).rejects.toThrow('broken');
  expect(await queue.run(place(10), async () => 'fine')).toBe('fine');
});

it('lets a burst wait for its turn, however long that takes', async () => {
  const queue = makeAdmissionQueue({ slots: 1, size: 1 });
  const long = makeWork();
  const first = queue.run(place(1), long.work);
  const burst = Array.from({ length: 30 }, (_, index) => queue.run(place(1, 1100), async () => index));
  await vi.advanceTimersByTimeAsync(1500);
  long.end();
  await first;
  expect(await Promise.all(burst)).toHaveLength(30);
});

it('lets a burst wait that is read little by little', async () => {
  const queue = makeAdmissionQueue({ slots: 1, size: 1 });
  const long = makeWork();
  const all = [queue.run(place(1), long.work)];
  for (const end = performance.now() + 1500; performance.now() < end; await vi.advanceTimersByTimeAsync(20)) {
    queue.rejectIfOverloaded();
    all.push(queue.run(place(1, 300), async () => undefined));
  }
  await vi.advanceTimersByTimeAsync(700);
  long.end();
  await Promise.all(all);
});

it('under overload, sends away who waited too long, and who would only join them', async () => {
  const queue = makeAdmissionQueue({ slots: 1, size: 1 });
  const long = makeWork();
  const first = queue.run(place(1), long.work);
  expect(() => queue.rejectIfOverloaded(), 'nobody waits yet').not.toThrow();
  const waiting: Promise<unknown>[] = [];
  const end = performance.now() + 2450;
  for (let isRefused = false; !isRefused && performance.now() < end; await vi.advanceTimersByTimeAsync(10)) {
    waiting.push(expect(queue.run(place(1, 300), async () => 'late')).rejects.toMatchObject(BUSY));
    try {
      queue.rejectIfOverloaded();
    } catch (error) {
      expect(error).toMatchObject(BUSY);
      isRefused = true;
    }
  }
  expect(performance.now(), 'joining is refused as soon as there is overload').toBeLessThan(end - 100);
  await vi.advanceTimersByTimeAsync(300);
  await Promise.all(waiting);
  long.end();
  await first;
  await queue.run(place(1), async () => undefined);
  expect(() => queue.rejectIfOverloaded(), 'nobody waits any more').not.toThrow();
});
