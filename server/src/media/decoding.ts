import { IMAGE_MAX_PIXELS } from '@plinth/contract/limits';
import { LONGEST_WAIT_MS, makeLine } from '../platform/line.ts';

/**
 * Decoded pictures are what memory and processors go to: all of a process wait in one line for them. Two of the largest
 * at once, each about 250 MB where it has to be turned; and of the four threads that Node does such work on, one is
 * left for files and passwords.
 */
const line = makeLine({ places: 3, size: 2 * IMAGE_MAX_PIXELS });

/** Whoever sends a picture goes before those who look at one. */
const patience = { send: LONGEST_WAIT_MS / 2, look: LONGEST_WAIT_MS } as const;

/**
 * Runs `work`, which decodes so many pixels, as soon as there is room for it.
 * @throws AppError temporarily_unavailable
 */
export function decode<Result>(
  purpose: keyof typeof patience,
  pixels: number,
  work: () => Promise<Result>,
): Promise<Result> {
  return line.pass({ size: pixels, patienceMs: patience[purpose] }, work);
}
