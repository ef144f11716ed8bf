import { sentences } from '@plinth/contract/errors';
import { archiveUrl } from '@plinth/contract/media';
import { isSessionOver, toApiError, type Api } from '../platform/api.ts';
import { saveAloud, saveStreamed } from '../ui/above/save-aloud.ts';
import { say } from '../ui/above/toast.tsx';

type Downloadable = { downloadUrl: string; originalFilename: string };

/** Saves one result. `failed` is the tool's sentence for a failure. */
export async function downloadMedia(api: Api, media: Downloadable, failed: string = sentences.downloadMediaFailed) {
  const make = async () => {
    const file = await api.file(media.downloadUrl);
    return file.name === '' ? new File([file], media.originalFilename || 'generated-media') : file;
  };
  await saveAloud(`download-${media.downloadUrl}`, make, () => failed);
}

/** Saves several results, or all of them if null, as one ZIP. */
export const downloadArchive = (api: Api, mediaIds: readonly string[] | null): Promise<void> =>
  saveStreamed(api, archiveUrl(mediaIds), 'download-archive');

export function canCopyPictures(): boolean {
  return typeof ClipboardItem !== 'undefined' && typeof navigator.clipboard?.write === 'function';
}

/** Copies a picture to the clipboard. The bytes are passed as a promise, or Safari no longer accepts the click. */
export async function copyPicture(api: Api, contentUrl: string): Promise<void> {
  try {
    await navigator.clipboard.write([new ClipboardItem({ 'image/png': api.file(contentUrl) })]);
    say.done('Copied', { id: 'copy' });
  } catch (cause) {
    if (isSessionOver(toApiError(cause))) return;
    say.wrong('The picture could not be copied. Download it instead.', { id: 'copy' });
  }
}
