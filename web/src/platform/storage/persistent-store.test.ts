import 'fake-indexeddb/auto';
import { afterEach, beforeEach, expect, onTestFinished, test, vi } from 'vitest';
import { resetStores } from '../../../test/stores.ts';
import { withStore, deleteExpired, type Entry } from './database.ts';
import { createPersistentStore, deleteStored, openPersistentStores } from './persistent-store.ts';

type Shelf = { notes: Readonly<Record<string, unknown>>; shownId: string | null; isRead: boolean };

const ANN = 'usr_ann';
/** Whose id begins as hers. */
const ANNA = 'usr_anna';

const useShelf = createPersistentStore<Shelf>({
  name: 'shelf',
  initial: { notes: {}, shownId: null, isRead: false },
  split: ({ notes }) => new Map(Object.entries(notes)),
  join: (shelf, kept) => ({ ...shelf, notes: { ...Object.fromEntries(kept), ...shelf.notes } }),
  isPermanent: (key) => key.startsWith('lasting'),
});
const notes = () => useShelf.getState().notes;
const write = (part: Shelf['notes']) => useShelf.setState(({ notes: before }) => ({ notes: { ...before, ...part } }));
const readKept = async (userId = ANN) =>
  (await withStore<Entry[]>('readonly', (store) => store.getAll()))
    .map(({ key, value }) => [...key.split(`${userId} `), value])
    .flatMap(([before, key, value]) => (before === '' ? [[key, value]] : []));

/** A page of somebody, as after a reload: it knows nothing but what the browser kept. */
async function openPage(userId = ANN) {
  resetStores();
  openPersistentStores(userId);
  await vi.waitFor(() => expect(useShelf.getState().isRead).toBe(true));
}

beforeEach(async () => {
  resetStores();
  for (const userId of [ANN, ANNA]) await deleteStored(userId);
});
afterEach(() => vi.restoreAllMocks());

test('what stood in the page stands there after a reload, files too', async () => {
  await openPage();
  write({ words: 'oak', photo: new Blob(['bytes'], { type: 'image/jpeg' }) });
  await vi.waitFor(async () => expect(await readKept()).toHaveLength(2));
  await openPage();
  expect(notes()['words']).toBe('oak');
  const photo = notes()['photo'] as Blob;
  expect([photo.type, await photo.text()]).toEqual(['image/jpeg', 'bytes']);
});

test('a change writes its own piece and no other; what is taken out is forgotten', async () => {
  await openPage();
  write({ words: 'oak', other: 'ash' });
  await vi.waitFor(async () => expect(await readKept()).toHaveLength(2));
  const puts = vi.spyOn(IDBObjectStore.prototype, 'put');
  write({ words: 'elm' });
  useShelf.setState({ shownId: 'one' });
  await vi.waitFor(async () => expect(await readKept()).toContainEqual(['shelf words', 'elm']));
  expect(puts).toHaveBeenCalledTimes(1);
  useShelf.setState({ notes: { other: 'ash' } });
  await vi.waitFor(async () => expect(await readKept()).toEqual([['shelf other', 'ash']]));
});

test('what was typed before the browser answered is newer', async () => {
  await openPage();
  write({ words: 'oak', other: 'ash' });
  await vi.waitFor(async () => expect(await readKept()).toHaveLength(2));
  resetStores();
  openPersistentStores(ANN);
  write({ words: 'elm' });
  await vi.waitFor(() => expect(notes()).toEqual({ words: 'elm', other: 'ash' }));
  await vi.waitFor(async () => expect(await readKept()).toContainEqual(['shelf words', 'elm']));
});

test('when its time is over only what lasts is left, of those who never come back too', async () => {
  await openPage();
  write({ words: 'oak', 'lasting choice': 'square' });
  await vi.waitFor(async () => expect(await readKept()).toHaveLength(2));
  resetStores();
  await openPage(ANNA);
  write({ words: 'elm', 'lasting choice': 'round' });
  await vi.waitFor(async () => expect(await readKept(ANNA)).toHaveLength(2));
  await deleteExpired(Date.now() - 60_000);
  expect(await readKept()).toHaveLength(2);
  await deleteExpired(Date.now());
  expect(await readKept()).toEqual([['shelf lasting choice', 'square']]);
  expect(await readKept(ANNA)).toEqual([['shelf lasting choice', 'round']]);
  await openPage(ANNA);
  expect(notes()).toEqual({ 'lasting choice': 'round' });
});

test('a page that begins to read before what is old is gone shows none of it', async () => {
  await openPage();
  write({ words: 'oak' });
  await vi.waitFor(async () => expect(await readKept()).toHaveLength(1));
  void deleteExpired(Date.now());
  await openPage();
  expect(notes()).toEqual({});
});

test('what is written anew while what is old goes stays in the browser', async () => {
  await openPage();
  write({ words: 'oak', other: 'ash' });
  await vi.waitFor(async () => expect(await readKept()).toHaveLength(2));
  const now = Date.now();
  vi.spyOn(Date, 'now').mockReturnValue(now + 1000);
  vi.spyOn(IDBIndex.prototype, 'openCursor').mockImplementationOnce(function (this: IDBIndex, range) {
    const reading = this.openCursor(range);
    reading.addEventListener('success', () => write({ words: 'elm' }), { once: true });
    return reading;
  });
  await deleteExpired(now);
  await vi.waitFor(async () => expect(await readKept()).toEqual([['shelf words', 'elm']]));
});

