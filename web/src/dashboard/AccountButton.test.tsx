// @vitest-environment jsdom
import { screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, test } from 'vitest';
import { renderScreen } from '../../test/screen.tsx';
import { startServer } from '../../test/server.ts';
import { AccountButton } from './AccountButton.tsx';

test('? shows what the keyboard does, but not while somebody writes', async () => {
  const { origin } = await startServer({});
  renderScreen(
    <>
      <input aria-label="Words" />
      <AccountButton isRail={false} />
    </>,
    { origin },
  );
  const user = userEvent.setup();
  await user.type(await screen.findByLabelText('Words'), 'why?');
  expect(screen.queryByText('Download, on the result')).toBe(null);
  await user.tab();
  await user.keyboard('?');
  expect(await screen.findByText('Download, on the result')).toBeTruthy();
  await user.keyboard('{Escape}');
  await expect.poll(() => screen.queryByText('Download, on the result')).toBe(null);
});
