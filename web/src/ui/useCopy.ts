import { useState } from 'react';

/** Copies a text and reports it, or says what to do instead: over plain HTTP there is no clipboard API. */
export function useCopy(refused = 'This page may not copy. Select the text instead.') {
  const [said, setSaid] = useState('');
  const copy = async (text: string, copied = 'Copied.') => {
    try {
      await navigator.clipboard.writeText(text);
      setSaid(copied);
    } catch {
      setSaid(refused);
    }
  };
  return { said, setSaid, copy: (...given: Parameters<typeof copy>) => void copy(...given) };
}
