import { IMAGE_MAX_PIXELS } from '@plinth/contract/limits';
import { makeAdmissionQueue, MAX_WAIT_MS } from '../platform/admission-queue.ts';

/**
 * One queue per process for decoding, which takes most of the memory and CPU. Decodes at most two of the largest
 * pictures (250 MB each) at once, and leaves one of Node's four threads free for files and passwords.
 */
const queue = makeAdmissionQueue({ slots: 3, size: 2 * IMAGE_MAX_PIXELS });

/** Uploads have priority over previews. */
const maxWaitMs = { upload: MAX_WAIT_MS / 2, preview: MAX_WAIT_MS } as const;

/** Runs `work`, which decodes this many pixels, when there is capacity. @throws AppError temporarily_unavailable */
export function decode<Result>(
  purpose: keyof typeof maxWaitMs,
  pixels: number,
  work: () => Promise<Result>,
): Promise<Result> {
  return queue.run({ size: pixels, maxWaitMs: maxWaitMs[purpose] }, work);
}
