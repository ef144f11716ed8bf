// @vitest-environment jsdom
import { act, cleanup, fireEvent, render, screen } from '@testing-library/react';
import { ERROR_TOAST_MS } from '@plinth/contract/limits';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { say, Toasts } from './toast.tsx';

beforeEach(() => {
  vi.useFakeTimers();
  render(<Toasts />);
});
afterEach(() => {
  say.noMore();
  cleanup();
  vi.useRealTimers();
});

const pass = (ms: number) => act(() => vi.advanceTimersByTimeAsync(ms));
const spinners = () => document.querySelectorAll('.toast .spinner').length;
const outcome = () => screen.queryByText('It is over');

test('a step of the work stays until it is settled', async () => {
  act(() => say.working('Generating video...', 'gen_0'));
  await pass(600_000);
  expect(screen.getByText('Generating video...')).toBeTruthy();
  expect(spinners()).toBe(1);
  act(() => say.done('Video ready', { id: 'gen_0' }));
  expect(screen.queryByText('Generating video...')).toBeNull();
  expect(screen.getByText('Video ready')).toBeTruthy();
});

test.each([
  ['a success', () => say.done('It is over', { id: 'gen_1' })],
  ['a failure', () => say.wrong('It is over', { id: 'gen_1' })],
  ['a note', () => say.note('It is over', { id: 'gen_1', icon: 'returned' })],
])('%s takes the place of the step before it, spinner and all', async (_outcome, sayIt) => {
  act(() => say.working('Generating video...', 'gen_1'));
  await pass(500);
  act(sayIt);
  expect(screen.queryByText('Generating video...')).toBeNull();
  expect(outcome()).toBeTruthy();
  expect(spinners()).toBe(0);
});

test('an outcome is seen for four seconds, counted anew where it takes the place of another, and an error for five', async () => {
  act(() => say.done('Copied', { id: 'gen_2' }));
  await pass(3900);
  act(() => say.done('It is over', { id: 'gen_2' }));
  await pass(3900);
  expect(outcome()).toBeTruthy();
  await pass(200);
  expect(outcome()).toBeNull();
  act(() => say.wrong('It is over'));
  await pass(ERROR_TOAST_MS - 100);
  expect(outcome()).toBeTruthy();
  await pass(200);
  expect(outcome()).toBeNull();
});

test('time in which it is not looked at, or somebody is in it, does not count', async () => {
  act(() => say.wrong('It is over'));
  const isHidden = vi.spyOn(document, 'hidden', 'get').mockReturnValue(true);
  await pass(60_000);
  isHidden.mockRestore();
  const close = screen.getByRole('button', { name: 'Dismiss' });
  act(() => close.focus());
  await pass(60_000);
  expect(outcome()).toBeTruthy();
  act(() => close.blur());
  await pass(ERROR_TOAST_MS);
  expect(outcome()).toBeNull();
});

test('an error goes at once where somebody wants it, and a way on stays no longer than its error', async () => {
  act(() => say.wrong('Not enough credits', { id: 'gen_3', action: { label: 'Credits', to: '/dashboard/credits' } }));
  expect(screen.getByRole('link', { name: 'Credits' }).getAttribute('href')).toBe('/dashboard/credits');
  act(() => say.done('It is over', { id: 'gen_3' }));
  expect(screen.queryByRole('link')).toBeNull();
  act(() => say.wrong('Not enough credits', { id: 'gen_3' }));
  fireEvent.click(screen.getByRole('button', { name: 'Dismiss' }));
  expect(document.querySelector('.toast')).toBeNull();
});

test('the newest stands first, and the same sentence only once', async () => {
  act(() => {
    for (const sentence of ['one', 'two', 'one', 'three']) say.note(sentence);
  });
  expect([...document.querySelectorAll('.toast')].map(({ textContent }) => textContent)).toEqual([
    'three',
    'two',
    'one',
  ]);
});

test('what is said before anything shows it is not lost, and no toast is a stop for Tab', async () => {
  cleanup();
  say.wrong('It is over');
  render(<Toasts />);
  expect(outcome()!.closest<HTMLElement>('.toast')!.tabIndex).toBe(-1);
});
