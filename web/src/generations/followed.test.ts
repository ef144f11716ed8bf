import { expect, test } from 'vitest';
import { tools } from '@plinth/contract/tools';
import { makeGeneration } from '../../test/makers.ts';
import { follow, reconcile } from './followed.ts';
import { nextAttempt } from './useSubmit.ts';

const queued = makeGeneration();
const running = makeGeneration({ status: 'running' });
const canceled = makeGeneration({ status: 'canceled', refunded: true });

test('a late answer never takes a generation back', () => {
  expect(follow([running], queued)).toEqual([running]);
  expect(follow([canceled], running)).toEqual([canceled]);
  expect(follow([queued], canceled)).toEqual([canceled]);
});

test('the newest stands first', () => {
  const newer = makeGeneration({ id: 'gen_2', createdAt: '2026-11-21T10:05:00.000Z' });
  expect(follow([queued], newer).map(({ id }) => id)).toEqual(['gen_2', 'gen_1']);
});

test('items of a run are followed by their run, not one by one', () => {
  const item = makeGeneration({ id: 'gen_2', runId: 'run_1' });
  expect(reconcile([queued], [item, queued]).followed).toEqual([queued]);
});

test('after a gap, what the server no longer runs is asked for', () => {
  const other = makeGeneration({ id: 'gen_2', status: 'running' });
  const { followed, unsure } = reconcile([queued, canceled], [other]);
  expect(unsure).toEqual(['gen_1']);
  expect(followed).toContainEqual(other);
});

test('the same form keeps its key, a changed one gets a new one', () => {
  const tool = tools['text-to-image'];
  const file = new File(['x'], 'a.png');
  const image = { file, width: 1, height: 1 };
  const first = nextAttempt(null, tool, { image, prompt: 'a table' });
  expect(nextAttempt(first, tool, { image: { ...image }, prompt: 'a table' }).key).toBe(first.key);
  expect(nextAttempt(first, tool, { image, prompt: 'a chair' }).key).not.toBe(first.key);
  expect(nextAttempt(first, tool, { image }).key).not.toBe(first.key);
});
