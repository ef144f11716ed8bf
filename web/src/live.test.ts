import 'fake-indexeddb/auto';
import { QueryClient, QueryObserver } from '@tanstack/react-query';
import { afterEach, expect, onTestFinished, test, vi } from 'vitest';
import { makeGeneration, makeResult, makeSession } from '../test/makers.ts';
import { json, refuse, startServer, type Answers } from '../test/server.ts';
import { enterSession, leaveSession, markLeaving } from './auth/useSession.ts';
import { changeDraft, readDraft, speakOf, useMemory } from './generations/memory.ts';
import { putGeneration, readFollowed } from './generations/useFollowed.ts';
import { applyStreamEvents } from './live.ts';
import { createApi } from './platform/api.ts';
import { inStore } from './platform/kept/browser-store.ts';
import { resetClientStores } from './platform/kept/client-store.ts';

async function setUp(answers: Answers = {}) {
  const { origin, asked } = await startServer(answers);
  const queryClient = new QueryClient();
  enterSession(queryClient, makeSession({ credits: 10 }));
  const api = createApi({ origin, onSessionEnd: () => leaveSession(queryClient) });
  const hearEvent = applyStreamEvents(api, queryClient);
  const hear = (name: string, body: object) => hearEvent({ name, data: JSON.stringify(body) });
  return { queryClient, asked, hear };
}

afterEach(() => resetClientStores('page'));

test('the balance follows the credits event', async () => {
  const { queryClient, hear } = await setUp();
  hear('credits', { credits: 9, entryId: 'txn_1' });
  expect(queryClient.getQueryData(['credits'])).toBe(9);
});

test('a running generation changes by its event alone', async () => {
  const { asked, hear } = await setUp();
  putGeneration(makeGeneration());
  const { id, tool, progress } = makeGeneration();
  hear('generation', { id, tool, progress, status: 'running', error: null, refunded: false });
  expect(readFollowed()).toMatchObject([{ id, status: 'running', createdAt: expect.any(String) }]);
  expect(asked).toEqual([]);
});

test('one that nobody knows is read whole; an item of a run is its run’s', async () => {
  const { hear, asked } = await setUp({ 'GET /api/v1/generations/gen_2': json(makeGeneration({ id: 'gen_2' })) });
  const { tool, progress } = makeGeneration();
  const news = { tool, progress, status: 'running', error: null, refunded: false };
  hear('generation', { ...news, id: 'gen_3', runId: 'run_1' });
  hear('generation', { ...news, id: 'gen_2' });
  await vi.waitFor(() => expect(readFollowed().map(({ id }) => id)).toContain('gen_2'));
  expect(asked).not.toContain('GET /api/v1/generations/gen_3');
});

test('a success is read whole, because the event carries no result', async () => {
  const done = makeGeneration({ status: 'succeeded', result: makeResult() });
  const { hear } = await setUp({ 'GET /api/v1/generations/gen_1': json(done) });
  putGeneration(makeGeneration({ status: 'running' }));
  hear('generation', { ...done, result: undefined });
  await vi.waitFor(() => expect(readFollowed()).toMatchObject([{ result: { mediaId: 'med_1' } }]));
});

test('a failure that is told twice stays one failure', async () => {
  const failed = makeGeneration({
    status: 'failed',
    refunded: true,
    error: { code: 'provider_failed', message: 'It failed' },
  });
  const { hear } = await setUp({ 'GET /api/v1/generations/gen_1': json(failed) });
  putGeneration(makeGeneration({ status: 'running' }));
  hear('generation', failed);
  hear('generation', { ...failed, status: 'running', error: null });
  expect(readFollowed()).toMatchObject([{ status: 'failed', error: { message: 'It failed' } }]);
});

test('resync and media events make the lists stale', async () => {
  const { queryClient, hear } = await setUp();
  queryClient.setQueryData(['media', 'list'], { pages: [] });
  hear('media', { action: 'created', id: 'med_1' });
  expect(queryClient.getQueryState(['media', 'list'])?.isInvalidated).toBe(true);
  hear('resync', {});
  expect(queryClient.getQueryState(['credits'])?.isInvalidated).toBe(true);
});

test('a list is read in peace however many news come, and at last once more', async () => {
  const { queryClient, hear } = await setUp();
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
  let news = 0;
  const queryFn = vi.fn(async () => {
    const known = news;
    await new Promise((resolve) => setTimeout(resolve, 500));
    return known;
  });
  const list = new QueryObserver(queryClient, { queryKey: ['media', 'list'], queryFn });
  onTestFinished(list.subscribe(() => {}));
  await vi.advanceTimersByTimeAsync(1000);
  const told = new Set<unknown>();
  while (news < 50) {
    news += 1;
    hear('media', { action: 'created', id: `med_${news}` });
    await vi.advanceTimersByTimeAsync(100);
    told.add(list.getCurrentResult().data);
  }
  expect(told.size).toBeGreaterThan(1);
  await vi.advanceTimersByTimeAsync(5000);
  expect(list.getCurrentResult().data).toBe(50);
  expect(queryFn.mock.calls.length).toBeLessThan(6);
});

