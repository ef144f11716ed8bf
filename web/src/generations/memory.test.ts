import 'fake-indexeddb/auto';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { tools } from '@plinth/contract/tools';
import { makeGeneration } from '../../test/makers.ts';
import { resetStores } from '../../test/stores.ts';
import { withStore } from '../platform/storage/database.ts';
import { deleteStored, openPersistentStores } from '../platform/storage/persistent-store.ts';
import {
  changeDraft,
  changePage,
  changeStage,
  isUnderWay,
  keepSteps,
  listUploads,
  readDraft,
  readPage,
  readStage,
  rememberForm,
  rememberScene,
  rememberUpload,
  useMemory,
} from './memory.ts';
import { nextAttempt } from './useSubmit.ts';

const ANN = 'usr_ann';
const tool = tools['text-to-image'];
const box = [0.1, 0.1, 0.7, 0.7] as [number, number, number, number];
const steps = [{ kind: 'box' as const, box }];
const photo = (name = 'vase.jpg') => new File([name], name, { type: 'image/jpeg', lastModified: 5 });
const picked = { file: photo(), width: 800, height: 600, marks: { box }, subject: { box, sure: true, outline: null } };

const countKept = async () => withStore<number>('readonly', (store) => store.count());
const openPage = async () => {
  resetStores();
  openPersistentStores(ANN);
  await vi.waitFor(() => expect(useMemory.getState().isRead).toBe(true));
};
const reload = async (pieces: number) => {
  await vi.waitFor(async () => expect(await countKept()).toBe(pieces));
  await openPage();
};

afterEach(() => vi.restoreAllMocks());
beforeEach(async () => {
  resetStores();
  await deleteStored(ANN);
  await openPage();
});

test('a form is there again after a reload, with its photo, what was found and shown in it, and its placement', async () => {
  changeDraft('text-to-image', () => ({ image: picked, prompt: 'oak', placement: '{"x":0.5}' }));
  changeDraft('remover', () => ({ image: { ...picked, file: photo('cup.jpg') } }));
  await reload(4);
  const { image, ...rest } = readDraft('text-to-image');
  expect(rest).toEqual({ prompt: 'oak', placement: '{"x":0.5}' });
  expect(image).toMatchObject({ width: 800, marks: { box }, subject: { box, sure: true } });
  expect(await (image as typeof picked).file.text()).toBe('vase.jpg');
  expect(readDraft('remover')['image']).toMatchObject({ file: { name: 'cup.jpg', type: 'image/jpeg' } });
});

test('a form that had no answer keeps its key over a reload; another photo of the same name gets a new one', async () => {
  const draft = { image: picked, prompt: 'oak' };
  const attempt = nextAttempt(null, tool, draft);
  changeDraft('text-to-image', () => draft);
  changeStage('text-to-image', { attempt });
  await reload(3);
  const kept = readStage('text-to-image').attempt;
  expect(nextAttempt(kept, tool, readDraft('text-to-image')).key).toBe(attempt.key);
  const other = new File(['VASE.JPG'], 'vase.jpg', { type: 'image/jpeg', lastModified: 6 });
  const again = nextAttempt(kept, tool, { ...draft, image: { ...picked, file: other } });
  expect(again.key).not.toBe(attempt.key);
});

test('what a page was doing does not outlive it; what stood on the stage does', async () => {
  changePage('remover', { sending: { bytes: null, stop: () => {} }, refusal: { sentence: 'No.', field: null } });
  changeStage('remover', { shown: 'gen_2', row: ['gen_1', 'gen_2'] });
  rememberForm('gen_2', { image: '/vase.jpg/8' });
  changePage('remover', { resumption: 'done' });
  await reload(2);
  expect(readStage('remover')).toMatchObject({ shown: 'gen_2', row: ['gen_1', 'gen_2'] });
  expect(useMemory.getState().made).toEqual({ gen_2: { image: '/vase.jpg/8' } });
  expect(readDraft('remover')).toEqual({});
  expect(readPage('remover')).toEqual({
    photos: {},
    sending: null,
    isSendingOthers: false,
    refusal: null,
    resumption: 'due',
  });
});

test('the last three photos are kept, the newest first, each once', async () => {
  let at = Date.now();
  vi.spyOn(Date, 'now').mockImplementation(() => at++);
  for (const name of ['a', 'b', 'c', 'd', 'b']) rememberUpload(photo(name));
  await reload(3);
  const kept = listUploads(useMemory.getState().uploads);
  expect(kept.map(({ file }) => file.name)).toEqual(['b', 'd', 'c']);
  expect(await kept[1]?.file.text()).toBe('d');
});

test('of what several tabs kept, the last three are at hand', async () => {
  const value = (name: string, addedAt: number) => ({ id: name, file: photo(name), addedAt });
  for (const [at, name] of ['a', 'b', 'c', 'd'].entries())
    await withStore('readwrite', (store) =>
      store.put({ key: `${ANN} tools uploads/${name}`, at: Date.now(), value: value(name, at) }),
    );
  await openPage();
  expect(listUploads(useMemory.getState().uploads).map(({ id }) => id)).toEqual(['d', 'c', 'b']);
});

test('strokes, scenes and the tool that waits for credits are kept', async () => {
  keepSteps('my cup.jpg 12', steps);
  for (const id of ['a', 'b', 'a', 'c', 'd', 'e']) rememberScene(id);
  useMemory.setState({ unfinished: 'remover' });
  await reload(3);
  expect(useMemory.getState()).toMatchObject({
    steps: { 'my cup.jpg 12': steps },
    lastScenes: ['e', 'd', 'c', 'a'],
    unfinished: 'remover',
  });
});

test('a tool is under way while its form is sent, and until its generation has ended', () => {
  expect(isUnderWay('remover')).toBe(false);
  changePage('remover', { sending: { bytes: null, stop: () => {} } });
  expect(isUnderWay('remover')).toBe(true);
  changePage('remover', { sending: null });
  const generation = makeGeneration({ tool: 'remover', status: 'running' });
  changeStage('remover', { shown: generation.id });
  useMemory.setState({ followed: [generation] });
  expect(isUnderWay('remover')).toBe(true);
  useMemory.setState({ followed: [{ ...generation, status: 'failed' }] });
  expect(isUnderWay('remover')).toBe(false);
});
