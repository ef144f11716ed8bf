// @vitest-environment jsdom
import { act, fireEvent, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, onTestFinished, test, vi } from 'vitest';
import { makeGeneration, makeResult, makeRun, makeRunItem } from '../../../test/makers.ts';
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
  ['is gone says so and leads nowhere', 404, 0],
  ['was out of reach for a moment stays what it is', 503, 1],
])('a picture that %s', async (_what, status, links) => {
  usePhotos.setState({ photos: [] });
  const asked = vi.spyOn(globalThis, 'fetch').mockImplementation(async () => new Response(null, { status }));
  onTestFinished(() => asked.mockRestore());
  const { generation } = item('mug');
  const ready = { ...item('mug'), generation: { ...generation, status: 'succeeded' as const, result: makeResult() } };
  const { origin } = await startServer({});
  const { container } = renderScreen(<ItemGrid run={makeRun()} items={[ready]} />, { origin });
  await screen.findByRole('link', { name: /view large/ });
  fireEvent.error(container.querySelector('.run-tile img')!);
  await waitFor(() => expect(asked).toHaveBeenCalledWith(expect.stringContaining('/preview'), { method: 'HEAD' }));
  await act(() => new Promise((resolve) => setTimeout(resolve, 20)));
  expect(screen.queryAllByRole('link')).toHaveLength(links);
  expect(screen.queryAllByText('Deleted')).toHaveLength(1 - links);
});
