// @vitest-environment jsdom
import { screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, onTestFinished, test, vi } from 'vitest';
import { makeRun, makeRunItem } from '../../../test/makers.ts';
import { renderScreen } from '../../../test/screen.tsx';
import { hangUp, inTurn, json, read, startServer } from '../../../test/server.ts';
import { FRESH, putPhotos } from '../photo-actions.ts';
import { usePhotos } from '../photos.ts';
import { useRunActions } from './useRunActions.ts';

const run = makeRun();

function Cancel() {
  const { cancel, isBusy } = useRunActions(run);
  return (
    <button disabled={isBusy} onClick={() => cancel()}>
      Cancel
    </button>
  );
}

test('what is still to be sent is forgotten only when the catalogue is canceled', async () => {
  const { origin, asked } = await startServer({
    'GET /api/v1/credits': json({ credits: 9 }),
    'POST /api/v1/runs/run_1/cancel': inTurn(hangUp, json(makeRun({ status: 'canceled' }))),
  });
  putPhotos([
    { ...FRESH, id: 'a', runId: run.id, name: 'a.jpg', path: 'a.jpg', type: 'image/jpeg', bytes: 5, addedAt: 1 },
  ]);
  renderScreen(<Cancel />, { origin });
  const user = userEvent.setup();
  const isFree = () => expect(screen.getByRole('button', { name: 'Cancel' })).toHaveProperty('disabled', false);
  await user.click(await screen.findByRole('button', { name: 'Cancel' }));
  await waitFor(() => expect(asked).toContain('POST /api/v1/runs/run_1/cancel'));
  await waitFor(isFree);
  expect(usePhotos.getState().photos).toHaveLength(1);
  await user.click(screen.getByRole('button', { name: 'Cancel' }));
  await waitFor(() => expect(usePhotos.getState().photos).toHaveLength(0));
});

function Mark() {
  const { mark } = useRunActions(run);
  return <button onClick={() => mark(makeRunItem(), { box: [0.1, 0.2, 0.8, 0.9] })}>Mark</button>;
}

test('without a network it is refused at once, and nothing is sent and paid by itself once there is one', async () => {
  const { origin, asked } = await startServer({
    'GET /api/v1/credits': json({ credits: 9 }),
    'POST /api/v1/runs/run_1/retry': hangUp,
  });
  renderScreen(<Mark />, { origin });
  const button = await screen.findByRole('button', { name: 'Mark' });
  const onLine = vi.spyOn(navigator, 'onLine', 'get').mockReturnValue(false);
  const connect = (isOnline: boolean) => {
    onLine.mockReturnValue(isOnline);
    window.dispatchEvent(new Event(isOnline ? 'online' : 'offline'));
  };
  onTestFinished(() => connect(true));
  connect(false);
  await userEvent.click(button);
  expect(await screen.findByText(/^No answer from the server/)).toBeTruthy();
  const count = asked.length;
  connect(true);
  await new Promise((resolve) => setTimeout(resolve, 50));
  expect(asked.slice(count).filter((request) => request.startsWith('POST'))).toEqual([]);
});

test('of a photo that is marked only its marks are sent', async () => {
  const bodies: string[] = [];
  const { origin } = await startServer({
    'GET /api/v1/credits': json({ credits: 9 }),
    'POST /api/v1/runs/run_1/retry': async (request, response) => {
      bodies.push(await read(request));
      await json(makeRun(), 202)(request, response);
    },
  });
  renderScreen(<Mark />, { origin });
  await userEvent.click(await screen.findByRole('button', { name: 'Mark' }));
  const { id } = makeRunItem();
  await waitFor(() => expect(bodies).toEqual([JSON.stringify({ items: [id], marks: { box: [0.1, 0.2, 0.8, 0.9] } })]));
});
