import 'fake-indexeddb/auto';
import { expect, test, vi } from 'vitest';
import { withStore, deleteExpired } from '../../platform/storage/database.ts';
import { openPersistentStores } from '../../platform/storage/persistent-store.ts';
import { setForm } from './useNewRun.ts';

const readKeys = () => withStore<string[]>('readonly', (store) => store.getAllKeys());

test('what was typed for a catalogue goes when its time is over, what was chosen is there for the next one', async () => {
  openPersistentStores('usr_ann');
  setForm({ name: 'Autumn mugs', texts: { prompt: 'on oak' }, packs: ['etsy'], heightCm: '9.5' });
  await vi.waitFor(async () => expect(await readKeys()).toContain('usr_ann catalogue texts'));
  await deleteExpired(Date.now());
  expect(await readKeys()).toEqual(['lookId', 'packs', 'tool'].map((name) => `usr_ann catalogue ${name}`));
});
