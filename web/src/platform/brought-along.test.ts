import 'fake-indexeddb/auto';
import { beforeEach, expect, test } from 'vitest';
import { bringAlong, takeBrought } from './brought-along.ts';
import { forgetKept, inStore, keepAgain } from './browser-store.ts';
import { sweepKept } from './sweep-kept.ts';

const NOW = Date.parse('2026-11-28T12:00:00Z');
const LATER = NOW + 48 * 3600 * 1000;
const photo = new File(['bytes'], 'mug.jpg', { type: 'image/jpeg' });
const listDatabases = async () => (await indexedDB.databases()).map(({ name }) => name);

beforeEach(() => forgetKept('visitor'));

test('a photo is taken once, by its tool, with its name and words, and nothing is left', async () => {
  await bringAlong({ toolId: 'text-to-image', photo, words: 'on oak' }, NOW);
  expect(await takeBrought('remover', NOW)).toBeNull();
  const brought = await takeBrought('text-to-image', LATER - 1);
  expect(brought).toMatchObject({ toolId: 'text-to-image', words: 'on oak' });
  expect([brought?.photo.name, brought?.photo.type, await brought?.photo.text()]).toEqual([
    'mug.jpg',
    'image/jpeg',
    'bytes',
  ]);
  expect(await listDatabases()).not.toContain('plinth-visitor');
  await expect(takeBrought('text-to-image', NOW)).rejects.toThrow();
});

test('after 48 hours it is gone, whichever tool asks and whatever an earlier version of this page kept', async () => {
  await bringAlong({ toolId: 'remover', photo, words: null }, NOW);
  expect(await takeBrought('text-to-image', LATER)).toBeNull();
  expect(await listDatabases()).not.toContain('plinth-visitor');
  keepAgain('visitor');
  const earlier = { key: 'brought', keptAt: NOW, toolId: 'remover', words: null, blob: photo, fileName: 'mug.jpg' };
  await inStore('visitor', 'readwrite', (store) => store.put(earlier));
  expect(await takeBrought('remover', LATER)).toBeNull();
  expect(await listDatabases()).not.toContain('plinth-visitor');
});

test('what nobody takes out is swept away after 48 hours', async () => {
  const count = () => inStore('visitor', 'readonly', (store) => store.count());
  await bringAlong({ toolId: 'remover', photo, words: null });
  await sweepKept();
  expect(await count()).toBe(1);
  await bringAlong({ toolId: 'remover', photo, words: null }, Date.now() - 48 * 3600 * 1000);
  await sweepKept();
  expect(await count()).toBe(0);
});
