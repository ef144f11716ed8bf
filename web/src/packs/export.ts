import { sentences } from '@plinth/contract/errors';
import type { PackId } from '@plinth/contract/pack-names';
import { packFilename, packUrl } from '@plinth/contract/packs';
import type { Api } from '../platform/api.ts';
import { saveAloud } from '../ui/save-aloud.ts';

type Exported = { mediaId: string; originalFilename: string };

export async function exportPacks(
  api: Api,
  { mediaId, originalFilename }: Exported,
  ids: readonly PackId[],
  lookId: string | null,
): Promise<void> {
  const make = async () => {
    const files: File[] = [];
    for (const id of ids)
      files.push(new File([await api.file(packUrl(mediaId, id, lookId))], packFilename(originalFilename, id)));
    const [only, ...others] = files;
    if (only !== undefined && others.length === 0) return only;
    return zip(files, `${originalFilename.replace(/\.[^.]*$/, '')}-export.zip`);
  };
  const explain = (cause: unknown) => (cause instanceof Error ? cause.message : sentences.downloadMediaFailed);
  await saveAloud(`export-${mediaId}`, make, explain);
}

/** Pictures are small already: they are stored as they are. */
async function zip(files: readonly File[], name: string): Promise<File> {
  const { zipSync } = await import('fflate');
  const entries = await Promise.all(
    files.map(async (file) => [file.name, new Uint8Array(await file.arrayBuffer())] as const),
  );
  return new File([zipSync(Object.fromEntries(entries), { level: 0 })], name, { type: 'application/zip' });
}
