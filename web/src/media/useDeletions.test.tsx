// @vitest-environment jsdom
import { act, fireEvent, screen, waitFor } from '@testing-library/react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { makeSession } from '../../test/makers.ts';
import { renderScreen } from '../../test/screen.tsx';
import { type Answer, refuse, startServer } from '../../test/server.ts';
import { UNDO_MS } from '../platform/useUndoable.ts';
import { createApi } from '../platform/api.ts';
import { finishDeletions, readUnsent, rememberUnsent } from './unsent-deletions.ts';
import { useDeletions } from './useDeletions.ts';

const accept: Answer = (_request, response) => void response.writeHead(204).end();

const noSession = { 'POST /api/v1/auth/refresh': refuse('refresh_token_not_found') };
const many = Array.from({ length: 300 }, (_, index) => `med_${index}`);
const userId = makeSession().user.id;

function Screen() {
  const { hidden, waiting, add, undo } = useDeletions();
  return (
    <>
      <output>{JSON.stringify({ hidden: [...hidden], waiting })}</output>
      <button onClick={() => add('a')}>a</button>
      <button onClick={() => add('b')}>b</button>
      <button onClick={() => add('a', 'b')}>both</button>
      <button onClick={() => add(...many)}>many</button>
      <button onClick={undo}>Undo</button>
    </>
  );
}

async function setUp({ a = accept, b = accept, all }: { a?: Answer; b?: Answer; all?: Answer } = {}) {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'], shouldAdvanceTime: true });
  const others = all ? many.map((id) => [`DELETE /api/v1/media/${id}`, all] as const) : [];
  const { origin, asked } = await startServer({
    'DELETE /api/v1/media/a': a,
    'DELETE /api/v1/media/b': b,
    ...noSession,
    ...Object.fromEntries(others),
  });
  const { unmount } = renderScreen(<Screen />, { origin });
  await screen.findByText('Undo');
  const press = (name: string) => fireEvent.click(screen.getByRole('button', { name }));
  return {
    unmount,
    asked,
    state: () => JSON.parse(screen.getByRole('status').textContent ?? '') as object,
    add: press,
    undo: () => press('Undo'),
    pass: (ms: number) => act(() => vi.advanceTimersByTimeAsync(ms)),
  };
}
beforeEach(() => localStorage.clear());
afterEach(() => void vi.useRealTimers());

test('what is deleted is hidden at once and deleted when the time to undo is over', async () => {
  const { add, pass, state, asked } = await setUp();
  add('a');
  expect(state()).toEqual({ hidden: ['a'], waiting: ['a'] });
  await pass(UNDO_MS / 2);
  expect(asked).toEqual([]);
  await pass(UNDO_MS / 2);
  await waitFor(() => expect(asked).toEqual(['DELETE /api/v1/media/a']));
  expect(state()).toEqual({ hidden: ['a'], waiting: [] });
});

test('undo brings it back and nothing is ever sent, until it is deleted again', async () => {
  const { add, undo, pass, state, asked, unmount } = await setUp();
  add('a');
  undo();
  await pass(UNDO_MS * 2);
  expect(asked).toEqual([]);
  expect(state()).toEqual({ hidden: [], waiting: [] });
  add('a');
  unmount();
  await waitFor(() => expect(asked).toEqual(['DELETE /api/v1/media/a']));
});

test('a second deletion sends the first, and only the second can be undone', async () => {
  const { add, undo, state, asked } = await setUp();
  add('a');
  add('b');
  undo();
  await waitFor(() => expect(asked).toEqual(['DELETE /api/v1/media/a']));
  expect(state()).toEqual({ hidden: ['a'], waiting: [] });
});

test('several are sent together, and only a refused one comes back', async () => {
  const { add, pass, state, asked } = await setUp({ b: refuse('not_cancelable') });
  add('both');
  await pass(UNDO_MS);
  await screen.findByText('The picture could not be deleted. It is back in your history.');
  expect(asked.toSorted()).toEqual(['DELETE /api/v1/media/a', 'DELETE /api/v1/media/b']);
  expect(state()).toEqual({ hidden: ['a'], waiting: [] });
});

