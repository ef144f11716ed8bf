// @vitest-environment jsdom
import { screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { useState } from 'react';
import { expect, onTestFinished, test, vi } from 'vitest';
import { makeGeneration, makeRun, makeRunItem } from '../../test/makers.ts';
import { renderScreen } from '../../test/screen.tsx';
import { inTurn, json, startServer } from '../../test/server.ts';
import { useRun, useRunItems } from './useRuns.ts';

function Shown() {
  return <p>{useRun('run_1').data?.status}</p>;
}

test('where the stream of events never opens, a catalogue that works is asked for again until it is done', async () => {
  vi.useFakeTimers({ shouldAdvanceTime: true, toFake: ['setInterval', 'clearInterval', 'setTimeout', 'clearTimeout'] });
  onTestFinished(() => void vi.useRealTimers());
  const { origin, asked } = await startServer({
    'GET /api/v1/runs/run_1': inTurn(json(makeRun({ status: 'closed' })), json(makeRun({ status: 'finished' }))),
  });
  renderScreen(<Shown />, { origin });
  expect(await screen.findByText('closed')).toBeTruthy();
  await vi.advanceTimersByTimeAsync(20_000);
  expect(await screen.findByText('finished')).toBeTruthy();
  await vi.advanceTimersByTimeAsync(60_000);
  expect(asked).toHaveLength(2);
});

const atWork = { total: 1, queued: 0, running: 1, succeeded: 0, failed: 0, canceled: 0 };
const over = { ...atWork, running: 0, succeeded: 1 };

function Items({ before = atWork, after = over }) {
  const [counts, setCounts] = useState(before);
  const { data = [] } = useRunItems({ id: 'run_1', counts });
  return <button onClick={() => setCounts(after)}>{data.map(({ generation }) => generation.status).join()}</button>;
}

test('with the last picture of a catalogue all of them are read at once, and none stands there as being made', async () => {
  const page = (status: 'running' | 'succeeded') =>
    json({ items: [makeRunItem({ generation: makeGeneration({ status }) })], nextCursor: null });
  const { origin } = await startServer({
    'GET /api/v1/runs/run_1/items': inTurn(page('running'), page('succeeded')),
  });
  renderScreen(<Items />, { origin });
  await userEvent.click(await screen.findByRole('button', { name: 'running' }));
  expect(await screen.findByRole('button', { name: 'succeeded' }, { timeout: 2000 })).toBeTruthy();
});

test('the pictures of a small catalogue stand there while others are still to come', async () => {
  const none = { ...atWork, total: 0, running: 0 };
  const { origin } = await startServer({
    'GET /api/v1/runs/run_1/items': inTurn(
      json({ items: [], nextCursor: null }),
      json({ items: [makeRunItem({ generation: makeGeneration({ status: 'running' }) })], nextCursor: null }),
    ),
  });
  renderScreen(<Items before={none} after={{ ...atWork, total: 4 }} />, { origin });
  await userEvent.click(await screen.findByRole('button'));
  expect(await screen.findByRole('button', { name: 'running' }, { timeout: 1500 })).toBeTruthy();
});
