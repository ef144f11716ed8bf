// @vitest-environment jsdom
import { cleanup, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { useRef } from 'react';
import { beforeEach, expect, test } from 'vitest';
import { makeSession } from '../../../test/makers.ts';
import { renderScreen } from '../../../test/screen.tsx';
import { startServer } from '../../../test/server.ts';
import { leaveTyped, useTyped } from './typed.ts';

const userId = makeSession().user.id;
beforeEach(() => sessionStorage.clear());

function Screen() {
  const form = useRef<HTMLFormElement>(null);
  useTyped(form);
  return (
    <form ref={form} data-typed="billing">
      <input aria-label="Company" name="company" defaultValue="Old" />
      <input aria-label="Address" name="address" defaultValue="Street 1" />
      <input aria-label="Secret" name="secret" type="password" />
    </form>
  );
}

async function open() {
  const { origin } = await startServer({});
  renderScreen(<Screen />, { origin });
  return screen.findByRole('textbox', { name: 'Company' });
}
const values = () => [...document.querySelectorAll('input')].map(({ value }) => value);

async function typeAndLeave(as: string) {
  await userEvent.clear(await open());
  await userEvent.type(screen.getByLabelText('Company'), 'ACME');
  await userEvent.type(screen.getByLabelText('Secret'), 'secret');
  leaveTyped(as);
  cleanup();
}

test('what was typed when the session ended is there again once, but no password', async () => {
  await typeAndLeave(userId);
  expect(JSON.stringify({ ...sessionStorage })).not.toContain('secret');
  await open();
  expect(values()).toEqual(['ACME', 'Street 1', '']);
  cleanup();
  await open();
  expect(values()).toEqual(['Old', 'Street 1', '']);
});

test('nobody else who signs in sees it', async () => {
  await typeAndLeave('usr_other');
  await open();
  expect(values()).toEqual(['Old', 'Street 1', '']);
});
