// @vitest-environment jsdom
import { screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { useState } from 'react';
import { expect, test } from 'vitest';
import { makeGeneration } from '../../test/makers.ts';
import { renderScreen } from '../../test/screen.tsx';
import { json, startServer } from '../../test/server.ts';
import { useTray } from '../generations/tray/useTray.ts';
import { PhoneTabs, PhoneTop } from './PhoneBars.tsx';

function Top() {
  const [isHistoryInView, showHistory] = useState(false);
  return (
    <>
      <PhoneTop tray={useTray(null, isHistoryInView)} />
      <button type="button" onClick={() => showHistory(true)}>
        To the history
      </button>
    </>
  );
}

test('the bar counts what runs elsewhere, not what the history lists', async () => {
  const running = makeGeneration({ status: 'running' });
  const { origin } = await startServer({
    'GET /api/v1/credits': json({ credits: 3 }),
    'GET /api/v1/generations': json({ items: [running], nextCursor: null }),
  });
  renderScreen(<Top />, { origin });
  await screen.findByRole('button', { name: '1 running' });
  await userEvent.click(screen.getByRole('button', { name: 'To the history' }));
  expect(screen.queryByRole('button', { name: '1 running' })).toBe(null);
});

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