test('of one person nothing is read or forgotten for another whose id begins alike', async () => {
  await openPage(ANNA);
  write({ words: 'elm' });
  await vi.waitFor(async () => expect(await readKept(ANNA)).toHaveLength(1));
  resetStores();
  await openPage(ANN);
  expect(notes()).toEqual({});
  write({ words: 'oak' });
  await vi.waitFor(async () => expect(await readKept(ANN)).toEqual([['shelf words', 'oak']]));
  await deleteStored(ANN);
  expect(await readKept(ANN)).toEqual([]);
  expect(await readKept(ANNA)).toEqual([['shelf words', 'elm']]);
});

test('what pages of another shape kept is dropped, and so are the databases of each person of before', async () => {
  vi.resetModules();
  vi.stubGlobal('indexedDB', new IDBFactory());
  onTestFinished(() => void vi.unstubAllGlobals());
  for (const name of ['plinth', 'plinth-usr_ann'])
    await new Promise((resolve) => {
      const opening = indexedDB.open(name, 5);
      opening.onupgradeneeded = () =>
        opening.result.createObjectStore('kept', { keyPath: 'key' }).put({ key: 'words' });
      opening.onsuccess = () => resolve(opening.result.close());
    });
  const { withStore: inNewStore, deleteExpired: sweepNewStore } = await import('./database.ts');
  expect(await inNewStore('readonly', (store) => store.count())).toBe(0);
  await sweepNewStore(Date.now());
  await vi.waitFor(async () => expect((await indexedDB.databases()).map(({ name }) => name)).toEqual(['plinth']));
});

test('a page may go away once something is told to be written', async () => {
  let isWritten = false;
  await withStore('readwrite', (store) => {
    store.transaction.addEventListener('complete', () => (isWritten = true));
    return store.put({ key: `${ANN} shelf words`, at: Date.now(), value: 'oak' });
  });
  expect(isWritten).toBe(true);
});

test('after a sign-out nothing is written any more', async () => {
  await openPage();
  write({ words: 'oak' });
  await vi.waitFor(async () => expect(await readKept()).toHaveLength(1));
  await deleteStored(ANN);
  write({ words: 'elm' });
  await new Promise((resolve) => setTimeout(resolve, 50));
  expect(await readKept()).toEqual([]);
  await openPage(ANN);
  expect(notes()).toEqual({});
});

/** Each call that a browser can refuse, as in a private window, without room, or with a broken profile. */
const refusals: [string, () => void | Promise<void>][] = [
  ['no database opens', () => void vi.spyOn(indexedDB, 'open').mockImplementation(refuse)],
  ['the database does not open after all', () => void vi.spyOn(indexedDB, 'open').mockImplementation(failLater)],
  ['nothing can be read', () => void vi.spyOn(IDBObjectStore.prototype, 'getAll').mockImplementation(refuse)],
  ['nothing can be written', () => void vi.spyOn(IDBObjectStore.prototype, 'put').mockImplementation(refuse)],
  ['nothing can be deleted', () => void vi.spyOn(IDBObjectStore.prototype, 'delete').mockImplementation(refuse)],
  [
    'no transaction begins',
    async () => {
      await readKept(); // The database's first opening is a transaction, too.
      vi.spyOn(IDBDatabase.prototype, 'transaction').mockImplementation(refuse);
    },
  ],
  [
    'no transaction ends',
    () =>
      void vi.spyOn(IDBTransaction.prototype, 'commit').mockImplementation(function (this: IDBTransaction) {
        this.abort();
      }),
  ],
];
function refuse(): never {
  throw new DOMException('no room', 'QuotaExceededError');
}
function failLater(): IDBOpenDBRequest {
  const request = new EventTarget() as IDBOpenDBRequest;
  setTimeout(() => void request.onerror?.(new Event('error')));
  return request;
}

test.each(refusals)('where %s the page goes on with what it knows', async (_, breakDown) => {
  await openPage();
  write({ before: 'oak' });
  await vi.waitFor(async () => expect(await readKept()).toHaveLength(1));
  // Another page deletes it, and this one opens it anew.
  await new Promise((resolve) => (indexedDB.deleteDatabase('plinth').onsuccess = resolve));
  resetStores();
  await breakDown();
  await openPage();
  write({ words: 'elm', gone: 'ash' });
  useShelf.setState({ notes: { words: 'elm' } });
  await new Promise((resolve) => setTimeout(resolve, 20));
  expect(notes()).toEqual({ words: 'elm' });
});

test('where the database never opens the page goes on after two seconds, and a sign-out does, too', async () => {
  await new Promise((resolve) => (indexedDB.deleteDatabase('plinth').onsuccess = resolve));
  vi.spyOn(indexedDB, 'open').mockImplementation(() => new EventTarget() as IDBOpenDBRequest);
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  onTestFinished(() => void vi.useRealTimers());
  openPersistentStores(ANN);
  await vi.advanceTimersByTimeAsync(1900);
  expect(useShelf.getState().isRead).toBe(false);
  await vi.advanceTimersByTimeAsync(200);
  expect(useShelf.getState().isRead).toBe(true);
  const forgetting = expect(deleteStored(ANN)).rejects.toThrow('does not answer');
  await vi.advanceTimersByTimeAsync(2000);
  await forgetting;
});
