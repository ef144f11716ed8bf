import type { Clock } from './clock.ts';

/**
 * What `read` brings, for so long: it is read once for all who ask meanwhile. What failed is read again by whoever asks
 * next.
 */
export function keepFor<Value>(
  keptMs: number,
  clock: Clock,
  read: (now: Date) => Promise<Value>,
): () => Promise<Value> {
  let kept: { readAt: number; value: Promise<Value> } | undefined;
  return () => {
    const now = clock.now();
    if (kept !== undefined && now.getTime() - kept.readAt < keptMs) return kept.value;
    const fresh = { readAt: now.getTime(), value: read(now) };
    kept = fresh;
    fresh.value.catch(() => {
      if (kept === fresh) kept = undefined;
    });
    return fresh.value;
  };
}
