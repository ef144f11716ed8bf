import { useSyncExternalStore } from 'react';
import { useCached } from './useCached.ts';

/** Milliseconds the server's clock is ahead of this machine's. */
export const CLOCK_KEY = ['clock'];

/** The server's time in steps of `stepMs`; the component renders again at every step. */
export function useNow(stepMs: number): number {
  const [aheadMs] = useCached(CLOCK_KEY, 0);
  const here = useSyncExternalStore(
    (onChange) => {
      const timer = setInterval(onChange, Math.min(stepMs, 1000));
      return () => clearInterval(timer);
    },
    () => Math.floor(Date.now() / stepMs) * stepMs,
  );
  return here + aheadMs;
}
