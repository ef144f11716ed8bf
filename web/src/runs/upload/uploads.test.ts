import { afterEach, expect, onTestFinished, test, vi } from 'vitest';
import type { IncomingMessage } from 'node:http';
import { QueryClient, QueryObserver } from '@tanstack/react-query';
import type { Run } from '@plinth/contract/runs';
import { makeRun, makeRunItem } from '../../../test/makers.ts';
import { makePhoto } from '../../../test/photos.ts';
import { breakOff, hangUp, inTurn, json, read, refuse, startServer, type Answer } from '../../../test/server.ts';
import { resetStores } from '../../../test/stores.ts';
import { putCredits } from '../../credits/useCredits.ts';
import { createApi } from '../../platform/api.ts';
import type { SendWithProgress } from '../../platform/upload.ts';
import { say } from '../../ui/above/toast.tsx';
import { runKey, RUNS_KEY } from '../keys.ts';
import { putPhotos } from '../photo-actions.ts';
import { usePhotos, type Photo } from '../photos.ts';
import { useUploadState } from './upload-state.ts';
import { Uploads } from './uploads.ts';

const ITEMS = 'POST /api/v1/runs/run_1/items';
const CLOSE = 'POST /api/v1/runs/run_1/close';
const accepted = json(makeRunItem(), 202);
/** As long as a busy machine may take for a few requests. */
const BUSY_MS = 5000;

const state = () => useUploadState.getState();
const listPhotos = () => usePhotos.getState().photos;
const states = () => Object.fromEntries(listPhotos().map(({ id, state }) => [id, state]));
const bytesOf = (photos: Photo[]) =>
  Object.fromEntries(photos.map(({ id, bytes }) => [id, new Blob([new Uint8Array(bytes)], { type: 'image/gif' })]));

/** A browser's progress event of a photo whose upload begins. */
const sendWithProgress: SendWithProgress = (url, init, onSent) => {
  const answer = fetch(url, init);
  setTimeout(() => onSent(1, 2));
  return answer;
};

afterEach(() => {
  resetStores();
  vi.restoreAllMocks();
});

async function setUp(
  photos: Photo[],
  items: Answer,
  close: Answer = json(makeRun({ status: 'finished' })),
  credits?: number,
) {
  const keys: (string | undefined)[] = [];
  const bodies: string[] = [];
  const { origin, asked } = await startServer({
    [ITEMS]: (request: IncomingMessage, response) => {
      keys.push(request.headers['idempotency-key'] as string | undefined);
      void read(request).then(
        (body) => bodies.push(body),
        () => undefined,
      );
      return items(request, response);
    },
    [CLOSE]: close,
  });
  putPhotos(photos, bytesOf(photos));
  const queryClient = new QueryClient();
  queryClient.setQueryData(runKey('run_1'), makeRun({ counts: { ...makeRun().counts, total: 0, queued: 0 } }));
  /** The photos as they stood when the run was known to have all of them. */
  const told: [number, ...string[]][] = [];
  queryClient.getQueryCache().subscribe(() => {
    const total = queryClient.getQueryData<Run>(runKey('run_1'))?.counts.total ?? 0;
    if (total > 0 && told.length === 0) told.push([total, ...Object.values(states())]);
  });
  const refetched = vi.spyOn(queryClient, 'invalidateQueries');
  const setCredits = (count: number) => putCredits(queryClient, count);
  const hearOf = async (count: number) => {
    setCredits(count);
    await new Promise((done) => setTimeout(done, 20));
  };
  if (credits !== undefined) setCredits(credits);
  const make = () =>
    new Uploads({
      api: createApi({ origin, sleep: async () => {}, sendWithProgress }),
      queryClient,
      lockRun: async () => () => {},
      firstWaitMs: 5,
    });
  const uploads = make();
  onTestFinished(() => uploads.stop());
  uploads.start();
  const isClosed = () => asked.includes(CLOSE);
  return { uploads, make, queryClient, asked, keys, bodies, isClosed, refetched, setCredits, hearOf, told };
}

test('four photos are on their way at a time, and when all have arrived the run is closed', async () => {
  const open: (() => void)[] = [];
  let most = 0;
  const slow: Answer = (request, response) => {
    open.push(() => void accepted(request, response));
    most = Math.max(most, open.length);
  };
  const photos = Array.from({ length: 10 }, (_none, at) => makePhoto(`p${at}`));
  const { isClosed, keys, told } = await setUp(photos, slow);
  await vi.waitFor(() => expect(open).toHaveLength(4));
  expect(isClosed()).toBe(false);
  while (keys.length < 10 || open.length > 0) {
    open.shift()?.();
    await new Promise((done) => setTimeout(done, 1));
  }
  await vi.waitFor(() => expect(isClosed()).toBe(true), BUSY_MS);
  expect(most).toBe(4);
  expect(keys.toSorted()).toEqual(photos.map(({ id }) => id).toSorted());
  await vi.waitFor(() => expect(new Set(Object.values(states()))).toEqual(new Set(['settled'])));
  expect(told, 'before its photos count no more').toEqual([[2, ...photos.map(() => 'sent')]]);
});