test('news of a catalogue reads again what of it is shown, and asks nothing where none is', async () => {
  const { queryClient, asked, hear } = await setUp();
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
  const counts = { total: 3, queued: 1, running: 1, succeeded: 1, failed: 0, canceled: 0 };
  hear('run', { id: 'run_1', status: 'open', counts });
  await vi.advanceTimersByTimeAsync(5000);
  expect(asked).toEqual([]);
  const shown = ['one', 'items'].map((kind) => {
    const queryFn = vi.fn(async () => null);
    const query = new QueryObserver(queryClient, { queryKey: ['runs', kind, 'run_1'], queryFn });
    onTestFinished(query.subscribe(() => {}));
    return queryFn;
  });
  await vi.advanceTimersByTimeAsync(1000);
  for (let news = 0; news < 4; news += 1) hear('run', { id: 'run_1', status: 'open', counts });
  await vi.advanceTimersByTimeAsync(5000);
  for (const queryFn of shown) expect(queryFn).toHaveBeenCalledTimes(3);
});

test('a result that was deleted, here or elsewhere, or whose time is over leaves the stage', async () => {
  for (const action of ['deleted', 'expired']) {
    const { hear } = await setUp();
    putGeneration(makeGeneration({ status: 'succeeded', result: makeResult() }));
    hear('media', { action, id: 'med_2' });
    expect(readFollowed()).toHaveLength(1);
    hear('media', { action, id: 'med_1' });
    expect(readFollowed()).toEqual([]);
  }
});

test('the end of the session signs this page out; drafts stay', async () => {
  const { queryClient, hear } = await setUp({ 'POST /api/v1/auth/refresh': refuse('refresh_token_not_found') });
  changeDraft('text-to-image', () => ({ prompt: 'a table' }));
  speakOf('gen_1', 'toast');
  hear('session', { state: 'ended', reason: 'signed_out' });
  await vi.waitFor(() => expect(queryClient.getQueryData(['session'])).toBeNull());
  await vi.waitFor(() => expect(queryClient.getQueryData(['credits'])).toBeUndefined());
  expect(readDraft('text-to-image')).toEqual({ prompt: 'a table' });
  expect(useMemory.getState().toastIds.size).toBe(0);
  enterSession(queryClient, makeSession({ user: { ...makeSession().user, id: 'usr_2' } }));
  expect(readDraft('text-to-image')).toEqual({});
});

test('a session that can be refreshed after all is kept', async () => {
  const { queryClient, asked, hear } = await setUp({ 'POST /api/v1/auth/refresh': json(makeSession({ credits: 10 })) });
  hear('session', { state: 'ended' });
  await vi.waitFor(() => expect(asked).toEqual(['POST /api/v1/auth/refresh']));
  expect(queryClient.getQueryData(['session'])).toBeTruthy();
});

test('of an account that was deleted nothing is kept in this browser', async () => {
  const { hear } = await setUp();
  const isKept = async () => (await inStore<number>('readonly', (store) => store.count())) > 0;
  changeDraft('text-to-image', () => ({ prompt: 'a table' }));
  await vi.waitFor(async () => expect(await isKept()).toBe(true));
  hear('session', { state: 'ended', reason: 'account_deleted' });
  await vi.waitFor(async () => expect(await isKept()).toBe(false));
  await vi.waitFor(() => expect(readDraft('text-to-image')).toEqual({}));
});

test('an account that was deleted leaves at once; a page that logs out itself asks nothing', async () => {
  const deleted = await setUp();
  deleted.hear('session', { state: 'ended', reason: 'account_deleted' });
  expect(deleted.queryClient.getQueryData(['session'])).toBeNull();
  const leaving = await setUp();
  markLeaving();
  leaving.hear('session', { state: 'ended', reason: 'signed_out' });
  expect(leaving.queryClient.getQueryData(['session'])).toBeTruthy();
  expect(leaving.asked).toEqual([]);
});

test('events we do not know, or cannot read, change nothing', async () => {
  const { queryClient, hear } = await setUp();
  hear('toString', {});
  hear('credits', { credits: -1, entryId: 'x' });
  hear('weather', { rain: true });
  expect(queryClient.getQueryData(['credits'])).toBe(10);
});
