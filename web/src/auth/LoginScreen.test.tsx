// @vitest-environment jsdom
import { act, fireEvent, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, onTestFinished, test, vi } from 'vitest';
import type { SignInOptions } from '@plinth/contract/auth';
import { renderScreen } from '../../test/screen.tsx';
import { json, refuse, startServer, type Answers } from '../../test/server.ts';
import { toReturnPath } from './return-path.ts';
import { LoginScreen, STOPPED_MS } from './LoginScreen.tsx';

const plain: SignInOptions = { emailSignUp: false, google: 'google', demo: null, signUpCredits: 0 };

async function setUp(options: SignInOptions = plain, answers: Answers = {}) {
  const { origin, asked } = await startServer({
    'GET /api/v1/auth/options': json(options),
    'GET /api/v1/session': refuse('no_active_session'),
    'POST /api/v1/auth/refresh': refuse('no_active_session'),
    ...answers,
  });
  const view = renderScreen(<LoginScreen />, { origin });
  await screen.findByRole('heading', { name: 'Sign In' });
  return { ...view, asked, user: userEvent.setup() };
}

const submit = () =>
  screen.getAllByRole('button', { name: 'Sign In' }).find((one) => one.getAttribute('type') === 'submit');
const errorBox = () => document.querySelector('.error')?.textContent;

test('both fields are asked for before anything is sent', async () => {
  const { user, asked } = await setUp();
  await user.click(submit()!);
  expect(errorBox()).toBe('Please enter both email and password');
  expect(document.activeElement).toBe(screen.getByLabelText('Email'));
  expect(asked.some((request) => request.includes('sign-in'))).toBe(false);
});

test('wrong credentials: the sentence, the focus on the password, and the password stays', async () => {
  const { user } = await setUp(plain, { 'POST /api/v1/auth/sign-in': refuse('invalid_credentials') });
  await user.type(screen.getByLabelText('Email'), 'ann@example.com');
  await user.type(screen.getByLabelText('Password'), '123456');
  await user.click(submit()!);
  await waitFor(() => expect(errorBox()).toBe('Invalid email or password. Please try again.'));
  expect(screen.getByLabelText('Password')).toHaveProperty('value', '123456');
  await waitFor(() => expect(document.activeElement).toBe(screen.getByLabelText('Password')));
});

test.each([
  ['', 'Your photos are waiting for a better place.'],
  ['?to=%2Fdashboard&ended=', 'You were signed out. Sign in to go on.'],
])('the address /login%s reads: %s', async (search, says) => {
  window.history.replaceState(null, '', `/login${search}`);
  onTestFinished(() => window.history.replaceState(null, '', '/login'));
  await setUp();
  expect(await screen.findByText(says)).toBeTruthy();
});

test('sign-up mode offers Google only, unless the installation allows more', async () => {
  const { user } = await setUp();
  await user.click(screen.getByRole('button', { name: 'Sign Up' }));
  expect(screen.getByRole('link', { name: 'Sign up with Google' }).getAttribute('href')).toBe('/auth/google/start');
  expect(screen.queryByLabelText('Email')).toBeNull();
});

test('the Google button carries the mark of its owner in the four colours', async () => {
  await setUp();
  const button = screen.getByRole('link', { name: 'Sign in with Google' });
  const drawn = decodeURIComponent(button.querySelector('img')?.src ?? '');
  const colours = [...drawn.matchAll(/fill='(#\w+)'/g)].map(([, colour]) => colour);
  expect(colours).toEqual(['#ea4335', '#4285f4', '#fbbc05', '#34a853']);
});

test('with email sign-up switched on, the form stands in both modes', async () => {
  const { user } = await setUp({ ...plain, emailSignUp: true });
  await user.click(screen.getByRole('button', { name: 'Sign Up' }));
  expect(await screen.findByLabelText('Email')).toBeTruthy();
});

test.each([
  [3, '3 credits to start, no card'],
  [1, '1 credit to start, no card'],
  [0, 'Your photos are waiting for a better place.'],
])('where a new account begins with %i credits, signing up says so and signing in does not', async (credits, says) => {
  const { user } = await setUp({ ...plain, signUpCredits: credits });
  expect(screen.queryByText(/to start, no card/)).toBeNull();
  await user.click(screen.getByRole('button', { name: 'Sign Up' }));
  expect(await screen.findByText(says)).toBeTruthy();
});

const demo = { email: 'demo@plinth.test' };

test('the demo account is filled in with one press, up to the code that only the terminal knows', async () => {
  const { user } = await setUp({ ...plain, demo });
  await user.click(await screen.findByRole('button', { name: 'Fill in' }));
  expect(screen.getByLabelText('Email')).toHaveProperty('value', 'demo@plinth.test');
  expect(document.activeElement).toBe(screen.getByLabelText('Password'));
  expect(screen.getByLabelText('Password')).toHaveProperty('value', '');
});

