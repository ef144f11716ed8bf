import 'fake-indexeddb/auto';
import { afterEach, expect, test, vi } from 'vitest';
import { bringAlong, takeBrought } from './brought-along.ts';
import { inStore, sweepKept } from './browser-store.ts';

const TWO_DAYS_MS = 48 * 3600 * 1000;
const photo = new File(['bytes'], 'mug.jpg', { type: 'image/jpeg' });
const count = () => inStore('readonly', (store) => store.count());

afterEach(() => vi.restoreAllMocks());

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

test('what nobody takes out within 48 hours is gone', async () => {
  await bringAlong({ toolId: 'remover', photo, words: null });
  const now = Date.now();
  vi.spyOn(Date, 'now').mockReturnValue(now + TWO_DAYS_MS - 1000);
  await sweepKept();
  expect(await count()).toBe(1);
  vi.spyOn(Date, 'now').mockReturnValue(now + TWO_DAYS_MS);
  await sweepKept();
  expect(await count()).toBe(0);
});
