// @vitest-environment jsdom
import { screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, test } from 'vitest';
import type { SignInOptions } from '@plinth/contract/auth';
import { makeSession } from '../../test/makers.ts';
import { renderScreen } from '../../test/screen.tsx';
import { json, refuse, startServer, type Answers } from '../../test/server.ts';
import { inside } from './inside.ts';
import { LoginInApp } from './LoginInApp.tsx';

const plain: SignInOptions = { emailSignUp: false, google: 'google', demo: null };

async function setUp(options: SignInOptions = plain, answers: Answers = {}, path = '/login') {
  const { origin, asked } = await startServer({
    'GET /api/v1/auth/options': json(options),
    'GET /api/v1/session': refuse('no_active_session'),
    'POST /api/v1/auth/refresh': refuse('no_active_session'),
    ...answers,
  });
  const view = renderScreen(<LoginInApp />, { origin, path });
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

test('success goes where the person came from', async () => {
  const { user, router } = await setUp(
    plain,
    { 'POST /api/v1/auth/sign-in': json(makeSession()) },
    '/login?to=%2Fdashboard%2Fhistory',
  );
  await user.type(screen.getByLabelText('Email'), 'ann@example.com');
  await user.type(screen.getByLabelText('Password'), 'right-password');
  await user.click(submit()!);
  await waitFor(() => expect(router.state.location.pathname).toBe('/dashboard/history'));
});

test('sign-up mode offers Google only, unless the installation allows more', async () => {
  const { user } = await setUp();
  await user.click(screen.getByRole('button', { name: 'Sign Up' }));
  expect(screen.getByRole('link', { name: 'Sign up with Google' }).getAttribute('href')).toBe('/auth/google/start');
  expect(screen.queryByLabelText('Email')).toBeNull();
});

test('with email sign-up switched on, the form stands in both modes', async () => {
  const { user } = await setUp({ ...plain, emailSignUp: true });
  await user.click(screen.getByRole('button', { name: 'Sign Up' }));
  expect(await screen.findByLabelText('Email')).toBeTruthy();
});

test('the demo account fills the form with one press', async () => {
  const { user } = await setUp({ ...plain, demo: { email: 'demo@plinth.test', password: 'demo-pass' } });
  await user.click(await screen.findByRole('button', { name: 'Fill in' }));
  expect(screen.getByLabelText('Email')).toHaveProperty('value', 'demo@plinth.test');
  expect(screen.getByLabelText('Password')).toHaveProperty('value', 'demo-pass');
});

test.each([
  ['/dashboard/credits?success=true', '/dashboard/credits?success=true'],
  ['//evil.example', '/dashboard'],
  ['https://evil.example/dashboard', '/dashboard'],
  ['/dashboardevil', '/dashboard'],
  [undefined, '/dashboard'],
])('the way back %s leads to %s', (asked, path) => {
  expect(inside(asked)).toBe(path);
});
