/** What was sent of a photo, or all of it: when, in milliseconds, and its bytes. */
export type Sent = { at: number; bytes: number };

const LOOK_BACK_MS = 60_000;
const FEWEST = 3;

/** Bytes in a second over the last minute; null while too little is known. */
export function measureSpeed(sent: readonly Sent[], now: number): number | null {
  const late = sent.filter(({ at }) => now - at < LOOK_BACK_MS);
  const [first, ...rest] = late;
  if (first === undefined || late.length < FEWEST || now <= first.at) return null;
  const bytes = rest.reduce((sum, one) => sum + one.bytes, 0);
  return bytes / ((now - first.at) / 1000);
}

const SHORTEST_MS = 10_000;

/** How many end in a minute, by the last minute of a work that began at `since`; null while too little is known. */
export function measurePace(endedAt: readonly number[], since: number, now: number): number | null {
  const from = Math.max(since, now - LOOK_BACK_MS);
  const late = endedAt.filter((at) => at >= from);
  if (late.length < FEWEST || now - from < SHORTEST_MS) return null;
  return late.length / ((now - from) / 60_000);
}
