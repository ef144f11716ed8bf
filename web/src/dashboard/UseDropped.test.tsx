// @vitest-environment jsdom
import { screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, test } from 'vitest';
import { pictureFile, renderScreen } from '../../test/screen.tsx';
import { changePage, readDraft, readPage } from '../generations/memory.ts';
import { UseDropped } from './UseDropped.tsx';

test('a photo dropped elsewhere takes the place of one that its tool refused, or still reads', async () => {
  const file = pictureFile('mug.jpg');
  changePage('remover', { photos: { image: { refusal: 'No picture', reading: pictureFile('late.heic') } } });
  renderScreen(<UseDropped files={[file]} onClose={() => {}} />, { origin: '' });
  await userEvent.click(await screen.findByRole('button', { name: 'Remover Background' }));
  await waitFor(() => expect(readDraft('remover')).toEqual({ image: { file, width: 800, height: 800 } }));
  expect(readPage('remover').photos).toEqual({ image: {} });
});
