import 'fake-indexeddb/auto';
import { expect, test, vi } from 'vitest';
import { inStore, sweepKept } from '../../platform/kept/browser-store.ts';
import { openKeptStores } from '../../platform/kept/kept-store.ts';
import { setForm } from './useNewRun.ts';

const readKeys = () => inStore<string[]>('readonly', (store) => store.getAllKeys());

test('what was typed for a catalogue goes when its time is over, what was chosen is there for the next one', async () => {
  openKeptStores('usr_ann');
  setForm({ name: 'Autumn mugs', texts: { prompt: 'on oak' }, packs: ['etsy'], heightCm: '9.5' });
  await vi.waitFor(async () => expect(await readKeys()).toContain('usr_ann catalogue texts'));
  await sweepKept(Date.now());
  expect(await readKeys()).toEqual(['lookId', 'packs', 'tool'].map((name) => `usr_ann catalogue ${name}`));
});
