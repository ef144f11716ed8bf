// @vitest-environment jsdom
import { act, screen } from '@testing-library/react';
import { afterEach, expect, test } from 'vitest';
import { makeRun } from '../../test/makers.ts';
import { renderScreen } from '../../test/screen.tsx';
import { json, startServer } from '../../test/server.ts';
import { say } from '../ui/above/toast.tsx';
import { announceEnd } from './useRuns.ts';

const SENTENCES = [
  [3, 0, '“Autumn mugs” is done. All 3 pictures ready.', false],
  [3, 1, '“Autumn mugs” is done. 3 pictures ready, 1 lacks a marketplace file.', true],
  [2, 0, '“Autumn mugs” is done. 2 of 3 ready, 1 did not work.', true],
  [0, 0, '“Autumn mugs” is done. 0 of 3 ready, 3 did not work.', true],
] as const;

afterEach(() => window.history.replaceState(null, '', '/'));

async function hearOfEnd(succeeded: number, incomplete = 0, agoMs = 0) {
  const counts = { total: 3, queued: 0, running: 0, succeeded, failed: 3 - succeeded, canceled: 0 };
  const finishedAt = new Date(Date.now() - agoMs).toISOString();
  const run = makeRun({ status: 'finished', counts, incomplete, finishedAt });
  const { origin } = await startServer({ 'GET /api/v1/runs/run_1': json(run) });
  const { api } = renderScreen(<p>there</p>, { origin });
  await screen.findByText('there');
  await act(() => announceEnd(api, 'run_1'));
}

test.each(SENTENCES)('the end is said: %i ready, of which %i lack a file', async (ready, lacking, sentence, hasWay) => {
  await hearOfEnd(ready, lacking);
  expect(await screen.findByText(sentence)).toBeTruthy();
  expect(screen.queryByText('See which') !== null).toBe(hasWay);
});

test.each([
  ['on its own page', '/dashboard/catalogue/run_1', 0],
  ['long after it', '/', 120_000],
])('%s the end of a catalogue is not said once more', async (_, path, agoMs) => {
  window.history.replaceState(null, '', path);
  await hearOfEnd(2, 0, agoMs);
  say.done('And something else.');
  await screen.findByText('And something else.');
  expect(screen.queryByText(SENTENCES[2][2])).toBe(null);
});
