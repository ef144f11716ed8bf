// @vitest-environment jsdom
import { act, renderHook } from '@testing-library/react';
import { expect, onTestFinished, test, vi } from 'vitest';
import { useThrottled } from './RunScreen.tsx';

test('news are said one at a time, and the last of them at once', () => {
  vi.useFakeTimers({ now: 1_000_000_000_000 });
  onTestFinished(() => void vi.useRealTimers());
  const pass = (ms: number) => act(() => void vi.advanceTimersByTime(ms));
  const { result, rerender } = renderHook(({ value, isLast }) => useThrottled(value, 10_000, isLast), {
    initialProps: { value: '0 of 3', isLast: false },
  });
  rerender({ value: '1 of 3', isLast: false });
  pass(0);
  expect(result.current).toBe('1 of 3');
  rerender({ value: '2 of 3', isLast: false });
  pass(2000);
  expect(result.current).toBe('1 of 3');
  pass(8000);
  expect(result.current).toBe('2 of 3');
  rerender({ value: 'All 3 ready', isLast: true });
  pass(0);
  expect(result.current).toBe('All 3 ready');
});
