import { useRef } from 'react';

/**
 * The Idempotency-Key of what somebody sends. The same press after a lost connection keeps its key, so that nothing is
 * made or paid twice; once there was an answer, it is forgotten.
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
