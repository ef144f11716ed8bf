import { useEffect, useState, type ReactNode } from 'react';

/** Shows its children only when the wait was long enough to notice. */
export function Delayed({ afterMs = 200, children }: { afterMs?: number; children: ReactNode }) {
  const [isDue, setIsDue] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setIsDue(true), afterMs);
    return () => clearTimeout(timer);
  }, [afterMs]);
  return isDue ? children : null;
}
