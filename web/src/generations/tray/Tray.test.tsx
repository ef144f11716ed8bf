// @vitest-environment jsdom
import { act, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { useState } from 'react';
import { expect, test } from 'vitest';
import type { Generation } from '@plinth/contract/generations';
import type { ToolId } from '@plinth/contract/tools';
import { makeGeneration, makeResult } from '../../../test/makers.ts';
import { renderScreen } from '../../../test/screen.tsx';
import { json, startServer } from '../../../test/server.ts';
import { RunningCards } from './RunningCards.tsx';
import { Tray } from './Tray.tsx';
import { putGeneration } from '../followed.ts';
import { changePage, changeStage } from '../memory.ts';
import { useTray } from './useTray.ts';

const running = makeGeneration({ id: 'gen_1', tool: 'image-to-video', status: 'running' });
const done = makeGeneration({ id: 'gen_2', tool: 'remover', status: 'succeeded', result: makeResult() });

function Layout({ toolInView }: { toolInView: ToolId | null }) {
  const [isHistoryInView, showHistory] = useState(false);
  const tray = useTray(toolInView, isHistoryInView);
  return (
    <>
      <main>
        <h1 tabIndex={-1}>Layout</h1>
      </main>
      <button type="button" onClick={() => showHistory(!isHistoryInView)}>
        History
      </button>
      {tray.isVisible && <Tray tray={tray} />}
    </>
  );
}

async function setUp(toolInView: ToolId | null, onStage: Generation | null = null) {
  const { origin } = await startServer({ 'GET /api/v1/generations': json({ items: [running], nextCursor: null }) });
  renderScreen(<Layout toolInView={toolInView} />, { origin });
  const toggle = await screen.findByRole('button', { name: '1 running' });
  if (onStage !== null) {
    changeStage(onStage.tool, { shown: onStage.id });
    putGeneration(onStage);
  }
  return { toggle, user: userEvent.setup() };
}

const rows = () => screen.queryAllByRole('listitem').map((row) => row.textContent);
const isOpen = (toggle: HTMLElement) => toggle.getAttribute('aria-expanded') === 'true';

test('what another tab started is listed by its name in the menu, and when it is ready it can be shown', async () => {
  await setUp(null);
  expect(rows()).toEqual([expect.stringContaining('Product Video Generate')]);
  putGeneration({ ...running, status: 'succeeded', result: makeResult() });
  expect(await screen.findByText('Finished')).toBeTruthy();
  expect(within(screen.getByRole('listitem')).getByText('Ready')).toBeTruthy();
  expect(screen.getByRole('button', { name: 'Show Product Video Generate' })).toBeTruthy();
});

test('what still waits in the queue is not said to be made, here and in the history', async () => {
  const queued = makeGeneration({ id: 'gen_5', status: 'queued' });
  await setUp(null);
  putGeneration(queued);
  await waitFor(() => expect(rows().join()).toMatch(/Waiting its turn \d/));
  renderScreen(<RunningCards running={[queued]} />, { origin: '' });
  expect(await screen.findByText(/Waiting its turn/, { selector: '.media-card *' })).toBeTruthy();
});

test('what has finished is dismissed by its button, what runs is not', async () => {
  const { user } = await setUp(null);
  expect(screen.queryByRole('button', { name: 'Dismiss' })).toBeNull();
  putGeneration({ ...running, status: 'succeeded', result: makeResult() });
  await user.click(await screen.findByRole('button', { name: 'Dismiss' }));
  await waitFor(() => expect(screen.queryByRole('region', { name: 'Running generations' })).toBeNull());
  expect(document.activeElement).toBe(screen.getByRole('heading'));
});

test('beside a result its rows wait to be asked for, and go when one turns away', async () => {
  const { toggle, user } = await setUp('remover', done);
  await waitFor(() => expect(isOpen(toggle)).toBe(false));
  expect(rows()).toEqual([]);
  await user.click(toggle);
  expect(isOpen(toggle)).toBe(true);
  expect(rows()).toHaveLength(2);
  await user.click(screen.getByRole('heading'));
  expect(isOpen(toggle)).toBe(false);
});

test('what stands on the stage in view, large or in the row of versions, is listed there alone', async () => {
  await setUp('image-to-video');
  changeStage('image-to-video', { shown: 'gen_3', row: ['gen_1', 'gen_3'] });
  putGeneration({ ...running, id: 'gen_3' });
  await waitFor(() => expect(screen.queryByRole('region', { name: 'Running generations' })).toBeNull());
  putGeneration({ ...running, id: 'gen_4' });
  expect(await screen.findByRole('button', { name: '3 running' })).toBeTruthy();
});

test('the history lists by itself what runs: the tray is back beside anything else', async () => {
  const { user } = await setUp(null);
  await user.click(screen.getByRole('button', { name: 'History' }));
  expect(screen.queryByRole('region', { name: 'Running generations' })).toBeNull();
  await user.click(screen.getByRole('button', { name: 'History' }));
  expect(screen.getByRole('button', { name: '1 running' })).toBeTruthy();
});

test('beside anything else its rows stand there, until somebody closes them', async () => {
  const { toggle, user } = await setUp('remover');
  expect(isOpen(toggle)).toBe(true);
  await user.click(screen.getByRole('heading'));
  expect(isOpen(toggle)).toBe(true);
  await user.click(toggle);
  expect(isOpen(toggle)).toBe(false);
});

test('a photo that is being sent is listed on other screens, in History, too', async () => {
  const { user } = await setUp('image-to-video');
  act(() => changePage('remover', { sending: { bytes: { sent: 1, total: 9 }, stop: () => {} } }));
  expect(await screen.findByRole('button', { name: '2 running' })).toBeTruthy();
  expect(rows()[0]).toBe('Remover BackgroundSending your photo');
  await user.click(screen.getByRole('button', { name: 'History' }));
  expect(screen.getByText('Sending your photo')).toBeTruthy();
  act(() => changePage('remover', { sending: null }));
  await waitFor(() => expect(screen.queryByText('Sending your photo')).toBeNull());
});

test('a photo that is being sent from the screen in view is told there alone', async () => {
  await setUp('remover');
  act(() => changePage('remover', { sending: { bytes: { sent: 1, total: 9 }, stop: () => {} } }));
  expect(screen.queryByText('Sending your photo')).toBeNull();
});
