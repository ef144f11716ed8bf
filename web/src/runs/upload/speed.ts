/** Progress since the previous sample, in bytes or pictures; `at` in milliseconds. */
export type ProgressSample = { at: number; amount: number };

const LOOK_BACK_MS = 60_000;
const MIN_MS = 5000;
const MIN_SAMPLES = 3;

/**
 * Returns the progress per millisecond over the last minute of what began at `since`; null while there is too little
 * data.
 */
export function measureSpeed(samples: readonly ProgressSample[], since: number, now: number): number | null {
  const from = Math.max(since, now - LOOK_BACK_MS);
  const late = samples.filter(({ at }) => at >= from);
  if (late.length < MIN_SAMPLES || now - from < MIN_MS) return null;
  return late.reduce((sum, { amount }) => sum + amount, 0) / (now - from);
}

/** Keeps the samples needed from now on: those of the last minute, and the last one before it as the start. */
export function dropOldSamples(samples: readonly ProgressSample[], now: number): ProgressSample[] {
  const late = samples.findIndex(({ at }) => at >= now - LOOK_BACK_MS);
  return samples.slice(Math.max(0, (late < 0 ? samples.length : late) - 1));
}
