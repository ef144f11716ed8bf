import 'fake-indexeddb/auto';
import { expect, test } from 'vitest';
import { storeHandoff, takeHandoff } from './handoff.ts';
import { withStore, deleteExpired } from './storage/database.ts';

const photo = new File(['bytes'], 'mug.jpg', { type: 'image/jpeg' });
const count = () => withStore('readonly', (store) => store.count());

test('a photo is taken once, by its tool, with its name and words, and nothing is left', async () => {
  await storeHandoff({ toolId: 'text-to-image', photo, words: 'on oak' });
  expect(await takeHandoff('remover')).toBeNull();
  const handoff = await takeHandoff('text-to-image');
  expect(handoff).toMatchObject({ toolId: 'text-to-image', words: 'on oak' });
  expect([handoff?.photo.name, handoff?.photo.type, await handoff?.photo.text()]).toEqual([
    'mug.jpg',
    'image/jpeg',
    'bytes',
  ]);
  expect(await count()).toBe(0);
  expect(await takeHandoff('text-to-image')).toBeNull();
});

test('what nobody takes out goes when its time is over', async () => {
  await storeHandoff({ toolId: 'remover', photo, words: null });
  await deleteExpired(Date.now() - 60_000);
  expect(await count()).toBe(1);
  await deleteExpired(Date.now());
  expect(await count()).toBe(0);
});
