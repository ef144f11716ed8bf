import { useState } from 'react';
import { useNow } from '../../platform/clock.ts';

/** The words, but anew only once in each span of this time: a voice could not keep up otherwise. The last at once. */
export function useSlowly(words: string, spanMs: number, isLast: boolean): string {
  const span = useNow(spanMs);
  const [said, setSaid] = useState({ span: 0, words });
  if (said.words !== words && (isLast || said.span !== span)) setSaid({ span, words });
  return said.words;
}
