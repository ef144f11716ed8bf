import { useState } from 'react';

/** Copies a text and reports it, or says what to do instead: over plain HTTP there is no clipboard API. */
export function useCopy(refused = 'This page may not copy. Select the text instead.') {
  const [message, setMessage] = useState('');
  const copy = async (text: string, copied = 'Copied.') => {
    try {
      await navigator.clipboard.writeText(text);
      setMessage(copied);
    } catch {
      setMessage(refused);
    }
  };
  return { message, setMessage, copy: (...given: Parameters<typeof copy>) => void copy(...given) };
}
