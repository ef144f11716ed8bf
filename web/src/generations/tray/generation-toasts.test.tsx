// @vitest-environment jsdom
import { useState } from 'react';
import { act, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, test } from 'vitest';
import type { ToolId } from '@plinth/contract/tools';
import { renderScreen } from '../../../test/screen.tsx';
import { startServer } from '../../../test/server.ts';
import { say } from '../../ui/toast.tsx';
import { changeStage, changeTool } from '../memory.ts';
import { useSendingToasts } from './generation-toasts.ts';

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
