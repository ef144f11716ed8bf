// @vitest-environment jsdom
import { act, cleanup, render } from '@testing-library/react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { useUnseenTitle } from './useUnseenTitle.ts';

const hidden = vi.spyOn(document, 'hidden', 'get');

beforeEach(() => {
  document.title = 'History · Plinth';
  hidden.mockReturnValue(false);
});
afterEach(cleanup);

function Tab({ finishedCount }: { finishedCount: number }) {
  useUnseenTitle(finishedCount);
  return null;
}

function turn(isHidden: boolean): void {
  hidden.mockReturnValue(isHidden);
  act(() => void document.dispatchEvent(new Event('visibilitychange')));
}

test('a hidden tab counts in its title what has finished since it was left, until it is looked at', () => {
  const { rerender } = render(<Tab finishedCount={0} />);
  rerender(<Tab finishedCount={1} />);
  expect(document.title).toBe('History · Plinth');
  turn(true);
  expect(document.title).toBe('History · Plinth');
  rerender(<Tab finishedCount={2} />);
  expect(document.title).toBe('(1) Plinth');
  rerender(<Tab finishedCount={3} />);
  expect(document.title).toBe('(2) Plinth');
  turn(false);
  expect(document.title).toBe('History · Plinth');
});
