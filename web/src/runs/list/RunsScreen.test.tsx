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

test('a catalogue says that its pictures are deleted once its last ones are', async () => {
  const ago = (hours: number) => new Date(Date.now() - hours * 3_600_000).toISOString();
  const ended = { createdAt: ago(60), status: 'finished' } as const;
  const items = [
    makeRun({ ...ended, id: 'run_1', finishedAt: ago(2) }),
    makeRun({ ...ended, id: 'run_2', finishedAt: ago(50) }),
  ];
  const { origin } = await startServer({ 'GET /api/v1/runs': json({ items, nextCursor: null }) });
  renderScreen(<RunsScreen />, { origin });
  const [run, over] = await screen.findAllByRole('listitem');
  expect(run?.textContent).toContain('Older pictures deleted');
  expect(over?.textContent).toContain('Pictures deleted');
  expect(over?.textContent).not.toContain('Older');
});
