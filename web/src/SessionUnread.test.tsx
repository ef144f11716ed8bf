// @vitest-environment jsdom
import { screen } from '@testing-library/react';
import { expect, test } from 'vitest';
import { renderScreen } from '../test/screen.tsx';
import { startServer } from '../test/server.ts';
import { SessionUnread } from './SessionUnread.tsx';

test('who is signed in could not be read: the page has a name, tries again and leads home', async () => {
  const { origin } = await startServer({});
  renderScreen(<SessionUnread />, { origin });
  expect(await screen.findByRole('heading', { level: 1, name: 'Failed to load user data' })).toBeTruthy();
  expect(screen.getByRole('button', { name: 'Try again' })).toBeTruthy();
  expect(screen.getByRole('link', { name: 'Plinth, home' }).getAttribute('href')).toBe('/');
});