test('the run of a page that still reads it is the closed one, and no earlier answer replaces it', async () => {
  const earlier = Promise.withResolvers<Run>();
  const closed = makeRun({ status: 'finished' });
  const { queryClient } = await setUp([makePhoto('p1')], accepted, json(closed));
  queryClient.removeQueries({ queryKey: runKey('run_1') });
  const answers = [earlier.promise, Promise.resolve(closed)];
  const page = new QueryObserver<Run>(queryClient, {
    queryKey: runKey('run_1'),
    queryFn: () => answers.shift() ?? closed,
  });
  onTestFinished(page.subscribe(() => {}));
  await vi.waitFor(() => expect(states()).toEqual({ p1: 'settled' }), BUSY_MS);
  expect(page.getCurrentResult().data?.status).toBe('finished');
  earlier.resolve(makeRun({ status: 'open', counts: { ...closed.counts, total: 0 } }));
  await new Promise((done) => setTimeout(done, 20));
  expect(page.getCurrentResult().data?.status).toBe('finished');
});

test('a photo whose file is gone waits for its person, and holds up no other', async () => {
  vi.spyOn(Blob.prototype, 'slice').mockReturnValue({ arrayBuffer: () => Promise.reject(new Error('gone')) } as never);
  const { keys } = await setUp([makePhoto('p1'), makePhoto('p2')], (request, response) =>
    (keys.at(-1) === 'p1' ? hangUp : accepted)(request, response),
  );
  await vi.waitFor(() => expect(states()).toEqual({ p1: 'refused', p2: 'sent' }), BUSY_MS);
  expect([listPhotos()[0]?.refusal, state().obstacle]).toEqual(['Failed to read image file. Please try again.', null]);
});

test('a photo is sent as what its bytes are, whatever its name made of it', async () => {
  const { bodies, isClosed } = await setUp([makePhoto('p1', { name: 'p1.gif' })], accepted);
  await vi.waitFor(() => expect(isClosed()).toBe(true), BUSY_MS);
  expect(bodies[0]).toMatch(/filename="p1\.gif"\r\nContent-Type: image\/jpeg\r\n/);
});

test('a run is known as closed as soon as it is, also where its counts are known already', async () => {
  const { queryClient } = await setUp([makePhoto('p1')], accepted, json(makeRun({ status: 'closed' })));
  queryClient.setQueryData(runKey('run_1'), makeRun());
  await vi.waitFor(() => expect(states()).toEqual({ p1: 'settled' }), BUSY_MS);
  expect(queryClient.getQueryData<Run>(runKey('run_1'))?.status).toBe('closed');
});

test('after a lost answer the photo is sent with the same key', async () => {
  const { keys, isClosed } = await setUp(
    [makePhoto('p1')],
    inTurn(hangUp, refuse('temporarily_unavailable'), breakOff, json({}, 202), accepted),
  );
  await vi.waitFor(() => expect(isClosed()).toBe(true), BUSY_MS);
  expect(keys).toEqual(Array(5).fill('p1'));
});

test('the next page goes on where this one was left, with the same keys', async () => {
  const answers: (() => void)[] = [];
  const late: Answer = (request, response) => void answers.push(() => void accepted(request, response));
  const { uploads, make, keys, isClosed } = await setUp(
    [makePhoto('p1', { state: 'sent' }), makePhoto('p2'), makePhoto('p3')],
    (request, response) => (keys.length > 2 ? accepted(request, response) : late(request, response)),
  );
  await vi.waitFor(() => expect(keys).toEqual(['p2', 'p3']));
  uploads.stop();
  const next = make();
  onTestFinished(() => next.stop());
  next.start();
  await vi.waitFor(() => expect(isClosed()).toBe(true), BUSY_MS);
  expect(keys).toEqual(['p2', 'p3', 'p2', 'p3']);
});

test('without credits it stops, says so, and goes on when told to', async () => {
  const poor = refuse('insufficient_credits');
  const { uploads, keys, isClosed } = await setUp([makePhoto('p1')], inTurn(poor, accepted));
  await vi.waitFor(() => expect(state().obstacle).toBe('credits'));
  uploads.wake();
  expect(keys).toEqual(['p1']);
  uploads.resume();
  await vi.waitFor(() => expect(isClosed()).toBe(true), BUSY_MS);
  expect(keys).toEqual(['p1', 'p1']);
});

