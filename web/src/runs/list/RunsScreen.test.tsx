// @vitest-environment jsdom
import { screen } from '@testing-library/react';
import { expect, test } from 'vitest';
import { makeRun } from '../../../test/makers.ts';
import { renderScreen } from '../../../test/screen.tsx';
import { json, startServer } from '../../../test/server.ts';
import { FRESH } from '../photo-acts.ts';
import { usePhotos, type Photo } from '../photos.ts';
import { RunsScreen } from './RunsScreen.tsx';

const photoOf = (id: string, runId: string, state: Photo['state']): Photo => ({
  ...FRESH,
  ...{ id, runId, state, name: 'a.jpg', path: 'a.jpg', type: 'image/jpeg', bytes: 1, addedAt: 0 },
});

test('a catalogue in the list counts the photos that this browser has still to send', async () => {
  usePhotos.setState({
    photos: [
      photoOf('one', 'run_1', 'sent'),
      photoOf('two', 'run_1', 'sent'),
      photoOf('three', 'run_1', 'waiting'),
      photoOf('four', 'run_2', 'waiting'),
    ],
  });
  const { origin } = await startServer({ 'GET /api/v1/runs': json({ items: [makeRun()], nextCursor: null }) });
  renderScreen(<RunsScreen />, { origin });
  expect(await screen.findByText('0 of 3 ready, 2 waiting, 1 to upload')).toBeTruthy();
});
