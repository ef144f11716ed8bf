// @vitest-environment jsdom
import { screen } from '@testing-library/react';
import { expect, test } from 'vitest';
import { renderScreen } from '../../test/screen.tsx';
import { startServer } from '../../test/server.ts';
import { PhoneTabs } from './PhoneBars.tsx';

test.each([
  ['text-to-image', 'Make'],
  ['account', 'More'],
  ['check', 'More'],
  ['change-password', 'More'],
])('on %s the tab %s is the marked one', async (name, tab) => {
  const { origin } = await startServer({});
  renderScreen(<PhoneTabs screen={name} />, { origin });
  await screen.findByRole('button', { name: 'More' });
  expect(screen.getAllByRole('button', { current: true }).map(({ textContent }) => textContent)).toEqual([tab]);
});
