// @vitest-environment jsdom
import { act, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, test } from 'vitest';
import { sentences } from '@plinth/contract/errors';
import { PASSWORD_REDIRECT_MS } from '@plinth/contract/limits';
import { makeSession } from '../../test/makers.ts';
import { renderScreen } from '../../test/screen.tsx';
import { inTurn, json, startServer } from '../../test/server.ts';
import { ChangePasswordScreen } from './ChangePasswordScreen.tsx';
import { useSession } from './useSession.ts';

test.each([
  ['whoever stays is led to the tools', null, '/dashboard'],
  ['whoever went elsewhere is left there', '/dashboard/history', '/dashboard/history'],
])('after a new password %s', async (_who, elsewhere, end) => {
  const { origin } = await startServer({
    'POST /api/v1/auth/password': (_request, response) => void response.writeHead(204).end(),
  });
  const { router } = renderScreen(<ChangePasswordScreen />, { origin, path: '/dashboard/change-password' });
  await setPassword();
  await screen.findByText(sentences.passwordUpdated);
  if (elsewhere !== null) await act(() => router.navigate({ to: elsewhere }));
  await act(() => new Promise((resolve) => setTimeout(resolve, PASSWORD_REDIRECT_MS + 200)));
  expect(router.state.location.pathname).toBe(end);
});

test('whoever had no password has one from then on, in this page, too', async () => {
  const { user } = makeSession();
  const sessionWith = (hasPassword: boolean) => json(makeSession({ user: { ...user, hasPassword } }));
  const { origin } = await startServer({
    'GET /api/v1/session': inTurn(sessionWith(false), sessionWith(true)),
    'POST /api/v1/auth/password': (_request, response) => void response.writeHead(204).end(),
  });
  const Known = () => <p>{useSession().user.hasPassword ? 'With a password' : 'Without one'}</p>;
  const both = (
    <>
      <Known />
      <ChangePasswordScreen />
    </>
  );
  renderScreen(both, { origin });
  await screen.findByText('Without one');
  await setPassword();
  expect(await screen.findByText('With a password')).toBeDefined();
});

async function setPassword() {
  const user = userEvent.setup();
  await user.type(await screen.findByLabelText('New Password'), 'a long password');
  await user.type(screen.getByLabelText('Confirm New Password'), 'a long password');
  await user.click(screen.getByRole('button', { name: 'Update Password' }));
}
