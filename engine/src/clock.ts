/** Where every time in this program comes from, in milliseconds since 1970. Tests pass their own. */
export type Clock = () => number;

export const systemClock: Clock = () => Date.now();
