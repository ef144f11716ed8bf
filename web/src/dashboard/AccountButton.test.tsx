// @vitest-environment jsdom
import { act, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, test } from 'vitest';
import { stubPhoneBack } from '../../test/phone-back.ts';
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

test('where there is no Escape key, the Back of the browser closes it', async () => {
  const watchers = stubPhoneBack();
  const { origin } = await startServer({});
  renderScreen(<AccountButton isRail={false} />, { origin });
  await userEvent.click(await screen.findByRole('button', { name: /^Account: / }));
  await expect.poll(() => watchers.length).toBe(1);
  act(() => watchers[0]!.onclose());
  await expect.poll(() => screen.queryByRole('menu')).toBe(null);
});
