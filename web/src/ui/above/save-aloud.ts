import { sentences } from '@plinth/contract/errors';
import { isSessionOver, toApiError, type Api } from '../../platform/api.ts';
import { saveBlob, saveFrom } from '../../platform/save-file.ts';
import { sayRefused } from './say-refused.ts';
import { say } from './toast.tsx';

/**
 * Saves a file that is fetched or made first, and announces the start and the end or the failure.
 * @returns the sentence of a failure; null if the file was saved
 */
export async function saveAloud(
  toastId: string,
  make: () => Promise<File>,
  explain: (cause: unknown) => string,
): Promise<string | null> {
  say.working(sentences.downloadStarting, toastId);
  try {
    const file = await make();
    saveBlob(file, file.name);
    say.done(sentences.downloadStarted, { id: toastId });
    return null;
  } catch (cause) {
    const fault = explain(cause);
    // The end of a session is said on the page that follows.
    if (isSessionOver(toApiError(cause))) say.noMore(toastId);
    else say.wrong(fault, { id: toastId });
    return fault;
  }
}

/**
 * Saves a large file, which the browser streams to disk. It would save a refusal as well, so the session is checked
 * first, and extended if need be.
 */
export async function saveStreamed(api: Api, url: string, toastId: string): Promise<void> {
  try {
    await api.command('/api/v1/session', {});
  } catch (cause) {
    return sayRefused(cause, toastId);
  }
  saveFrom(url, '');
  say.done(sentences.downloadStarted, { id: toastId });
}
