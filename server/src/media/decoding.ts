import { IMAGE_MAX_PIXELS } from '@plinth/contract/limits';
import { LONGEST_WAIT_MS, makeAdmissionQueue } from '../platform/admission-queue.ts';

/**
 * One queue per process for decoding, which takes most memory and CPU: two of the largest pictures (250 MB each) at
 * once, and one of Node's four threads stays free for files and passwords.
 */
const queue = makeAdmissionQueue({ slots: 3, size: 2 * IMAGE_MAX_PIXELS });

/** Whoever sends a picture goes before those who look at one. */
const maxWaitMs = { send: LONGEST_WAIT_MS / 2, look: LONGEST_WAIT_MS } as const;

/** Runs `work`, which decodes so many pixels, when there is capacity. @throws AppError temporarily_unavailable */
export function decode<Result>(
  purpose: keyof typeof maxWaitMs,
  pixels: number,
  work: () => Promise<Result>,
): Promise<Result> {
  return queue.run({ size: pixels, maxWaitMs: maxWaitMs[purpose] }, work);
}