test('where credits are known to be short nothing is sent; when there are more it goes on by itself', async () => {
  const photos = [makePhoto('p1', { price: 5 }), makePhoto('p2', { price: 5 })];
  let answer = () => {};
  const late: Answer = (request, response) => void (answer = () => void accepted(request, response));
  const { setCredits, hearOf, refetched, keys, isClosed } = await setUp(photos, inTurn(late, accepted), undefined, 4);
  await vi.waitFor(() => expect(state().obstacle).toBe('credits'));
  expect(keys).toEqual([]);
  await hearOf(3);
  expect(state().obstacle).toBe('credits');
  const balances = refetched.mock.calls.filter(([filters]) => filters?.queryKey?.[0] === 'credits');
  expect(balances, 'the balance is asked for once').toHaveLength(1);
  setCredits(5);
  await vi.waitFor(() => expect(keys).toEqual(['p1']));
  setCredits(0);
  answer();
  await vi.waitFor(() => expect([states(), state().obstacle]).toEqual([{ p1: 'sent', p2: 'waiting' }, 'credits']));
  setCredits(50);
  await vi.waitFor(() => expect(isClosed()).toBe(true), BUSY_MS);
  expect(keys).toEqual(['p1', 'p2']);
});

test('what may be there and paid is sent again also without credits, what was refused is not', async () => {
  const last = inTurn(refuse('insufficient_credits'), () => {}, accepted);
  const { uploads, make, setCredits, keys } = await setUp([makePhoto('p1'), makePhoto('p2')], last);
  await vi.waitFor(() => expect([keys, state().obstacle]).toEqual([['p1', 'p2'], 'credits']));
  uploads.stop();
  const next = make();
  onTestFinished(() => next.stop());
  setCredits(0);
  next.start();
  await vi.waitFor(() => expect(states()).toEqual({ p1: 'waiting', p2: 'sent' }), BUSY_MS);
  expect([keys, state().obstacle]).toEqual([['p1', 'p2', 'p2'], 'credits']);
});

test('what is refused for want of credits is not sent again at news that there are as many as before', async () => {
  const { hearOf, keys } = await setUp([makePhoto('p1')], refuse('insufficient_credits'), undefined, 3);
  await vi.waitFor(() => expect(state().obstacle).toBe('credits'));
  await hearOf(3);
  expect([keys, state().obstacle]).toEqual([['p1'], 'credits']);
});

test('when too much waits it waits, too, and goes on by itself', async () => {
  const { keys, isClosed } = await setUp([makePhoto('p1')], inTurn(refuse('too_many_generations'), accepted));
  await vi.waitFor(() => expect(isClosed()).toBe(true), BUSY_MS);
  expect(keys).toEqual(['p1', 'p1']);
});

test('a pause outlasts a connection that comes back', async () => {
  const { uploads, keys } = await setUp([makePhoto('p1')], hangUp);
  await vi.waitFor(() => expect(state().obstacle).toBe('connection'));
  uploads.pause();
  const count = keys.length;
  uploads.wake();
  await new Promise((done) => setTimeout(done, 40));
  expect(state().obstacle).toBe('paused');
  expect(keys.length).toBeLessThanOrEqual(count + 1);
});

test.each(['image_unreadable', 'file_too_large', 'unsupported_image_type', 'sku_in_use'] as const)(
  'a photo refused with %s is listed with its sentence, and the run waits for the person',
  async (code) => {
    const { uploads, isClosed } = await setUp(
      [makePhoto('p1', { sku: 'M-01' }), makePhoto('p2')],
      inTurn(refuse(code), accepted),
    );
    await vi.waitFor(() => expect(Object.values(states()).toSorted()).toEqual(['refused', 'sent']));
    expect(isClosed()).toBe(false);
    const refused = listPhotos().find((photo) => photo.state === 'refused')!;
    expect(refused.refusal).toMatch(/\w/);
    uploads.replace(refused, new File([new Uint8Array(9)], 'other.png', { type: 'image/png' }));
    await vi.waitFor(() => expect(isClosed()).toBe(true), BUSY_MS);
    expect(listPhotos().find(({ name }) => name === 'other.png')).toMatchObject({ sku: refused.sku });
    expect(listPhotos()).not.toContainEqual(expect.objectContaining({ id: refused.id }));
  },
);

test('a refused photo can be left out', async () => {
  const { uploads, isClosed } = await setUp([makePhoto('p1')], refuse('image_unreadable'));
  await vi.waitFor(() => expect(states()).toEqual({ p1: 'refused' }));
  uploads.leaveOut(['p1']);
  await vi.waitFor(() => expect(isClosed()).toBe(true), BUSY_MS);
});

