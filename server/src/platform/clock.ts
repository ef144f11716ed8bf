/** The only reader of the time. Tests hand in a clock they move themselves. */
export type Clock = { now: () => Date };

export const systemClock: Clock = { now: () => new Date() };

export function secondsAfter(moment: Date, seconds: number): Date {
  return new Date(moment.getTime() + seconds * 1000);
}
