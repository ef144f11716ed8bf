// @vitest-environment jsdom
import { act, cleanup, render, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, expect, test } from 'vitest';
import { stubPhoneBack } from '../../../test/phone-back.ts';
import { MenuAction, MenuFrame } from './MenuFrame.tsx';

afterEach(cleanup);

test('the Back of a phone closes an open menu, and a closed one does not wait for it', async () => {
  const watchers = stubPhoneBack();
  render(
    <MenuFrame trigger="More" className="">
      <MenuAction icon="copy" name="Copy" onPick={() => {}} />
    </MenuFrame>,
  );
  expect(watchers).toHaveLength(0);
  await userEvent.click(screen.getByRole('button', { name: 'More' }));
  await screen.findByRole('menu');
  await waitFor(() => expect(watchers).toHaveLength(1));
  act(() => watchers[0]!.onclose());
  await waitFor(() => expect(screen.queryByRole('menu')).toBeNull());
  expect(watchers[0]!.destroy).toHaveBeenCalledOnce();
});

test('`?` opens the keys without the actions, the button both', async () => {
  render(
    <MenuFrame trigger="More" className="" shortcuts={[['Zoom', '+ −']]}>
      <MenuAction icon="trash" name="Delete" onPick={() => {}} />
    </MenuFrame>,
  );
  const button = screen.getByRole('button', { name: 'More' });
  await userEvent.tab();
  await userEvent.keyboard('?');
  expect(await screen.findByText('Zoom')).toBeTruthy();
  expect(screen.queryByText('Delete')).toBeNull();
  await userEvent.keyboard('{Escape}');
  await waitFor(() => expect(screen.queryByRole('menu')).toBeNull());
  await userEvent.click(button);
  expect(await screen.findByRole('menuitem', { name: 'Delete' })).toBeTruthy();
  expect(screen.getByText('Zoom')).toBeTruthy();
});
