import { useRef } from 'react';

/**
 * Idempotency-Key of a submission. Pressing again after a lost connection reuses the key, so nothing is made or paid
 * twice. A response clears it.
 */
export function useAttemptKey() {
  const last = useRef<{ sent: string; key: string } | null>(null);
  return {
    keyOf: (sent: string): string => {
      if (last.current?.sent !== sent) last.current = { sent, key: crypto.randomUUID() };
      return last.current.key;
    },
    forget: () => void (last.current = null),
  };
}