test('a run that was closed elsewhere is given up, once and aloud', async () => {
  const said = vi.spyOn(say, 'wrong').mockImplementation(() => {});
  const { refetched, keys } = await setUp([makePhoto('p1'), makePhoto('p2')], refuse('run_closed'));
  await vi.waitFor(() => expect(listPhotos()).toEqual([]));
  expect(said.mock.calls).toEqual([
    ['This catalogue takes no more photos. 2 photos not uploaded.', { id: 'closed-run_1' }],
  ]);
  expect(refetched).toHaveBeenCalledExactlyOnceWith({ queryKey: RUNS_KEY });
  expect(keys.length).toBeLessThanOrEqual(2);
});

test('photos of a catalogue that has not started stay where they are', async () => {
  const { asked } = await setUp([makePhoto('p1', { runId: 'new' })], accepted);
  expect(asked).toEqual([]);
  expect(states()).toEqual({ p1: 'waiting' });
});

test('a run that begins is known at once, before anybody can ask for it', async () => {
  const { uploads, isClosed } = await setUp([], accepted);
  const photos = [makePhoto('p1')];
  putPhotos(photos, bytesOf(photos));
  void uploads.claim('run_1', true);
  expect(state().runs.get('run_1')).toBe(true);
  await vi.waitFor(() => expect(isClosed()).toBe(true), BUSY_MS);
});

test('a run that was canceled while its photos are on their way takes nothing up again', async () => {
  const answers: (() => void)[] = [];
  const late: Answer = (request, response) => void answers.push(() => void accepted(request, response));
  const { uploads, isClosed } = await setUp([makePhoto('p1'), makePhoto('p2')], late);
  await vi.waitFor(() => expect(answers).toHaveLength(2));
  uploads.forget('run_1');
  for (const answer of answers) answer();
  await new Promise((done) => setTimeout(done, 40));
  expect([listPhotos(), state().runs.size, isClosed()]).toEqual([[], 0, false]);
});

test('a photo that the server fails at lets the others go first, is tried again, and waits for its person at last', async () => {
  const photos = ['a', 'b', 'c', 'd', 'e', 'f'].map((id, place) => makePhoto(id, { place }));
  let isMended = false;
  const { uploads, keys, isClosed } = await setUp(photos, (request, response) => {
    const isBad = request.headers['idempotency-key'] === 'a' && !isMended;
    return (isBad ? refuse('internal_error') : accepted)(request, response);
  });
  await vi.waitFor(
    () => expect(states()).toEqual({ a: 'refused', b: 'sent', c: 'sent', d: 'sent', e: 'sent', f: 'sent' }),
    BUSY_MS,
  );
  expect(keys.filter((key) => key === 'a')).toHaveLength(3);
  expect(keys.lastIndexOf('f')).toBeLessThan(keys.lastIndexOf('a'));
  expect(isClosed()).toBe(false);
  isMended = true;
  uploads.again(listPhotos().find(({ id }) => id === 'a')!);
  await vi.waitFor(() => expect(isClosed()).toBe(true), BUSY_MS);
});

test('a server that fails at all of them is waited for, and no photo is given up', async () => {
  const photos = ['a', 'b', 'c', 'd', 'e', 'f'].map((id, place) => makePhoto(id, { place }));
  let isDown = true;
  const { keys, isClosed } = await setUp(photos, (request, response) =>
    (isDown ? refuse('internal_error') : accepted)(request, response),
  );
  await vi.waitFor(() => expect(keys.length).toBeGreaterThan(12), BUSY_MS);
  // While they are sent once more nothing hinders them.
  await vi.waitFor(() => expect(state().obstacle).toBe('server'), BUSY_MS);
  expect(Object.values(states())).not.toContain('refused');
  isDown = false;
  await vi.waitFor(() => expect(isClosed()).toBe(true), BUSY_MS);
});

test('two photos that the server fails at wait for their person, and the others are there', async () => {
  const photos = ['a', 'b', 'c', 'd', 'e', 'f', 'g'].map((id, place) => makePhoto(id, { place }));
  const { uploads, isClosed } = await setUp(photos, (request, response) => {
    const isBad = ['a', 'b'].includes(String(request.headers['idempotency-key']));
    return (isBad ? refuse('internal_error') : accepted)(request, response);
  });
  await vi.waitFor(() => expect([states()['a'], states()['b']]).toEqual(['refused', 'refused']), BUSY_MS);
  uploads.leaveOut(['a', 'b']);
  await vi.waitFor(() => expect(isClosed()).toBe(true), BUSY_MS);
});
