/** The only reader of the time. Tests pass a clock that they control. */
export type Clock = { now: () => Date };

export const systemClock: Clock = { now: () => new Date() };

export function secondsAfter(moment: Date, seconds: number): Date {
  return new Date(moment.getTime() + seconds * 1000);
}
