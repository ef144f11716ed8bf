// @vitest-environment jsdom
import { screen } from '@testing-library/react';
import { expect, test } from 'vitest';
import { makeRun } from '../../../test/makers.ts';
import { makePhoto } from '../../../test/photos.ts';
import { renderScreen } from '../../../test/screen.tsx';
import { json, startServer } from '../../../test/server.ts';
import { usePhotos } from '../photos.ts';
import { RunsScreen } from './RunsScreen.tsx';

test('a catalogue in the list counts the photos that this browser has still to send', async () => {
  usePhotos.setState({
    photos: [
      makePhoto('one', { state: 'sent' }),
      makePhoto('two', { state: 'sent' }),
      makePhoto('three'),
      makePhoto('four', { runId: 'run_2' }),
    ],
  });
  const { origin } = await startServer({ 'GET /api/v1/runs': json({ items: [makeRun()], nextCursor: null }) });
  renderScreen(<RunsScreen />, { origin });
  expect(await screen.findByText('0 of 3 ready, 2 waiting, 1 to upload')).toBeTruthy();
});
