import 'fake-indexeddb/auto';
import { expect, test } from 'vitest';
import { bringAlong, takeBrought } from './brought-along.ts';
import { withStore, deleteExpired } from './storage/database.ts';

const photo = new File(['bytes'], 'mug.jpg', { type: 'image/jpeg' });
const count = () => withStore('readonly', (store) => store.count());

test('a photo is taken once, by its tool, with its name and words, and nothing is left', async () => {
  await bringAlong({ toolId: 'text-to-image', photo, words: 'on oak' });
  expect(await takeBrought('remover')).toBeNull();
  const brought = await takeBrought('text-to-image');
  expect(brought).toMatchObject({ toolId: 'text-to-image', words: 'on oak' });
  expect([brought?.photo.name, brought?.photo.type, await brought?.photo.text()]).toEqual([
    'mug.jpg',
    'image/jpeg',
    'bytes',
  ]);
  expect(await count()).toBe(0);
  expect(await takeBrought('text-to-image')).toBeNull();
});

test('what nobody takes out goes when its time is over', async () => {
  await bringAlong({ toolId: 'remover', photo, words: null });
  await deleteExpired(Date.now() - 60_000);
  expect(await count()).toBe(1);
  await deleteExpired(Date.now());
  expect(await count()).toBe(0);
});
