import { sentences } from '@plinth/contract/errors';
import type { PackId } from '@plinth/contract/pack-names';
import { packFilename, packUrl } from '@plinth/contract/packs';
import type { Api } from '../platform/api.ts';
import { saveBlob } from '../platform/save-file.ts';
import { say } from '../ui/toast.tsx';

type Exported = { mediaId: string; originalFilename: string };

export async function exportPacks(
  api: Api,
  media: Exported,
  ids: readonly PackId[],
  lookId: string | null = null,
): Promise<void> {
  const toast = { id: `export-${media.mediaId}` };
  say.working(sentences.downloadStarting, toast.id);
  try {
    const files: { name: string; content: Blob }[] = [];
    for (const id of ids) {
      const content = await api.bytes(packUrl(media.mediaId, id, lookId));
      files.push({ name: packFilename(media.originalFilename, id), content });
    }
    const [only] = files;
    if (files.length === 1 && only !== undefined) saveBlob(only.content, only.name);
    else saveBlob(await zip(files), `${media.originalFilename.replace(/\.[^.]*$/, '')}-export.zip`);
    say.done(sentences.downloadStarted, toast);
  } catch (error) {
    say.wrong(error instanceof Error ? error.message : sentences.downloadMediaFailed, toast);
  }
}

/** Pictures are small already: they are stored as they are. */
async function zip(files: { name: string; content: Blob }[]): Promise<Blob> {
  const { zipSync } = await import('fflate');
  const entries = await Promise.all(
    files.map(async ({ name, content }) => [name, new Uint8Array(await content.arrayBuffer())] as const),
  );
  return new Blob([zipSync(Object.fromEntries(entries), { level: 0 })], { type: 'application/zip' });
}
