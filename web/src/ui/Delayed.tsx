import type { ReactNode } from 'react';
import { useIsLate } from './useIsLate.ts';

/** Shows its children only when the wait was long enough to notice. */
export function Delayed({ afterMs = 200, children }: { afterMs?: number; children: ReactNode }) {
  return useIsLate(true, afterMs) ? children : null;
}
