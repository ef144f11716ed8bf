// @vitest-environment jsdom
import { act, screen } from '@testing-library/react';
import { expect, test } from 'vitest';
import { makeRun } from '../../test/makers.ts';
import { renderScreen } from '../../test/screen.tsx';
import { json, startServer } from '../../test/server.ts';
import { applyRunEvent } from './run-news.ts';

test.each([
  [1, '“Autumn mugs” is done: 1 of 3 is ready.'],
  [2, '“Autumn mugs” is done: 2 of 3 are ready.'],
])('the end of a catalogue is said: %i ready', async (succeeded, sentence) => {
  const counts = { total: 3, queued: 0, running: 0, succeeded, failed: 3 - succeeded, canceled: 0 };
  const run = makeRun({ status: 'finished', counts, finishedAt: new Date().toISOString() });
  const { origin } = await startServer({ 'GET /api/v1/runs/run_1': json(run) });
  const { api, queryClient } = renderScreen(<p>there</p>, { origin });
  await screen.findByText('there');
  await act(() => applyRunEvent(api, queryClient, { id: 'run_1', status: 'finished', counts }));
  expect(await screen.findByText(sentence)).toBeTruthy();
});
