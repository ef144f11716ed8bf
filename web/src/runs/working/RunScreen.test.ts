import { expect, test } from 'vitest';
import { makeRun } from '../../../test/makers.ts';
import type { Photo } from '../photos.ts';
import { FRESH } from '../photos.ts';
import { countToCome } from './RunScreen.tsx';

const photosOf = (...states: Photo['state'][]): Photo[] =>
  states.map((state, at) => ({
    ...FRESH,
    ...{ id: `p${at}`, runId: 'run_1', name: 'a.jpg', path: 'a.jpg', type: 'image/jpeg', bytes: 5, addedAt: 1, state },
  }));
const toCome = (total: number, states: Photo['state'][], status: 'open' | 'closed' = 'open') => {
  const { counts } = makeRun();
  return countToCome(makeRun({ status, counts: { ...counts, total } }), photosOf(...states));
};

test.each<[when: string, total: number, states: Photo['state'][], left: number]>([
  ['none has arrived', 0, ['waiting', 'waiting', 'waiting'], 3],
  ['two have arrived, and no answer yet', 2, ['waiting', 'waiting', 'waiting'], 1],
  ['all have arrived, and no answer yet', 3, ['waiting', 'waiting', 'waiting'], 0],
  ['one was answered, and the counts do not tell of it yet', 0, ['sent', 'waiting', 'waiting'], 3],
  ['one was answered', 1, ['sent', 'waiting', 'waiting'], 2],
  ['one was refused', 1, ['sent', 'waiting', 'refused'], 1],
  ['others came by the API', 9, ['waiting', 'waiting'], 2],
])('every photo is counted once: %s', (_when, total, states, left) => {
  expect(toCome(total, states)).toBe(left);
});

test('nothing is to come of what was sent to a run that is closed', () => {
  expect(toCome(2, ['sent', 'sent', 'sent'], 'closed')).toBe(0);
});
