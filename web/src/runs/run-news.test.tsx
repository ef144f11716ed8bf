// @vitest-environment jsdom
import { act, screen } from '@testing-library/react';
import { afterEach, expect, test } from 'vitest';
import { makeRun } from '../../test/makers.ts';
import { renderScreen } from '../../test/screen.tsx';
import { json, startServer } from '../../test/server.ts';
import { say } from '../ui/toast.tsx';
import { applyRunEvent } from './run-news.ts';

const SENTENCES = [
  [1, '“Autumn mugs” is done: 1 of 3 is ready.'],
  [2, '“Autumn mugs” is done: 2 of 3 are ready.'],
] as const;

afterEach(() => window.history.replaceState(null, '', '/'));

async function hearOfEnd(succeeded: number) {
  const counts = { total: 3, queued: 0, running: 0, succeeded, failed: 3 - succeeded, canceled: 0 };
  const run = makeRun({ status: 'finished', counts, finishedAt: new Date().toISOString() });
  const { origin } = await startServer({ 'GET /api/v1/runs/run_1': json(run) });
  const { api, queryClient } = renderScreen(<p>there</p>, { origin });
  await screen.findByText('there');
  await act(() => applyRunEvent(api, queryClient, { id: 'run_1', status: 'finished', counts }));
}

test.each(SENTENCES)('the end of a catalogue is said: %i ready', async (succeeded, sentence) => {
  await hearOfEnd(succeeded);
  expect(await screen.findByText(sentence)).toBeTruthy();
});

test('on its own page the end of a catalogue is not said once more', async () => {
  window.history.replaceState(null, '', '/dashboard/catalogue/run_1');
  await hearOfEnd(2);
  say.done('And something else.');
  await screen.findByText('And something else.');
  expect(screen.queryByText(SENTENCES[1][1])).toBe(null);
});

test('news of a catalogue that is not shown asks nothing while it runs', async () => {
  const { origin, asked } = await startServer({});
  const { api, queryClient } = renderScreen(<p>there</p>, { origin });
  await screen.findByText('there');
  const counts = { total: 3, queued: 1, running: 1, succeeded: 1, failed: 0, canceled: 0 };
  await applyRunEvent(api, queryClient, { id: 'run_1', status: 'open', counts });
  expect(asked).toEqual([]);
});
