// @vitest-environment jsdom
import { screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, test } from 'vitest';
import { apiKeySchema, newApiKeySchema } from '@plinth/contract/keys';
import { renderScreen } from '../../test/screen.tsx';
import { inTurn, json, refuse, startServer } from '../../test/server.ts';
import { KeysSection } from './KeysSection.tsx';

const key = apiKeySchema.parse({
  id: 'key_1',
  name: 'My shop',
  prefix: 'plk_ab12',
  createdAt: '2026-11-21T10:00:00.000Z',
  lastUsedAt: null,
});
const created = newApiKeySchema.parse({ ...key, secret: 'plk_ab12-and-so-on' });
const page = (...items: object[]) => json({ items, nextCursor: null });

test('a new key is shown once, listed by its beginning, and deleted after a question', async () => {
  const { origin, asked } = await startServer({
    'GET /api/v1/keys': inTurn(page(), page(key), page()),
    'POST /api/v1/keys': json(created, 201),
    'DELETE /api/v1/keys/key_1': (_request, response) => void response.writeHead(204).end(),
  });
  renderScreen(<KeysSection />, { origin });
  const user = userEvent.setup();
  await user.type(await screen.findByLabelText('Name of a new key'), 'My shop{Enter}');
  const secret = await screen.findByLabelText<HTMLInputElement>('Your new key');
  expect(secret.value).toBe(created.secret);
  // It takes the focus once it has been drawn.
  await waitFor(() => expect(document.activeElement).toBe(secret));
  await user.click(screen.getByRole('button', { name: 'Copy' }));
  expect(await navigator.clipboard.readText()).toBe(created.secret);
  await user.click(screen.getByRole('button', { name: 'I have saved it' }));
  expect(screen.queryByDisplayValue(created.secret ?? '')).toBe(null);
  expect(document.activeElement?.textContent).toBe('API keys');
  expect(await screen.findByText('plk_ab12…')).toBeTruthy();
  await user.click(screen.getByRole('button', { name: 'Delete My shop' }));
  await user.click(await screen.findByRole('button', { name: 'Delete key' }));
  await waitFor(() => expect(screen.queryByText('plk_ab12…')).toBe(null));
  expect(asked).toContain('DELETE /api/v1/keys/key_1');
});

test('a key without a name is refused beside its field', async () => {
  const { origin } = await startServer({ 'GET /api/v1/keys': page(), 'POST /api/v1/keys': refuse('name_required') });
  renderScreen(<KeysSection />, { origin });
  await userEvent.setup().click(await screen.findByRole('button', { name: 'Create key' }));
  expect(await screen.findByText('Please enter a name')).toBeTruthy();
  await waitFor(() => expect(document.activeElement).toBe(screen.getByLabelText('Name of a new key')));
});
