import 'fake-indexeddb/auto';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { forgetKept, inStore, keepAgain } from './browser-store.ts';
import { resetClientStores } from './client-store.ts';
import { createKeptStore, openKeptStores } from './kept-store.ts';
import { sweepKept } from './sweep-kept.ts';

type Shelf = { notes: Readonly<Record<string, unknown>>; shownId: string | null; isRead: boolean };
type Kept = { key: string; at: number; value: unknown };

const ANN = 'usr_ann';
const BOB = 'usr_bob';
const DAY_MS = 24 * 3600 * 1000;

const useShelf = createKeptStore<Shelf>({
  name: 'shelf',
  initial: { notes: {}, shownId: null, isRead: false },
  split: ({ notes }) => new Map(Object.entries(notes)),
  join: (shelf, kept) => ({ ...shelf, notes: { ...Object.fromEntries(kept), ...shelf.notes } }),
  afterSession: (shelf) => ({ ...shelf, shownId: null }),
  isLasting: (key) => key.startsWith('lasting'),
  drop: ({ notes: all, ...shelf }, isOld) => ({
    ...shelf,
    notes: Object.fromEntries(Object.entries(all).filter(([key]) => !isOld(key))),
  }),
});
const notes = () => useShelf.getState().notes;
const write = (part: Shelf['notes']) => useShelf.setState(({ notes: before }) => ({ notes: { ...before, ...part } }));
const readKept = async (userId = ANN) =>
  (await inStore<Kept[]>(userId, 'readonly', (store) => store.getAll())).map(({ key, value }) => [key, value]);

/** A page of somebody, as after a reload: it knows nothing but what the browser kept. */
async function openPage(userId = ANN) {
  resetClientStores('page');
  openKeptStores(userId);
  await vi.waitFor(() => expect(useShelf.getState().isRead).toBe(true));
}

const wipe = async (userId: string) => {
  await forgetKept(userId);
  keepAgain(userId);
};

beforeEach(async () => {
  resetClientStores('page');
  for (const userId of [ANN, BOB]) await wipe(userId);
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
  resetClientStores('page');
  openKeptStores(ANN);
  write({ words: 'elm' });
  await vi.waitFor(() => expect(notes()).toEqual({ words: 'elm', other: 'ash' }));
  await vi.waitFor(async () => expect(await readKept()).toContainEqual(['shelf words', 'elm']));
});

test('after 48 hours only what lasts is left, in the browser too', async () => {
  await openPage();
  write({ words: 'oak', 'lasting choice': 'square' });
  await vi.waitFor(async () => expect(await readKept()).toHaveLength(2));
  vi.spyOn(Date, 'now').mockReturnValue(Date.now() + 2 * DAY_MS);
  await openPage();
  expect(notes()).toEqual({ 'lasting choice': 'square' });
  await sweepKept();
  expect(await readKept()).toEqual([['shelf lasting choice', 'square']]);
});

test('after 48 hours it is gone from a page that stays open, and of those who never come back', async () => {
  await openPage();
  write({ words: 'oak', 'lasting choice': 'square' });
  await vi.waitFor(async () => expect(await readKept()).toHaveLength(2));
  resetClientStores('person');
  await openPage(BOB);
  write({ words: 'elm', 'lasting choice': 'round' });
  await vi.waitFor(async () => expect(await readKept(BOB)).toHaveLength(2));
  await sweepKept();
  expect(notes()).toEqual({ words: 'elm', 'lasting choice': 'round' });
  vi.spyOn(Date, 'now').mockReturnValue(Date.now() + 2 * DAY_MS);
  await sweepKept();
  expect(notes()).toEqual({ 'lasting choice': 'round' });
  expect(await readKept(BOB)).toEqual([['shelf lasting choice', 'round']]);
  expect(await readKept(ANN)).toEqual([['shelf lasting choice', 'square']]);
});

test('what is written anew while what is old goes stays, in this page and in the browser', async () => {
  await openPage();
  write({ words: 'oak', other: 'ash' });
  await vi.waitFor(async () => expect(await readKept()).toHaveLength(2));
  vi.spyOn(Date, 'now').mockReturnValue(Date.now() + 2 * DAY_MS);
  vi.spyOn(IDBObjectStore.prototype, 'getAll').mockImplementationOnce(function (this: IDBObjectStore) {
    const reading = this.getAll();
    reading.addEventListener('success', () => write({ words: 'elm' }));
    return reading;
  });
  await sweepKept();
  expect(notes()).toEqual({ words: 'elm' });
  await vi.waitFor(async () => expect(await readKept()).toEqual([['shelf words', 'elm']]));
});

test('the end of a session leaves what is kept for the same person, in this page too; another person finds nothing', async () => {
  await openPage();
  write({ words: 'oak' });
  useShelf.setState({ shownId: 'one' });
  await vi.waitFor(async () => expect(await readKept()).toHaveLength(1));
  resetClientStores('session');
  expect([notes(), useShelf.getState().shownId]).toEqual([{ words: 'oak' }, null]);
  openKeptStores(ANN);
  expect(notes()).toEqual({ words: 'oak' });
  resetClientStores('person');
  expect(notes()).toEqual({});
  openKeptStores(BOB);
  await vi.waitFor(() => expect(useShelf.getState().isRead).toBe(true));
  expect(notes()).toEqual({});
  expect(await readKept(BOB)).toEqual([]);
  expect(await readKept(ANN)).toEqual([['shelf words', 'oak']]);
});

test('a page may go away once something is told to be written', async () => {
  let isWritten = false;
  await inStore(ANN, 'readwrite', (store) => {
    store.transaction.addEventListener('complete', () => (isWritten = true));
    return store.put({ key: 'shelf words', at: Date.now(), value: 'oak' });
  });
  expect(isWritten).toBe(true);
});

test('after a sign-out nothing is written any more', async () => {
  await openPage();
  write({ words: 'oak' });
  await vi.waitFor(async () => expect(await readKept()).toHaveLength(1));
  await forgetKept(ANN);
  write({ words: 'elm' });
  await new Promise((resolve) => setTimeout(resolve, 50));
  expect((await indexedDB.databases()).map(({ name }) => name)).not.toContain(`plinth-${ANN}`);
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
  // A page of its own opens its database anew.
  await wipe(ANN);
  await breakDown();
  await openPage();
  write({ words: 'elm', gone: 'ash' });
  useShelf.setState({ notes: { words: 'elm' } });
  await new Promise((resolve) => setTimeout(resolve, 20));
  expect(notes()).toEqual({ words: 'elm' });
});
