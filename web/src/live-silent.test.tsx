// @vitest-environment jsdom
import 'fake-indexeddb/auto';
import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeEach, expect, onTestFinished, test, vi } from 'vitest';
import { tools } from '@plinth/contract/tools';
import { makeGeneration, makeMedia, makeResult, makeSession } from '../test/makers.ts';
import { clearBrowser, pictureFile, renderScreen } from '../test/screen.tsx';
import { inTurn, json, startServer } from '../test/server.ts';
import { HistoryWithRunning } from './dashboard/HistoryWithRunning.tsx';
import { ToolScreen } from './generations/ToolScreen.tsx';
import { useLive } from './live.ts';

const nothing = { items: [], nextCursor: null };
const stage = () => within(screen.getByRole('region', { name: 'Result' }));

function SignedIn() {
  useLive(makeSession().user.id);
  return <ToolScreen toolId="text-to-image" />;
}

beforeEach(clearBrowser);

test('where the stream is taken and never answered, one generation is asked for until its result stands there', async () => {
  vi.useFakeTimers({ shouldAdvanceTime: true, toFake: ['setInterval', 'clearInterval', 'setTimeout', 'clearTimeout'] });
  onTestFinished(() => void vi.useRealTimers());
  // On a busy machine the clock, which follows the real one too, may bring more readings than were waited for.
  let generation = makeGeneration({ status: 'running' });
  const { origin, asked } = await startServer({
    'GET /api/v1/events': () => {},
    'GET /api/v1/credits': json({ credits: 12 }),
    'GET /api/v1/generations': json(nothing),
    'GET /api/v1/generations/gen_1': (request, response) => json(generation)(request, response),
    'GET /api/v1/media/med_1': json(makeMedia()),
    'GET /api/v1/tools': json(nothing),
    'POST /api/v1/tools/text-to-image/generations': json(makeGeneration(), 202),
  });
  const user = userEvent.setup({ advanceTimers: (ms) => vi.advanceTimersByTime(ms) });
  renderScreen(<SignedIn />, { origin });
  await user.upload(await screen.findByLabelText(/Product image/), pictureFile());
  await screen.findByText('vase.jpg');
  await user.type(screen.getByLabelText(/Scene description/), 'on a stone block');
  await user.click(screen.getByRole('button', { name: /^Generate.*1 credit$/ }));
  await stage().findByText('Generating product mockup...');
  await waitFor(() => expect(asked).toContain('GET /api/v1/events'));
  const readings = () => asked.filter((request) => request === 'GET /api/v1/generations/gen_1').length;
  await vi.advanceTimersByTimeAsync(20_000);
  await waitFor(() => expect(readings()).toBeGreaterThan(0));
  expect(stage().getByText('Generating product mockup...')).toBeTruthy();
  generation = makeGeneration({ status: 'succeeded', result: makeResult() });
  await vi.advanceTimersByTimeAsync(20_000);
  expect(await stage().findByRole('button', { name: tools['text-to-image'].says.download })).toBeTruthy();
  const untilItsEnd = readings();
  await vi.advanceTimersByTimeAsync(60_000);
  expect(readings(), 'nothing is asked for once it ended').toBe(untilItsEnd);
});

test('a result whose event came before the stream stands in the history once its end is known', async () => {
  vi.useFakeTimers({ shouldAdvanceTime: true, toFake: ['setInterval', 'clearInterval', 'setTimeout', 'clearTimeout'] });
  onTestFinished(() => void vi.useRealTimers());
  const running = makeGeneration({ status: 'running' });
  const made = makeMedia({ expiresAt: new Date(Date.now() + 3_600_000).toISOString() });
  const { origin, asked } = await startServer({
    'GET /api/v1/generations': inTurn(json({ ...nothing, items: [running] }), json(nothing), json(nothing)),
    'GET /api/v1/generations/gen_1': json(makeGeneration({ status: 'succeeded', result: makeResult() })),
    'GET /api/v1/media': inTurn(json(nothing), json({ ...nothing, items: [made] })),
    'GET /api/v1/tools': json(nothing),
  });
  renderScreen(<HistoryWithRunning />, { origin });
  await waitFor(() => expect(asked.some((request) => request.startsWith('GET /api/v1/media'))).toBe(true));
  await screen.findByText(/Generating product mockup/);
  expect(document.querySelector('.opens-large')).toBeNull();
  await vi.advanceTimersByTimeAsync(20_000);
  await waitFor(() => expect(document.querySelector('.opens-large')).toBeTruthy());
});
