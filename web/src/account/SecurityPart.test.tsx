// @vitest-environment jsdom
import { screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, test } from 'vitest';
import { sessionEntrySchema } from '@plinth/contract/auth';
import { renderScreen } from '../../test/screen.tsx';
import { inTurn, json, refuse, startServer } from '../../test/server.ts';
import { SecurityPart } from './SecurityPart.tsx';

const session = (id: string, current: boolean, userAgent: string) =>
  sessionEntrySchema.parse({
    id,
    current,
    userAgent,
    createdAt: '2026-11-21T10:00:00.000Z',
    lastSeenAt: '2026-11-22T10:00:00.000Z',
  });
const here = session('ses_1', true, 'Mozilla/5.0 (X11; Linux x86_64) Chrome/140.0 Safari/537.36');
const phone = session('ses_2', false, 'Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) Safari/604.1');
const page = (...items: object[]) => json({ items, nextCursor: null });
const SESSIONS = 'GET /api/v1/auth/sessions';

test('another browser is signed out, alone or with all others, and this one stays', async () => {
  const { origin, asked } = await startServer({
    [SESSIONS]: inTurn(page(phone, here), page(phone, here), page(here)),
    'DELETE /api/v1/auth/sessions/ses_2': (_request, response) => void response.writeHead(204).end(),
    'DELETE /api/v1/auth/sessions': (_request, response) => void response.writeHead(204).end(),
  });
  renderScreen(<SecurityPart />, { origin });
  const user = userEvent.setup();
  expect((await screen.findByText('This browser')).closest('li')).toBe(screen.getAllByRole('listitem')[0]);
  expect(screen.queryByRole('button', { name: 'Sign out Chrome on Linux' })).toBe(null);
  await user.click(screen.getByRole('button', { name: 'Sign out Safari on iPhone' }));
  await waitFor(() => expect(asked.filter((one) => one.startsWith(SESSIONS))).toHaveLength(2));
  await user.click(await screen.findByRole('button', { name: 'Sign out all others' }));
  await waitFor(() => expect(screen.queryByText('Safari on iPhone')).toBe(null));
  expect(screen.queryByRole('button', { name: 'Sign out all others' })).toBe(null);
  expect(asked.filter((one) => one.startsWith('DELETE'))).toEqual([
    'DELETE /api/v1/auth/sessions/ses_2',
    'DELETE /api/v1/auth/sessions',
  ]);
});

test('a refusal is said below the list', async () => {
  const { origin } = await startServer({
    [SESSIONS]: page(here, phone),
    'DELETE /api/v1/auth/sessions': refuse('temporarily_unavailable'),
  });
  renderScreen(<SecurityPart />, { origin });
  await userEvent.click(await screen.findByRole('button', { name: 'Sign out all others' }));
  expect(await screen.findByText('The service is temporarily unavailable. Please try again.')).toBeDefined();
});
