// @vitest-environment jsdom
import { render, screen, waitFor } from '@testing-library/react';
import { expect, test, vi } from 'vitest';
import { stubPhoneBack } from '../../../test/phone-back.ts';
import { DialogFrame } from './DialogFrame.tsx';

test('the focus goes to the first thing to work with, which may be a link, and to none that is disabled', async () => {
  render(
    <DialogFrame title="More" onClose={() => {}}>
      <div>
        <button disabled>Not now</button>
        <button aria-disabled="true">Nor this</button>
        <a href="/account">Your account</a>
        <button>Sign out</button>
      </div>
    </DialogFrame>,
  );
  await waitFor(() => expect(document.activeElement).toBe(screen.getByRole('link', { name: 'Your account' })));
});

test('the Back of a phone closes it, and once it is gone leads back again', () => {
  const watchers = stubPhoneBack();
  const onClose = vi.fn();
  const { unmount } = render(
    <DialogFrame title="More" onClose={onClose}>
      <button>Sign out</button>
    </DialogFrame>,
  );
  watchers[0]!.onclose();
  expect(onClose).toHaveBeenCalledOnce();
  unmount();
  expect(watchers[0]!.destroy).toHaveBeenCalledOnce();
  expect(watchers).toHaveLength(1);
});

test('a question has no cross, and begins with what can be changed', async () => {
  render(
    <DialogFrame isQuestion title="Delete your account?" onClose={() => {}}>
      <form>
        <input aria-label="Email" readOnly />
        <input aria-label="Password" />
      </form>
    </DialogFrame>,
  );
  await waitFor(() => expect(document.activeElement).toBe(screen.getByRole('textbox', { name: 'Password' })));
});
