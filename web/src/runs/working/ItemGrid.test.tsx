// @vitest-environment jsdom
import { screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, test } from 'vitest';
import { makeGeneration, makeRun, makeRunItem } from '../../../test/makers.ts';
import { renderScreen } from '../../../test/screen.tsx';
import { startServer } from '../../../test/server.ts';
import { FRESH } from '../photo-acts.ts';
import { usePhotos, type Photo } from '../photos.ts';
import { ItemGrid } from './ItemGrid.tsx';

const photo = (id: string, part: Partial<Photo> = {}): Photo => ({
  ...FRESH,
  id,
  runId: 'run_1',
  name: `${id}.jpg`,
  path: `${id}.jpg`,
  type: 'image/jpeg',
  bytes: 1,
  addedAt: 0,
  ...part,
});

const item = (id: string) =>
  makeRunItem({
    id,
    sku: null,
    filename: `${id}.jpg`,
    generation: makeGeneration({ tool: 'remover', input: {}, runId: 'run_1', status: 'queued' }),
  });

const tiles = () => screen.getAllByRole('listitem').map(({ textContent }) => textContent);

test('shows every photo of the list from the first moment, in its order: what is still to be sent, too', async () => {
  usePhotos.setState({
    photos: [
      photo('mug'),
      photo('lamp', { state: 'sent', itemId: 'lamp' }),
      photo('vase', { state: 'sent', itemId: 'vase' }),
      photo('broken', { state: 'refused' }),
      photo('chair', { sku: 'CH-1' }),
      photo('of another', { runId: 'run_2' }),
    ],
  });
  const { origin } = await startServer({});
  renderScreen(<ItemGrid run={makeRun({ status: 'open' })} items={[item('of another browser'), item('lamp')]} />, {
    origin,
  });
  await screen.findByText('mug.jpg');
  expect(tiles()).toEqual([
    'To uploadmug.jpg',
    'Waitinglamp.jpg',
    'Waitingvase.jpg',
    'To uploadCH-1',
    'Waitingof another browser.jpg',
  ]);
  await userEvent.setup().click(screen.getByRole('button', { name: /^To upload/ }));
  expect(tiles()).toEqual(['To uploadmug.jpg', 'To uploadCH-1']);
});
