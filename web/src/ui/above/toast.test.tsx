// @vitest-environment jsdom
import { act, cleanup, render, screen } from '@testing-library/react';
import { toast } from 'sonner';
import { afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { loadToasts, say, Toasts } from './toast.tsx';

// Fetched by no timer: a file that is slow to come must not outlast the ones that are advanced.
beforeAll(async () => void (await loadToasts()));
beforeEach(() => {
  vi.useFakeTimers();
  render(<Toasts />);
});
afterEach(() => {
  toast.dismiss();
  cleanup();
  vi.useRealTimers();
});

const pass = (ms: number) => act(() => vi.advanceTimersByTimeAsync(ms));
const spinners = () => document.querySelectorAll('[data-sonner-toast] .spinner').length;

test('a step of the work stays until it is settled', async () => {
  act(() => void say.working('Generating video...', 'gen_0'));
  await pass(600_000);
  expect(screen.getByText('Generating video...')).toBeTruthy();
  expect(spinners()).toBe(1);
  act(() => void say.done('Video ready', { id: 'gen_0' }));
  await pass(500);
  expect(screen.queryByText('Generating video...')).toBeNull();
  expect(screen.getByText('Video ready')).toBeTruthy();
});

test('an outcome that comes while another of its name is just leaving is said all the same', async () => {
  act(() => void say.note('Canceled.', { id: 'gen_3' }));
  await pass(10); // Until it is there.
  for (let waitedMs = 10; screen.queryByText('Canceled.')?.closest('[data-removed=true]') === null;) {
    await pass(10);
    waitedMs += 10;
    expect(waitedMs).toBeLessThan(6000);
  }
  act(() => void say.done('Background removed', { id: 'gen_3' }));
  await pass(1000);
  expect(screen.getByText('Background removed').closest('[data-removed=false]')).toBeTruthy();
});

test('a toast is no stop for Tab, what can be pressed in it is, and it takes no focus back', async () => {
  const before = document.body.appendChild(document.createElement('button'));
  before.focus();
  act(() => void say.wrong('It went wrong', { id: 'wrong' }));
  await pass(500);
  expect(screen.getByText('It went wrong').closest<HTMLElement>('[data-sonner-toast]')?.tabIndex).toBe(-1);
  const close = screen.getByRole('button', { name: 'Dismiss' });
  act(() => close.focus());
  const after = document.body.appendChild(document.createElement('button'));
  act(() => after.focus());
  expect(document.activeElement).toBe(after);
  before.remove();
  after.remove();
});

test.each([
  ['a success', () => void say.done('It is over', { id: 'gen_1' })],
  ['a failure', () => void say.wrong('It is over', { id: 'gen_1' })],
  ['a note', () => void say.note('It is over', { id: 'gen_1', icon: 'returned' })],
])('%s takes the place of the step before it, spinner and all', async (_outcome, sayIt) => {
  act(() => void say.working('Generating video...', 'gen_1'));
  await pass(500);
  act(sayIt);
  await pass(500);
  expect(screen.queryByText('Generating video...')).toBeNull();
  expect(screen.getByText('It is over')).toBeTruthy();
  expect(spinners()).toBe(0);
});
