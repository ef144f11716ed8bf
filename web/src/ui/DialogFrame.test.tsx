// @vitest-environment jsdom
import { render, screen, waitFor } from '@testing-library/react';
import { expect, test } from 'vitest';
import { DialogFrame } from './DialogFrame.tsx';

test('the focus goes to the first thing to work with, which may be a link, and to none that is disabled', async () => {
  render(
    <DialogFrame title="More" onClose={() => {}}>
      <div>
        <button disabled>Not now</button>
        <a href="/account">Your account</a>
        <button>Sign out</button>
      </div>
    </DialogFrame>,
  );
  await waitFor(() => expect(document.activeElement).toBe(screen.getByRole('link', { name: 'Your account' })));
});
