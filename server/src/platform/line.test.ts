import { setTimeout as sleep } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { makeLine } from './line.ts';

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
const whoRuns = (works: readonly { isRunning: boolean }[]) => works.map(({ isRunning }) => isRunning);
const place = (size: number, patienceMs = 10_000) => ({ size, patienceMs });
const BUSY = { code: 'temporarily_unavailable', retryAfterSeconds: 2 };

it('lets in what fits, and the rest in its order', async () => {
  const line = makeLine({ places: 9, size: 10 });
  const works = [makeWork(), makeWork(), makeWork(), makeWork()] as const;
  const [large, small, huge, last] = works;
  const all = [
    line.pass(place(7), large.work),
    line.pass(place(3), small.work),
    line.pass(place(99), huge.work),
    line.pass(place(1), last.work),
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
  const line = makeLine({ places: 2, size: 100 });
  const works = [makeWork(), makeWork(), makeWork(), makeWork(), makeWork()] as const;
  const [one, two, patient, hasty, alsoHasty] = works;
  const all = [
    line.pass(place(1), one.work),
    line.pass(place(1), two.work),
    line.pass(place(1, 20_000), patient.work),
    line.pass(place(1, 5000), hasty.work),
    line.pass(place(1, 5000), alsoHasty.work),
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
  const line = makeLine({ places: 1, size: 10 });
  await expect(line.pass(place(10), () => Promise.reject(new Error('broken')))).rejects.toThrow('broken');
  expect(await line.pass(place(10), async () => 'fine')).toBe('fine');
});

it('lets a crowd that came at once wait for its turn, however long that takes', async () => {
  const line = makeLine({ places: 1, size: 1 });
  const long = makeWork();
  const first = line.pass(place(1), long.work);
  const crowd = Array.from({ length: 30 }, (_, index) => line.pass(place(1, 1100), async () => index));
  await sleep(1500);
  long.end();
  await first;
  expect(await Promise.all(crowd)).toHaveLength(30);
});

it('lets a crowd wait that is heard little by little', async () => {
  const line = makeLine({ places: 1, size: 1 });
  const long = makeWork();
  const all = [line.pass(place(1), long.work)];
  for (const end = performance.now() + 1500; performance.now() < end; await sleep(20)) {
    line.refuseJoining();
    all.push(line.pass(place(1, 300), async () => undefined));
  }
  await sleep(700);
  long.end();
  await Promise.all(all);
});

it('while ever more are coming, sends away who waited too long, and who would only join them', async () => {
  const line = makeLine({ places: 1, size: 1 });
  const long = makeWork();
  const first = line.pass(place(1), long.work);
  expect(() => line.refuseJoining(), 'nobody waits yet').not.toThrow();
  const waiting: Promise<unknown>[] = [];
  const end = performance.now() + 2450;
  for (let isRefused = false; !isRefused && performance.now() < end; await sleep(10)) {
    waiting.push(expect(line.pass(place(1, 300), async () => 'late')).rejects.toMatchObject(BUSY));
    try {
      line.refuseJoining();
    } catch (error) {
      expect(error).toMatchObject(BUSY);
      isRefused = true;
    }
  }
  expect(performance.now(), 'joining is refused at once when the storm is one').toBeLessThan(end - 100);
  await Promise.all(waiting);
  long.end();
  await first;
  await line.pass(place(1), async () => undefined);
  expect(() => line.refuseJoining(), 'nobody waits any more').not.toThrow();
});
