import type { ReactNode } from 'react';
import { useIsLate } from './useIsLate.ts';

export function Delayed({ afterMs = 200, children }: { afterMs?: number; children: ReactNode }) {
  return useIsLate(true, afterMs) ? children : null;
}
