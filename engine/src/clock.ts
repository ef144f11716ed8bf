/** What the clock on the wall says, in milliseconds since 1970. It may be set back: spans are told by `performance`. */
export const systemClock = (): number => Date.now();
