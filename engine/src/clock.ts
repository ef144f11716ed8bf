/** Wall-clock time in milliseconds since 1970. It may be set back, so durations are measured with `performance`. */
export const systemClock = (): number => Date.now();
