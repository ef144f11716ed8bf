// @vitest-environment jsdom
import { renderToString } from 'react-dom/server';
import { within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, expect, test, vi } from 'vitest';
import { holdEarlyEvents } from './early-events.ts';
import { hydrateIsland } from './hydration.tsx';
import { LoginIsland } from '../auth/LoginPage.tsx';
import { FirstCall } from '../developers/FirstCall.tsx';
import { startServer } from '../../test/server.ts';

afterEach(() => void vi.unstubAllGlobals());

test('the language that is chosen before the script is there is shown once it is', async () => {
  document.body.innerHTML = `<div id="first-call">${renderToString(<FirstCall />)}</div>`;
  const island = document.getElementById('first-call')!;
  const shown = () => [...island.querySelectorAll('pre')].flatMap((code) => (code.hidden ? [] : [code.ariaLabel]));
  const replayEarlyEvents = holdEarlyEvents(island);
  island.querySelector<HTMLInputElement>('[value=Python]')!.click();
  expect(shown()).toEqual(['First call in curl']);
  await hydrateIsland(island);
  await replayEarlyEvents();
  expect(shown()).toEqual(['First call in Python']);
});

test('a form that is sent before the earlier presses are replayed waits for its turn', async () => {
  const { origin, asked } = await startServer({});
  Element.prototype.scrollIntoView = () => undefined; // jsdom lays nothing out.
  const realFetch = fetch;
  vi.stubGlobal('fetch', (url: string, init: RequestInit) => realFetch(new URL(url, origin), init));
  document.body.innerHTML = `<div id="door">${renderToString(<LoginIsland />)}</div>`;
  const island = document.getElementById('door')!;
  const replayEarlyEvents = holdEarlyEvents(island);
  const door = within(island);
  door.getByRole('button', { name: 'Sign up instead' }).click();
  await hydrateIsland(island);
  await userEvent.type(door.getByLabelText('Email'), 'early@example.com');
  await userEvent.type(door.getByLabelText('Password'), 'early-password');
  island.querySelector<HTMLElement>('[type=submit]')!.click();
  await replayEarlyEvents();
  await vi.waitFor(() => expect(asked.filter((one) => one.startsWith('POST'))).toEqual(['POST /api/v1/auth/sign-up']));
});
