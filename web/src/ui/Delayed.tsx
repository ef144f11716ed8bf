import { type ReactNode, useEffect, useState } from 'react';

export function Delayed({ afterMs = 200, children }: { afterMs?: number; children: ReactNode }) {
  return useIsLate(true, afterMs) ? children : null;
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
