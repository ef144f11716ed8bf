// @vitest-environment jsdom
import { screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, test } from 'vitest';
import { makeGeneration, makeRun, makeRunItem } from '../../../test/makers.ts';
import { makePhoto } from '../../../test/photos.ts';
import { renderScreen } from '../../../test/screen.tsx';
import { startServer } from '../../../test/server.ts';
import { usePhotos } from '../photos.ts';
import { ItemGrid } from './ItemGrid.tsx';

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
      makePhoto('mug'),
      makePhoto('lamp', { state: 'sent', itemId: 'lamp' }),
      makePhoto('vase', { state: 'sent', itemId: 'vase' }),
      makePhoto('broken', { state: 'refused' }),
      makePhoto('chair', { sku: 'CH-1' }),
      makePhoto('of another', { runId: 'run_2' }),
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

test.each([
  [2, ['Waitingmug.jpg', 'Waitinglamp.jpg']],
  [1, ['Waitingmug.jpg']],
])('of %i items a closed catalogue shows each photo, also before its item was read', async (total, shown) => {
  const settled = (id: string) => makePhoto(id, { state: 'settled', itemId: id });
  usePhotos.setState({ photos: [settled('mug'), settled('lamp')] });
  const { origin } = await startServer({});
  const counts = { ...makeRun().counts, total };
  renderScreen(<ItemGrid run={makeRun({ status: 'closed', counts })} items={[item('mug')]} />, { origin });
  await screen.findByText('mug.jpg');
  expect(tiles()).toEqual(shown);
});
