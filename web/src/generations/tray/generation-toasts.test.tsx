// @vitest-environment jsdom
import { useMemo, useState } from 'react';
import { act, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, test } from 'vitest';
import { tools, type ToolId } from '@plinth/contract/tools';
import { makeGeneration, makeResult } from '../../../test/makers.ts';
import { renderScreen } from '../../../test/screen.tsx';
import { startServer } from '../../../test/server.ts';
import { say } from '../../ui/toast.tsx';
import { changeStage, changeTool } from '../memory.ts';
import { useGenerationToasts, useSendingToasts } from './generation-toasts.ts';

function Layout() {
  const [toolInView, setToolInView] = useState<ToolId | null>('remover');
  useSendingToasts(toolInView);
  return (
    <>
      <button onClick={() => setToolInView('remover')}>Its own</button>
      <button onClick={() => setToolInView('image-to-video')}>Another</button>
      <button onClick={() => setToolInView(null)}>History</button>
    </>
  );
}

const sent = () => screen.queryByText('Sending your photo');
const send = (bytes: { sent: number; total: number } | null) =>
  act(() => changeTool('remover', { sending: { bytes, stop: () => {} } }));

test('a photo that is still being sent says so on other screens, and its toast tells how it went on', async () => {
  const { origin } = await startServer({});
  renderScreen(<Layout />, { origin });
  const show = async (name: string) => userEvent.click(await screen.findByRole('button', { name }));
  await show('Its own');
  act(() => changeStage('remover', { attempt: { key: 'press', form: '', rest: [] } }));
  send({ sent: 1, total: 9 });
  expect(sent(), 'its own stage says it').toBeNull();
  await show('History');
  await waitFor(() => expect(sent()).toBeTruthy());
  await show('Its own');
  await waitFor(() => expect(sent()).toBeNull());
  await show('Another');
  await waitFor(() => expect(sent()).toBeTruthy());
  send(null);
  await waitFor(() => expect(screen.getByText('Checking credits...')).toBeTruthy());
  act(() => changeTool('remover', { sending: null }));
  act(() => say.done('Ready', { id: 'press' }));
  await waitFor(() => expect(screen.getByText('Ready')).toBeTruthy());
  expect(screen.queryByText('Checking credits...')).toBeNull();
});

test('what works is not said again over History, which shows it; its end is', async () => {
  const working = makeGeneration({
    id: 'gen_1',
    status: 'running',
    progress: { percent: 5, message: 'Placing' },
  });
  const [own, done] = [
    new Map([['gen_1', 'press-2']]),
    { ...working, status: 'succeeded' as const, result: makeResult() },
  ];
  function Follower() {
    const [generation, setGeneration] = useState(working);
    const [isHistoryInView, setHistoryInView] = useState(false);
    const followed = useMemo(() => [generation], [generation]);
    useGenerationToasts(followed, own, null, isHistoryInView);
    return (
      <>
        <button onClick={() => setHistoryInView(true)}>History</button>
        <button onClick={() => setGeneration(done)}>End</button>
      </>
    );
  }
  const { origin } = await startServer({});
  renderScreen(<Follower />, { origin });
  await waitFor(() => expect(screen.getByText('Placing')).toBeTruthy());
  await userEvent.click(screen.getByRole('button', { name: 'History' }));
  await waitFor(() => expect(screen.queryByText('Placing')).toBeNull());
  await userEvent.click(screen.getByRole('button', { name: 'End' }));
  await waitFor(() => expect(screen.getByText(tools[working.tool].says.done)).toBeTruthy());
});
