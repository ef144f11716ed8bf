import { IMAGE_MAX_PIXELS } from '@plinth/contract/limits';
import { AppError } from '../platform/errors.ts';

/** Decoded pictures are what memory goes to: all of a process share one budget of pixels. */
export type DecodeBudget = {
  /**
   * Runs `work`, which decodes this many pixels, as soon as the budget has room for it; first come, first served.
   * @throws AppError temporarily_unavailable when there was no room for a while
   */
  spend: <Result>(pixels: number, work: () => Promise<Result>) => Promise<Result>;
};

const RETRY_SECONDS = 5;

/** A budget of `most` pixels at one time, for which everybody waits `waitMs` at most. */
export function makeDecodeBudget(most: number, waitMs: number): DecodeBudget {
  let spent = 0;
  const waiting: { pixels: number; begin: () => void }[] = [];
  const admit = () => {
    for (let next = waiting[0]; next !== undefined && spent + next.pixels <= most; next = waiting[0]) {
      waiting.shift();
      spent += next.pixels;
      next.begin();
    }
  };
  const getRoom = (pixels: number) =>
    new Promise<void>((resolve, reject) => {
      const timer = setTimeout(() => {
        waiting.splice(waiting.indexOf(entry), 1);
        reject(new AppError('temporarily_unavailable', { retryAfterSeconds: RETRY_SECONDS }));
        admit();
      }, waitMs);
      const entry = { pixels, begin: () => (clearTimeout(timer), resolve()) };
      waiting.push(entry);
      admit();
    });
  return {
    spend: async (pixels, work) => {
      const share = Math.min(pixels, most);
      await getRoom(share);
      try {
        return await work();
      } finally {
        spent -= share;
        admit();
      }
    },
  };
}

// Two of the largest pictures at once, each about 250 MB where it has to be turned.
export const decoding = makeDecodeBudget(2 * IMAGE_MAX_PIXELS, 20_000);
