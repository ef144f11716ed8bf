// @vitest-environment jsdom
import { act, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, test } from 'vitest';
import { sentences } from '@plinth/contract/errors';
import { PASSWORD_REDIRECT_MS } from '@plinth/contract/limits';
import { renderScreen } from '../../test/screen.tsx';
import { startServer } from '../../test/server.ts';
import { ChangePasswordScreen } from './ChangePasswordScreen.tsx';

test.each([
  ['whoever stays is led to the tools', null, '/dashboard'],
  ['whoever went elsewhere is left there', '/dashboard/history', '/dashboard/history'],
])('after a new password %s', async (_who, elsewhere, end) => {
  const { origin } = await startServer({
    'POST /api/v1/auth/password': (_request, response) => void response.writeHead(204).end(),
  });
  const { router } = renderScreen(<ChangePasswordScreen />, { origin, path: '/dashboard/change-password' });
  const user = userEvent.setup();
  await user.type(await screen.findByLabelText('New Password'), 'a long password');
  await user.type(screen.getByLabelText('Confirm New Password'), 'a long password');
  await user.click(screen.getByRole('button', { name: 'Update Password' }));
  await screen.findByText(sentences.passwordUpdated);
  if (elsewhere !== null) await act(() => router.navigate({ to: elsewhere }));
  await act(() => new Promise((resolve) => setTimeout(resolve, PASSWORD_REDIRECT_MS + 200)));
  expect(router.state.location.pathname).toBe(end);
});
