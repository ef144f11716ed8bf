import { sentences } from '@plinth/contract/errors';
import type { Api } from '../platform/api.ts';
import { say } from '../ui/toast.tsx';

type Downloadable = { downloadUrl: string; originalFilename: string };
const RELEASE_AFTER_MS = 100;

/** Saves a result under its own name and says so. */
export async function downloadMedia(api: Api, media: Downloadable, failed: string): Promise<void> {
  await downloadAll(api, [media], failed);
}

/** Saves results one after another and speaks once for all of them. */
export async function downloadAll(api: Api, all: readonly Downloadable[], failed: string): Promise<void> {
  const toastId = `download-${all[0]?.downloadUrl}`;
  say.working(sentences.downloadStarting, toastId);
  let isWhole = true;
  for (const { downloadUrl, originalFilename } of all) {
    try {
      saveBlob(await api.bytes(downloadUrl), originalFilename || 'generated-media');
    } catch {
      isWhole = false; // The others are saved all the same.
    }
  }
  if (isWhole) say.done(sentences.downloadStarted, { id: toastId });
  else say.wrong(failed, { id: toastId });
}

function saveBlob(blob: Blob, name: string): void {
  const url = URL.createObjectURL(blob);
  const link = document.createElement('a');
  link.href = url;
  link.download = name;
  document.body.append(link);
  link.click();
  link.remove();
  setTimeout(() => URL.revokeObjectURL(url), RELEASE_AFTER_MS);
}

/** Whether this browser can put a picture on the clipboard. */
export function canCopyPictures(): boolean {
  return typeof ClipboardItem !== 'undefined' && typeof navigator.clipboard?.write === 'function';
}

/** Puts a picture on the clipboard. The bytes are handed over as a promise: Safari forgets the click otherwise. */
export async function copyPicture(api: Api, contentUrl: string): Promise<void> {
  try {
    await navigator.clipboard.write([new ClipboardItem({ 'image/png': api.bytes(contentUrl) })]);
    say.done('Copied', { id: 'copy' });
  } catch {
    say.wrong('The picture could not be copied. Download it instead.', { id: 'copy' });
  }
}
