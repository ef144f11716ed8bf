import { useEffect, useRef, useState } from 'react';

/**
 * The value, but at most one new one in this time: a voice could not keep up otherwise. After the last one nothing
 * follows, so it is said at once.
 */
export function useSlowly(value: string, everyMs: number, isLast: boolean): string {
  const [slow, setSlow] = useState(value);
  const saidAt = useRef(0);
  useEffect(() => {
    if (slow === value) return undefined;
    const timer = setTimeout(
      () => {
        saidAt.current = Date.now();
        setSlow(value);
      },
      isLast ? 0 : Math.max(0, saidAt.current + everyMs - Date.now()),
    );
    return () => clearTimeout(timer);
  }, [slow, value, everyMs, isLast]);
  return slow;
}
