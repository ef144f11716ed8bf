import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { createDeletions, UNDO_MS } from './deletions.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

function setUp(send: (id: string) => Promise<void> = async () => {}) {
  const sent: string[] = [];
  const failed: string[] = [];
  let state: { hidden: string[]; undoable: string | null } = { hidden: [], undoable: null };
  const deletions = createDeletions({
    send: (id) => {
      sent.push(id);
      return send(id);
    },
    onChange: (hidden, undoable) => (state = { hidden: [...hidden], undoable }),
    onFailed: (id) => failed.push(id),
  });
  return { deletions, sent, failed, state: () => state };
}

test('a card is hidden at once and deleted when the time to undo is over', () => {
  const { deletions, sent, state } = setUp();
  deletions.add('a');
  expect(state()).toEqual({ hidden: ['a'], undoable: 'a' });
  vi.advanceTimersByTime(UNDO_MS - 1);
  expect(sent).toEqual([]);
  vi.advanceTimersByTime(1);
  expect(sent).toEqual(['a']);
  expect(state()).toEqual({ hidden: ['a'], undoable: null });
});

test('undo brings the card back and nothing is ever sent', () => {
  const { deletions, sent, state } = setUp();
  deletions.add('a');
  deletions.undo();
  vi.advanceTimersByTime(UNDO_MS * 2);
  expect(sent).toEqual([]);
  expect(state()).toEqual({ hidden: [], undoable: null });
});

test('a second deletion sends the first, and only the second can be undone', () => {
  const { deletions, sent, state } = setUp();
  deletions.add('a');
  deletions.add('b');
  deletions.undo();
  expect(sent).toEqual(['a']);
  expect(state()).toEqual({ hidden: ['a'], undoable: null });
});

test('leaving the page sends what waits, once', () => {
  const { deletions, sent } = setUp();
  deletions.add('a');
  deletions.flush();
  deletions.flush();
  vi.advanceTimersByTime(UNDO_MS);
  expect(sent).toEqual(['a']);
});

test('a deletion the server refuses comes back', async () => {
  const { deletions, failed, state } = setUp(() => Promise.reject(new Error('refused')));
  deletions.add('a');
  await vi.advanceTimersByTimeAsync(UNDO_MS);
  expect(failed).toEqual(['a']);
  expect(state().hidden).toEqual([]);
});
