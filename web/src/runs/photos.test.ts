import 'fake-indexeddb/auto';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { makePhoto } from '../../test/photos.ts';
import { resetStores } from '../../test/stores.ts';
import { withStore } from '../platform/storage/database.ts';
import { deleteStored, openPersistentStores } from '../platform/storage/persistent-store.ts';
import { areStored, dropPhotos, replacePhotoOf, putPhotos } from './photo-actions.ts';
import { NOT_STARTED, usePhotos, type Photo } from './photos.ts';

const ANN = 'usr_ann';
const makeNew = (id: string, part: Partial<Photo> = {}) => makePhoto(id, { runId: NOT_STARTED, bytes: 5, ...part });
const file = (text: string) => new Blob([text], { type: 'image/jpeg' });
const listed = () => usePhotos.getState().photos.map(({ id, state }) => `${id} ${state}`);
const readKeys = () => withStore<string[]>('readonly', (store) => store.getAllKeys());

async function openPage() {
  resetStores();
  openPersistentStores(ANN);
  await vi.waitFor(() => expect(usePhotos.getState().isRead).toBe(true));
}

beforeEach(async () => {
  resetStores();
  await deleteStored(ANN);
  await openPage();
});
afterEach(() => vi.restoreAllMocks());

test('photos and their bytes are there again after a reload, in their order, and go together', async () => {
  putPhotos([makeNew('b', { place: 1 }), makeNew('a')], { a: file('one'), b: file('two') });
  await vi.waitFor(async () => expect(await readKeys()).toHaveLength(4));
  expect(await areStored(ANN, usePhotos.getState().photos)).toBe(true);
  await openPage();
  expect(listed()).toEqual(['a waiting', 'b waiting']);
  expect(await usePhotos.getState().files['b']?.text()).toBe('two');
  dropPhotos(['a']);
  await vi.waitFor(async () => expect(await readKeys()).toEqual(['usr_ann photos file b', 'usr_ann photos photo b']));
});

test('what is said of a photo does not write its bytes again', async () => {
  putPhotos([makeNew('a')], { a: file('one') });
  await vi.waitFor(async () => expect(await readKeys()).toHaveLength(2));
  const puts = vi.spyOn(IDBObjectStore.prototype, 'put');
  putPhotos([makeNew('a', { sku: 'M-01' })]);
  await vi.waitFor(() => expect(puts).toHaveBeenCalled());
  expect(puts.mock.calls.map(([{ key }]) => key as string)).toEqual(['usr_ann photos photo a']);
});

test('of a run that another tab went on with, what that tab left counts', async () => {
  const ofRun = (id: string, part: Partial<Photo> = {}) => makeNew(id, { runId: 'run_1', ...part });
  putPhotos([ofRun('a'), ofRun('b'), makeNew('mine', { addedAt: 2 })], { a: file('one'), b: file('two') });
  await vi.waitFor(async () => expect(await readKeys()).toHaveLength(5));
  const put = (photo: Photo) => ({ key: `${ANN} photos photo ${photo.id}`, at: Date.now(), value: photo });
  await withStore('readwrite', (store) => store.put(put(ofRun('a', { state: 'sent', itemId: 'rit_1' }))));
  await withStore('readwrite', (store) => store.delete(`${ANN} photos photo b`));
  await usePhotos.persist.rehydrate();
  expect(listed()).toEqual(['a sent', 'mine waiting']);
});

test('a photo in the place of an item’s has its place and its state, and one that was taken out has none', () => {
  const sent = (id: string, part: Partial<Photo>) => makeNew(id, { runId: 'run_1', itemId: `itm_${id}`, ...part });
  putPhotos([sent('a', { state: 'sent' }), sent('b', { state: 'settled' })], { a: file('one'), b: file('two') });
  const other = file('other');
  replacePhotoOf('itm_a', other);
  replacePhotoOf('itm_of_elsewhere', other);
  expect([listed(), usePhotos.getState().files['a']]).toEqual([['a sent', 'b settled'], other]);
  replacePhotoOf('itm_b', null);
  expect([listed(), Object.keys(usePhotos.getState().files)]).toEqual([['a sent'], ['a']]);
});

test('where nothing is kept, or no more beside earlier photos, that is known', async () => {
  putPhotos([makeNew('earlier', { runId: 'run_1', state: 'settled' })], { earlier: file('one') });
  await vi.waitFor(async () => expect(await readKeys()).toHaveLength(2));
  vi.spyOn(IDBObjectStore.prototype, 'put').mockImplementation(() => {
    throw new DOMException('no room', 'QuotaExceededError');
  });
  putPhotos([makeNew('a')], { a: file('one') });
  expect(await areStored(ANN, [makeNew('a')])).toBe(false);
});
