import type { Clock } from './clock.ts';

/** Caches the result of `read` for a time; failures are not cached. */
export function cacheFor<Value>(
  ttlMs: number,
  clock: Clock,
  read: (now: Date) => Promise<Value>,
): () => Promise<Value> {
  let cached: { readAt: number; value: Promise<Value> } | undefined;
  return () => {
    const now = clock.now();
    // Also if the clock was set back.
    if (cached !== undefined && Math.abs(now.getTime() - cached.readAt) < ttlMs) return cached.value;
    const fresh = { readAt: now.getTime(), value: read(now) };
    cached = fresh;
    fresh.value.catch(() => {
      if (cached === fresh) cached = undefined;
    });
    return fresh.value;
  };
}
