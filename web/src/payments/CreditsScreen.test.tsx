// @vitest-environment jsdom
import { screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, test } from 'vitest';
import { renderScreen } from '../../test/screen.tsx';
import { json, refuse, startServer, type Answers } from '../../test/server.ts';
import { CreditsScreen } from './CreditsScreen.tsx';

async function setUp(path: string, answers: Answers = {}) {
  const { origin, asked } = await startServer({
    'GET /api/v1/credits': json({ credits: 12 }),
    ...answers,
  });
  const view = renderScreen(<CreditsScreen ledger={null} />, { origin, path });
  await screen.findByText('12');
  return { ...view, asked, user: userEvent.setup() };
}

const errorBox = () => document.querySelector('.error')?.textContent;

test('says what each thing costs', async () => {
  await setUp('/dashboard/credits');
  expect(screen.getByText(/A basic video costs 2, a product video 5 to 12\./)).toBeTruthy();
});

test('a checkout that was left is told once, and taken out of the address', async () => {
  const { router } = await setUp('/dashboard/credits?success=false');
  expect(errorBox()).toBe('Payment cancelled.');
  await waitFor(() => expect(router.state.location.href).toBe('/dashboard/credits'));
  expect(errorBox()).toBe('Payment cancelled.');
});

test('the package that was chosen on the start page stands out, else the popular one', async () => {
  const first = () => document.querySelector('.package .button.primary')?.textContent;
  const { unmount } = await setUp('/dashboard/credits');
  expect(first()).toBe('Buy Standard');
  unmount();
  await setUp('/dashboard/credits?package=premium');
  expect(first()).toBe('Buy Premium');
});

test('while a purchase starts, all three buttons rest and the pressed one says so', async () => {
  const { user } = await setUp('/dashboard/credits', { 'POST /api/v1/purchases': () => {} });
  await user.click(screen.getByRole('button', { name: 'Buy Standard' }));
  expect(await screen.findByRole('button', { name: 'Processing...' })).toBeTruthy();
  for (const name of ['Buy Basic', 'Buy Premium']) {
    expect(screen.getByRole('button', { name }).getAttribute('aria-disabled')).toBe('true');
  }
});

test('a purchase that cannot start shows the sentence and gives the buttons back', async () => {
  const { user } = await setUp('/dashboard/credits', { 'POST /api/v1/purchases': refuse('temporarily_unavailable') });
  await user.click(screen.getByRole('button', { name: 'Buy Basic' }));
  await waitFor(() => expect(errorBox()).toBe('The service is temporarily unavailable. Please try again.'));
  expect(screen.getByRole('button', { name: 'Buy Basic' }).getAttribute('aria-disabled')).not.toBe('true');
});

test('a purchase without an answer says that it failed', async () => {
  const { user } = await setUp('/dashboard/credits', {
    'POST /api/v1/purchases': (request) => void request.socket.destroy(),
  });
  await user.click(screen.getByRole('button', { name: 'Buy Premium' }));
  await waitFor(() => expect(errorBox()).toBe('Failed to process purchase'));
});
