// @vitest-environment jsdom
import { screen } from '@testing-library/react';
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

function Items({ status }: { status: 'open' | 'finished' }) {
  const { data } = useRunItems({ id: 'run_1', status });
  return <p>{data && `items ${data.map(({ generation }) => generation.status).join()}.`}</p>;
}

test.each([
  ['open', 'a catalogue that goes on fills', [], 'running'],
  ['finished', 'nothing stands there as being made for good', ['running'], 'succeeded'],
] as const)('without news, while %s, %s', async (status, _, before, after) => {
  vi.useFakeTimers({ shouldAdvanceTime: true, toFake: ['setInterval', 'clearInterval', 'setTimeout', 'clearTimeout'] });
  onTestFinished(() => void vi.useRealTimers());
  const page = (...statuses: readonly ('running' | 'succeeded')[]) =>
    json({
      items: statuses.map((one) => makeRunItem({ generation: makeGeneration({ status: one }) })),
      nextCursor: null,
    });
  const { origin } = await startServer({ 'GET /api/v1/runs/run_1/items': inTurn(page(...before), page(after)) });
  renderScreen(<Items status={status} />, { origin });
  expect(await screen.findByText(`items ${before.join()}.`)).toBeTruthy();
  await vi.advanceTimersByTimeAsync(20_000);
  expect(await screen.findByText(`items ${after}.`)).toBeTruthy();
});
