import 'fake-indexeddb/auto';
import { QueryClient, QueryObserver } from '@tanstack/react-query';
import { afterEach, expect, onTestFinished, test, vi } from 'vitest';
import { makeGeneration, makeResult, makeSession } from '../test/makers.ts';
import { json, refuse, startServer, type Answers } from '../test/server.ts';
import { resetStores } from '../test/stores.ts';
import { enterSession, leaveSession, markLeaving, shownUser } from './auth/useSession.ts';
import { changeDraft } from './generations/memory.ts';
import { putGeneration, readFollowed } from './generations/followed.ts';
import { applyStreamEvents } from './live.ts';
import { createApi } from './platform/api.ts';
import { withStore } from './platform/storage/database.ts';

async function setUp(answers: Answers = {}) {
  const { origin, asked } = await startServer(answers);
  const went: string[] = [];
  const notes = new Map<string, string>();
  vi.stubGlobal('sessionStorage', { setItem: notes.set.bind(notes), clear: () => notes.clear() });
  const place = { pathname: '/dashboard/history', search: '?a=1', hash: '' };
  const location = { ...place, replace: (path: string) => went.push(path), reload: () => went.push('the same') };
  const addEventListener = (name: string, handle: () => void) => void (name === 'pagehide' && handle());
  vi.stubGlobal('window', { addEventListener, location });
  vi.stubGlobal('document', { querySelectorAll: () => [] });
  const queryClient = new QueryClient();
  enterSession(queryClient, makeSession({ credits: 10 }));
  const api = createApi({ origin, onSessionEnd: (sentence) => leaveSession(queryClient, sentence) });
  const hearEvent = applyStreamEvents(api, queryClient);
  const hear = (name: string, body: object) => hearEvent({ name, data: JSON.stringify(body) });
  return { queryClient, asked, hear, went, notes };
}

afterEach(() => {
  resetStores();
  vi.unstubAllGlobals();
  markLeaving(false);
});

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

test('the end of the session leads to the login page, which says why and leads back; drafts stay', async () => {
  const { hear, went, notes } = await setUp({ 'POST /api/v1/auth/refresh': refuse('refresh_token_not_found') });
  changeDraft('text-to-image', () => ({ prompt: 'a table' }));
  hear('session', { state: 'ended', reason: 'signed_out' });
  await vi.waitFor(() => expect(went).toEqual(['/login?to=%2Fdashboard%2Fhistory%3Fa%3D1&ended=']), 3000);
  expect([...notes.values()]).toEqual(['Session expired. Please log in again.']);
  const readValues = () => withStore<{ value: unknown }[]>('readonly', (store) => store.getAll());
  await vi.waitFor(async () => expect((await readValues()).map(({ value }) => value)).toEqual(['a table']));
});

test('a session that nobody could extend leaves without going round in circles, and clears the web storages', async () => {
  const { queryClient, went, notes } = await setUp();
  const local = new Map([['of an extension', 'x']]);
  vi.stubGlobal('localStorage', { clear: () => local.clear() });
  queryClient.clear();
  leaveSession(queryClient, 'Authentication error. Please try logging in again.');
  expect(went).toEqual(['/login?to=%2Fdashboard%2Fhistory%3Fa%3D1&ended=']);
  expect([...notes.values()]).toEqual(['Authentication error. Please try logging in again.']);
  expect([...local]).toEqual([]);
});

test('a page that shows one user begins anew once another has signed in, and shows nothing of both', async () => {
  const { queryClient, went } = await setUp();
  const other = makeSession({ user: { ...makeSession().user, id: 'usr_2' }, credits: 3 });
  expect(enterSession(queryClient, other)).toBe(false);
  expect(went).toEqual(['the same']);
  expect([shownUser(queryClient), queryClient.getQueryData(['credits'])]).toEqual(['usr_1', 10]);
});

test('a session that can be refreshed after all is kept', async () => {
  const { queryClient, asked, hear } = await setUp({ 'POST /api/v1/auth/refresh': json(makeSession({ credits: 10 })) });
  hear('session', { state: 'ended' });
  await new Promise((resolve) => setTimeout(resolve, 500));
  expect(asked).toEqual([]); // The cookie of a user who is just signing in would be cleared.
  await vi.waitFor(() => expect(asked).toEqual(['POST /api/v1/auth/refresh']), 3000);
  expect(queryClient.getQueryData(['session'])).toBeTruthy();
});

test('of an account that was deleted nothing is kept in this browser', async () => {
  const { hear, went, notes, asked } = await setUp();
  const isKept = async () => (await withStore<number>('readonly', (store) => store.count())) > 0;
  changeDraft('text-to-image', () => ({ prompt: 'a table' }));
  await vi.waitFor(async () => expect(await isKept()).toBe(true));
  hear('session', { state: 'ended', reason: 'account_deleted' });
  hear('session', { state: 'ended', reason: 'signed_out' });
  await vi.waitFor(() => expect(went).toEqual(['/login']));
  expect(await isKept()).toBe(false);
  expect([...notes.values()]).toEqual(['User account deleted']);
  expect(asked).toEqual([]);
});

test('a page that logs out itself asks nothing', async () => {
  const { hear, went, asked } = await setUp();
  markLeaving();
  hear('session', { state: 'ended', reason: 'signed_out' });
  expect([went, asked]).toEqual([[], []]);
});

test('events we do not know, or cannot read, change nothing', async () => {
  const { queryClient, hear } = await setUp();
  hear('toString', {});
  hear('credits', { credits: -1, entryId: 'x' });
  hear('weather', { rain: true });
  expect(queryClient.getQueryData(['credits'])).toBe(10);
});