test('leaving the page sends what waits, before the page is gone, once', async () => {
  const { add, pass, asked, unmount } = await setUp();
  add('a');
  window.dispatchEvent(new Event('pagehide'));
  window.dispatchEvent(new Event('pagehide'));
  await waitFor(() => expect(asked).toEqual(['DELETE /api/v1/media/a']));
  await pass(UNDO_MS);
  unmount();
  expect(asked).toHaveLength(1);
});

test('a deletion that the server refuses comes back, and it is said', async () => {
  const { add, pass, state } = await setUp({ a: refuse('not_cancelable') });
  add('a');
  await pass(UNDO_MS);
  await screen.findByText('The picture could not be deleted. It is back in your history.');
  expect(state()).toEqual({ hidden: [], waiting: [] });
});

test('hundreds that the server refuses come back, and it is said once', async () => {
  const { add, pass, state } = await setUp({ all: refuse('not_cancelable') });
  add('many');
  await pass(UNDO_MS);
  await screen.findByText('Some pictures could not be deleted. They are back in your history.');
  expect(state()).toEqual({ hidden: [], waiting: [] });
});

test('a page that is closed sends as many as browsers let outlive it, and remembers all', async () => {
  const silent: Answer = () => {};
  const { origin, asked } = await startServer(
    Object.fromEntries(many.map((id) => [`DELETE /api/v1/media/${id}`, silent])),
  );
  renderScreen(<Screen />, { origin });
  fireEvent.click(await screen.findByRole('button', { name: 'many' }));
  window.dispatchEvent(new Event('pagehide'));
  expect(readUnsent(userId)).toEqual(many);
  await waitFor(() => expect(asked).toHaveLength(100));
});

test('the next page hides the rest and deletes it; without an answer it stays for another', async () => {
  const kept = many.map((id) => `kept_${id}`);
  rememberUnsent(userId, kept);
  const gone = new Set(kept.slice(0, 100));
  let isDown = false;
  const answer: Answer = (request, response) => {
    const id = request.url?.split('/').at(-1) ?? '';
    if (gone.size === 200) isDown = true;
    if (isDown && gone.size < 250) return void request.socket.destroy();
    if (gone.has(id)) return refuse('not_found')(request, response);
    gone.add(id);
    return accept(request, response);
  };
  const { origin } = await startServer(Object.fromEntries(kept.map((id) => [`DELETE /api/v1/media/${id}`, answer])));
  renderScreen(<Screen />, { origin });
  const shown = (await screen.findByRole('status')).textContent ?? '';
  expect(JSON.parse(shown)).toEqual({ hidden: kept, waiting: [] });
  await finishDeletions(createApi({ origin }), userId);
  expect(readUnsent(userId)).toEqual(kept.slice(200));
  kept.slice(200, 250).forEach((id) => gone.add(id));
  await finishDeletions(createApi({ origin }), userId);
  expect(readUnsent(userId)).toEqual([]);
  expect(gone.size).toBe(300);
});

test('a deletion that is due after the session ended stays hidden, and remembered for the next sign-in', async () => {
  const { add, pass, state, asked } = await setUp({ a: refuse('authentication_required') });
  add('both');
  await pass(UNDO_MS);
  await waitFor(() => expect(readUnsent(userId)).toEqual(['a']));
  expect(asked).toContain('DELETE /api/v1/media/a');
  expect(state()).toEqual({ hidden: ['a', 'b'], waiting: [] });
  expect(screen.queryByText(/could not be deleted/)).toBeNull();
});

test.each(['rate_limited', 'authentication_required'] as const)(
  '%s leaves a deletion to another page',
  async (code) => {
    rememberUnsent(userId, ['a', 'b']);
    const { origin } = await startServer({ 'DELETE /api/v1/media/a': refuse(code), ...noSession });
    await finishDeletions(createApi({ origin }), userId);
    expect(readUnsent(userId)).toEqual(['a', 'b']);
  },
);
