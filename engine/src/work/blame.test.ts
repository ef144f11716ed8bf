import { describe, expect, it } from 'vitest';
import type { NetworkSettings } from '../cutout/network-settings.ts';
import { Networks, type Death } from './networks.ts';
import type { NetworkOwner, Task } from './task.ts';

/** Who is to blame when a worker dies; how that looks from outside is tested in networks.test.ts. */

const OPERATORS = { path: '/networks/theirs.onnx' } as NetworkSettings;
const task = (isRepeated = false): Task => ({
  jobId: 'one',
  app: 'any',
  input: {},
  pictures: {},
  folder: '',
  isRepeated,
});
const death = (changes: Partial<Death> = {}): Death => ({
  how: 'exit SIGSEGV',
  loading: new Set<NetworkOwner>(),
  stopReason: undefined,
  task: task(),
  ...changes,
});
const loading = (...whose: NetworkOwner[]) => new Set(whose);

describe("the operator's network", () => {
  it('is given to every first attempt, and to none after a worker died of it', () => {
    const networks = new Networks(OPERATORS);
    expect(networks.chooseFor(task())).toEqual(OPERATORS);
    expect(networks.chooseFor(task(true))).toBeUndefined();
    expect(new Networks(undefined).chooseFor(task())).toBeUndefined();
  });

  it('is known to have been tried once a worker has it', () => {
    const networks = new Networks(OPERATORS);
    networks.hear('operator', { state: 'loading' });
    expect(networks.chooseFor(task())).not.toHaveProperty('isTried');
    networks.hear('operator', { state: 'ready' });
    expect(networks.chooseFor(task())).toEqual({ ...OPERATORS, isTried: true });
  });

  it('is given up at once when it cannot be used, or ends the worker that loads it', () => {
    const [unfit, deadly] = [new Networks(OPERATORS), new Networks(OPERATORS)];
    unfit.hear('operator', { state: 'failed', reason: 'no network' });
    expect(deadly.blame(death({ loading: loading('operator') }))).toBe(true);
    for (const networks of [unfit, deadly]) expect(networks.chooseFor(task())).toBeUndefined();
  });

  it('is given up when three workers in a row die over it, and each of their tasks is tried again', () => {
    const networks = new Networks(OPERATORS);
    for (const isLast of [false, false, true]) {
      expect(networks.blame(death())).toBe(true);
      expect(networks.chooseFor(task()) === undefined).toBe(isLast);
    }
    expect(networks.blame(death())).toBe(false);
  });

  it('is trusted again after a task that was done with it, not after one without it', () => {
    const networks = new Networks(OPERATORS);
    for (let n = 0; n < 5; n += 1) {
      networks.blame(death());
      networks.blame(death());
      networks.hearDone(task());
    }
    expect(networks.chooseFor(task())).toEqual(OPERATORS);
    networks.blame(death());
    networks.blame(death());
    networks.hearDone(task(true));
    networks.blame(death());
    expect(networks.chooseFor(task())).toBeUndefined();
  });

  it.each<[string, Partial<Death>]>([
    ['is repeated, and so was without it', { task: task(true) }],
    ['was cancelled', { stopReason: 'cancelled' }],
    ['was cancelled while it loaded', { stopReason: 'cancelled', loading: loading('operator') }],
    ['ended because the engine closes', { stopReason: 'closing' }],
    ['was none at all', { task: undefined }],
  ])('is not to blame when the task %s', (_, changes) => {
    const networks = new Networks(OPERATORS);
    for (let n = 0; n < 5; n += 1) expect(networks.blame(death(changes))).toBe(false);
    expect(networks.chooseFor(task())).toEqual(OPERATORS);
  });

  it('is to blame when a task takes too long with it', () => {
    expect(new Networks(OPERATORS).blame(death({ stopReason: 'time_limit' }))).toBe(true);
    expect(new Networks(undefined).blame(death({ stopReason: 'time_limit' }))).toBe(false);
  });
});

describe('our own network', () => {
  it('is loaded ahead until a worker has died of that', () => {
    const networks = new Networks(undefined);
    expect(networks.mayWarm).toBe(true);
    expect(networks.blame(death({ loading: loading('own') }))).toBe(false);
    expect(networks.mayWarm).toBe(false);
  });

  it('is loaded ahead no more where it is unfit', () => {
    const networks = new Networks(OPERATORS);
    networks.hear('own', { state: 'failed', reason: 'damaged' });
    expect(networks.mayWarm).toBe(false);
    expect(networks.chooseFor(task())).toEqual(OPERATORS);
  });

  it('is not to blame where both were loading: nobody has seen the other one work', () => {
    const networks = new Networks(OPERATORS);
    expect(networks.blame(death({ loading: loading('own', 'operator') }))).toBe(true);
    expect(networks.mayWarm).toBe(true);
    expect(networks.chooseFor(task())).toBeUndefined();
  });

  it('is not to blame for a task that is too slow by itself', () => {
    const networks = new Networks(undefined);
    expect(networks.blame(death({ stopReason: 'time_limit' }))).toBe(false);
    expect(networks.mayWarm).toBe(true);
  });
});
