import { IMAGE_MAX_PIXELS } from '@plinth/contract/limits';
import { LONGEST_WAIT_MS, makeAdmissionQueue } from '../platform/admission-queue.ts';

/**
 * Decoded pictures take most memory and processor time, so all of a process wait in one queue for them. Two of the
 * largest run at once, each about 250 MB where it has to be turned. Of the four threads that Node does such work on,
 * one is left for files and passwords.
 */
const queue = makeAdmissionQueue({ slots: 3, size: 2 * IMAGE_MAX_PIXELS });

/** Whoever sends a picture goes before those who look at one. */
const maxWaitMs = { send: LONGEST_WAIT_MS / 2, look: LONGEST_WAIT_MS } as const;

/**
 * Runs `work`, which decodes so many pixels, as soon as there is room for it.
 * @throws AppError temporarily_unavailable
 */
export function decode<Result>(
  purpose: keyof typeof maxWaitMs,
  pixels: number,
  work: () => Promise<Result>,
): Promise<Result> {
  return queue.run({ size: pixels, maxWaitMs: maxWaitMs[purpose] }, work);
}
