// @vitest-environment jsdom
import { screen } from '@testing-library/react';
import { expect, test } from 'vitest';
import { tools } from '@plinth/contract/tools';
import { renderScreen } from '../../test/screen.tsx';
import { json, startServer } from '../../test/server.ts';
import { useUsualTime } from './useTools.ts';

function Usual() {
  const { says, lateMs } = useUsualTime('remover', tools.remover);
  return <p>{`${says} ${lateMs}`}</p>;
}

async function show(seconds: { medianSeconds: number | null; p95Seconds: number | null }) {
  const figures = { ended: 43, succeeded: 43, refused: 0, failed: 0, creditsReturned: 0, ...seconds };
  const span = { tools: { remover: figures } };
  const parts = { engine: 'up', payments: 'up', storage: 'up', queue: 'up' };
  const status = { parts, hours24: span, days30: span, days: [], toolDays: {} };
  const { origin } = await startServer({ 'GET /api/v1/status': json(status) });
  renderScreen(<Usual />, { origin });
}

test.each([
  [2.7, 4, 'Usually 3 s. 8000'],
  [0.2, 1, 'Usually 1 s. 2000'],
  [150, 200, 'Usually 3 min. 400000'],
] as const)('a tool takes as long as this site measured: %d s', async (medianSeconds, p95Seconds, says) => {
  await show({ medianSeconds, p95Seconds });
  expect(await screen.findByText(says)).toBeTruthy();
});

test('while too little is measured the tool’s own sentence stands', async () => {
  await show({ medianSeconds: null, p95Seconds: null });
  expect(await screen.findByText(`${tools.remover.says.wait} ${2 * tools.remover.usualMs}`)).toBeTruthy();
});
