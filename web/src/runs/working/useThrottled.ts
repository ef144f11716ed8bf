import { useState } from 'react';
import { useNow } from '../../platform/clock.ts';

/**
 * Throttles a live region: the text changes at most once per interval, so a screen reader keeps up. The final text is
 * immediate.
 */
export function useThrottled(words: string, spanMs: number, isLast: boolean): string {
  const span = useNow(spanMs);
  const [shown, setShown] = useState({ span: 0, words });
  if (shown.words !== words && (isLast || shown.span !== span)) setShown({ span, words });
  return shown.words;
}
