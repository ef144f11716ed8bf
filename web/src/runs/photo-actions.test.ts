import { expect, test } from 'vitest';
import { makeRun } from '../../test/makers.ts';
import { makePhoto } from '../../test/photos.ts';
import { countWithLocal } from './photo-actions.ts';
import type { Photo } from './photos.ts';

const photosOf = (...states: Photo['state'][]) => states.map((state, at) => makePhoto(`p${at}`, { state }));
const count = (total: number, states: Photo['state'][], status: 'open' | 'closed' = 'open') => {
  const { counts } = makeRun();
  const counted = countWithLocal(makeRun({ status, counts: { ...counts, total, queued: total } }), photosOf(...states));
  return [counted.counts.total, counted.counts.queued, counted.toCome];
};

test.each<[when: string, total: number, states: Photo['state'][], counted: number[]]>([
  ['none has arrived', 0, ['waiting', 'waiting', 'waiting'], [0, 0, 3]],
  ['two have arrived, and no answer yet', 2, ['waiting', 'waiting', 'waiting'], [2, 2, 1]],
  ['all have arrived, and no answer yet', 3, ['waiting', 'waiting', 'waiting'], [3, 3, 0]],
  ['one was answered, and the counts do not tell of it yet', 0, ['sent', 'waiting', 'waiting'], [1, 1, 2]],
  ['one was answered', 1, ['sent', 'waiting', 'waiting'], [1, 1, 2]],
  ['one was refused', 1, ['sent', 'waiting', 'refused'], [1, 1, 1]],
  ['others came by the API', 9, ['waiting', 'waiting'], [9, 9, 2]],
])('every photo is counted once: %s', (_when, total, states, counted) => {
  expect(count(total, states)).toEqual(counted);
});

test('nothing is to come of what was sent to a run that is closed', () => {
  expect(count(2, ['sent', 'sent', 'sent'], 'closed')).toEqual([2, 2, 0]);
});
