// @vitest-environment jsdom
import { fireEvent, screen } from '@testing-library/react';
import { expect, onTestFinished, test, vi } from 'vitest';
import { errors } from '@plinth/contract/errors';
import { tools } from '@plinth/contract/tools';
import { pictureFile, renderScreen } from '../../test/screen.tsx';
import { pictureOf } from './drafts.ts';
import { changeStage, readDraft, readPage, readStage, rememberForm, useMemory } from './memory.ts';
import { PhotoSuggestions } from './form/PhotoSuggestions.tsx';
import { handPhoto } from './hand-photo.ts';
import { putPhoto, pickPhoto } from './pick-photo.ts';

async function setUp() {
  const taken: (string | undefined)[] = [];
  const unsubscribe = useMemory.subscribe((...memories) => {
    const [now, before] = memories.map((memory) => pictureOf(readDraft('text-to-image', memory), 'image')?.file);
    if (now !== before) taken.push(now?.name);
  });
  onTestFinished(unsubscribe);
  const late = Promise.withResolvers<File>();
  const take = (file: File | Promise<File>) => void pickPhoto('text-to-image', 'image', file);
  const earlier = { file: pictureFile('own.jpg'), width: 8, height: 8, mediaId: 'med_1' };
  function Screen() {
    const { reading, refusal } = useMemory((memory) => readPage('text-to-image', memory).photos['image']) ?? {};
    return (
      <>
        <output>{reading ? 'reading' : (refusal ?? 'ready')}</output>
        <button onClick={() => take(late.promise)}>A late file</button>
        <button onClick={() => take(pictureFile('own.jpg'))}>A file</button>
        <button onClick={() => putPhoto('text-to-image', 'image', earlier)}>An earlier result</button>
        <button onClick={() => putPhoto('text-to-image', 'image', null)}>Remove</button>
        <PhotoSuggestions field={tools['text-to-image'].fields.image} isLocked={false} onFile={take} />
      </>
    );
  }
  renderScreen(<Screen />, { origin: '' });
  await screen.findByText('ready');
  return {
    taken,
    late,
    press: (name: string | RegExp) => fireEvent.click(screen.getAllByRole('button', { name })[0]!),
  };
}

test.each(['A file', 'An earlier result'])(
  'what is read late does not replace what was chosen later: %s',
  async (own) => {
    const { taken, late, press } = await setUp();
    press('A late file');
    press(own);
    await screen.findByText('ready');
    late.resolve(pictureFile('late.jpg'));
    await new Promise((resolve) => setTimeout(resolve, 50));
    expect(taken).toEqual(['own.jpg']);
  },
);

test('what is read late does not come back to a field whose photo was removed', async () => {
  const { taken, late, press } = await setUp();
  press('A late file');
  press('Remove');
  await screen.findByText('ready');
  late.resolve(pictureFile('late.jpg'));
  await new Promise((resolve) => setTimeout(resolve, 50));
  expect(taken).toEqual([]);
});

test('a sample that breaks off on its way is refused, and another photo may be chosen', async () => {
  const breaksOff = { ok: true, blob: () => Promise.reject(new TypeError('broken')) };
  const fetching = vi.spyOn(globalThis, 'fetch').mockResolvedValue(breaksOff as unknown as Response);
  onTestFinished(() => fetching.mockRestore());
  const { press } = await setUp();
  press(/Use the sample/);
  expect(await screen.findByText(errors.image_read_failed.detail)).toBeTruthy();
});

test('a photo from another screen leaves its own result on the stage, also one that is not read yet, and no other', () => {
  const photo = (name: string) => ({ file: pictureFile(name), width: 8, height: 8 });
  changeStage('remover', { shown: 'gen_1', row: ['gen_1'] });
  rememberForm('gen_1', { image: '/own.jpg/2048' });
  handPhoto('remover', photo('own.jpg'));
  expect(readStage('remover').shown).toBe('gen_1');
  handPhoto('remover', photo('other.jpg'));
  expect(readStage('remover')).toMatchObject({ shown: null, row: [] });
});
