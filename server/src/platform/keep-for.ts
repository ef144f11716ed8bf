import type { Clock } from './clock.ts';

/** Caches the result of `read` for a time; failures are not cached. */
export function keepFor<Value>(
  keptMs: number,
  clock: Clock,
  read: (now: Date) => Promise<Value>,
): () => Promise<Value> {
  let kept: { readAt: number; value: Promise<Value> } | undefined;
  return () => {
    const now = clock.now();
    // Also if the clock was set back.
    if (kept !== undefined && Math.abs(now.getTime() - kept.readAt) < keptMs) return kept.value;
    const fresh = { readAt: now.getTime(), value: read(now) };
    kept = fresh;
    fresh.value.catch(() => {
      if (kept === fresh) kept = undefined;
    });
    return fresh.value;
  };
}
