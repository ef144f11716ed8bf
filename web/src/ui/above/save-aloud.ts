import { sentences } from '@plinth/contract/errors';
import { saveBlob } from '../../platform/save-file.ts';
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
    say.wrong(fault, { id: toastId });
    return fault;
  }
}