test('while it signs in, nothing on the screen can be pressed or typed into', async () => {
  const { user } = await setUp({ ...plain, demo }, { 'POST /api/v1/auth/sign-in': () => {} });
  await user.type(screen.getByLabelText('Email'), 'ann@example.com');
  await user.type(screen.getByLabelText('Password'), 'right-password');
  await screen.findByRole('button', { name: 'Fill in' });
  await user.click(submit()!);
  await screen.findByRole('button', { name: 'Signing in...' });
  expect(listOpen()).toEqual([]);
});

/** Names of what on the screen can still be pressed or typed into. */
const listOpen = () =>
  [...document.querySelectorAll('main :is(button, input, .google a)')]
    .filter((one) => !one.matches(':disabled, [aria-disabled=true]'))
    .map((one) => one.getAttribute('aria-label') ?? one.textContent);

test.each([
  ['Sign In', 'Sign in with Google', 'Signing in...'],
  ['Sign Up', 'Sign up with Google', 'Processing...'],
])('on its way to Google %s says so, and nothing else can be pressed until one is back', async (mode, google, busy) => {
  const { user } = await setUp({ ...plain, emailSignUp: true, demo });
  await screen.findAllByRole('button', { name: 'Fill in' });
  await user.click(screen.getByRole('button', { name: mode, pressed: mode === 'Sign In' }));
  const link = screen.getByRole('link', { name: google });
  // jsdom goes nowhere.
  link.addEventListener('click', (event) => event.preventDefault());
  await user.keyboard('{Control>}');
  await user.click(link);
  await user.keyboard('{/Control}');
  expect(screen.getByRole('link', { name: google }), 'another tab').toBe(link);
  await user.click(link);
  expect(screen.getByRole('link', { name: busy })).toBe(link);
  expect(link.getAttribute('href'), 'what the browser is following').toBe('/auth/google/start');
  expect(listOpen()).toEqual([]);
  await act(() => window.dispatchEvent(new PageTransitionEvent('pageshow', { persisted: true })));
  expect(screen.getByRole('link', { name: google }).getAttribute('aria-disabled')).toBe('false');
});

test('a way to Google that was stopped unlocks the page again', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'], shouldAdvanceTime: true });
  onTestFinished(() => void vi.useRealTimers());
  await setUp({ ...plain, emailSignUp: true });
  const link = screen.getByRole('link', { name: 'Sign in with Google' });
  link.addEventListener('click', (event) => event.preventDefault());
  fireEvent.click(link);
  expect(screen.getByRole('link', { name: 'Signing in...' })).toBe(link);
  await act(() => vi.advanceTimersByTimeAsync(STOPPED_MS));
  expect(screen.getByRole('link', { name: 'Sign in with Google' }).getAttribute('aria-disabled')).toBe('false');
});

test('the link of the terminal signs in to the demo account and leaves no code in the address', async () => {
  window.history.replaceState(null, '', '/login?to=%2Fdashboard#demo=try-0123456789ab');
  const { asked } = await setUp({ ...plain, demo });
  await waitFor(() => expect(asked).toContain('POST /api/v1/auth/sign-in'));
  expect(screen.getByLabelText('Email')).toHaveProperty('value', 'demo@plinth.test');
  expect(window.location.href).toMatch(/\/login\?to=%2Fdashboard$/);
});

test('the same link works where the sign-in is open already', async () => {
  const { asked } = await setUp({ ...plain, demo });
  await screen.findByRole('button', { name: 'Fill in' });
  window.location.hash = '#demo=try-0123456789ab';
  await waitFor(() => expect(asked).toContain('POST /api/v1/auth/sign-in'));
  expect(window.location.hash).toBe('');
});

test('the same link fills in nothing where there is no demo account', async () => {
  window.history.replaceState(null, '', '/login#demo=try-0123456789ab');
  const { asked } = await setUp();
  await waitFor(() => expect(asked.some((request) => request.includes('options'))).toBe(true));
  expect(screen.getByLabelText('Password')).toHaveProperty('value', '');
});

test.each([
  ['/dashboard/credits?success=true', '/dashboard/credits?success=true'],
  ['//evil.example', '/dashboard'],
  ['https://evil.example/dashboard', '/dashboard'],
  ['/dashboardevil', '/dashboard'],
  [undefined, '/dashboard'],
])('the way back %s leads to %s', (asked, path) => {
  expect(toReturnPath(asked)).toBe(path);
});
