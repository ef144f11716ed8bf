import { type ReactNode, useEffect, useState } from 'react';

const SHOWN_AFTER_MS = 200;

export function Delayed({ children }: { children: ReactNode }) {
  return useIsLate(true, SHOWN_AFTER_MS) ? children : null;
}

export function useIsLate(isWaiting: boolean, afterMs: number): boolean {
  const [isLate, setIsLate] = useState(false);
  useEffect(() => {
    if (!isWaiting) return;
    const timer = setTimeout(() => setIsLate(true), afterMs);
    return () => {
      clearTimeout(timer);
      setIsLate(false);
    };
  }, [isWaiting, afterMs]);
  return isLate;
}
