import { useSyncExternalStore } from 'react';
import { create } from 'zustand';

/** Milliseconds by which the server's clock is ahead of this machine's. */
const useOffset = create(() => ({ aheadMs: 0 }));

export function setClock(serverTime: string): void {
  useOffset.setState({ aheadMs: Date.parse(serverTime) - Date.now() });
}

/** Returns the server's time in milliseconds since 1970. */
export function readClock(): number {
  return Date.now() + useOffset.getState().aheadMs;
}

/** Returns the server's time in steps of `stepMs`; the component renders again at each step. */
export function useNow(stepMs: number): number {
  const { aheadMs } = useOffset();
  const here = useSyncExternalStore(
    (onChange) => {
      const timer = setInterval(onChange, Math.min(stepMs, 1000));
      return () => clearInterval(timer);
    },
    () => Math.floor(Date.now() / stepMs) * stepMs,
  );
  return here + aheadMs;
}
