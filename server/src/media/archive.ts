import type { Readable } from 'node:stream';
import { ARCHIVE_MAX_IDS } from '@plinth/contract/limits';
import { stemOf } from '@plinth/contract/names';
import { sql } from 'kysely';
import { AppError, fieldError } from '../platform/errors.ts';
import type { Column } from '../platform/data/rows.ts';
import { makeUniqueNames, streamZip } from '../platform/zip.ts';
import { expiryLimit, type Library } from './library.ts';

type ArchiveFile = { key: Column<'generatedMedia', 'storagePath'>; file: string };

/** The ids in an archive request's `ids`, separated by commas; null for all items. */
export function readArchiveIds(query: unknown): string[] | null {
  const parameters = query as Record<string, unknown>;
  const unknown = Object.keys(parameters).find((name) => name !== 'ids');
  if (unknown !== undefined) throw fieldError(unknown, 'unknown_field');
  if (parameters.ids === undefined) return null;
  const ids = typeof parameters.ids === 'string' ? [...new Set(parameters.ids.split(','))] : [];
  if (ids.length === 0 || ids.length > ARCHIVE_MAX_IDS) throw fieldError('ids', 'invalid_option');
  return ids;
}

/** The files of a history archive, newest first. @throws AppError not_found for a foreign id or without any file */
export async function listArchiveFiles(library: Library, userId: string, ids: string[] | null): Promise<ArchiveFile[]> {
  const found = await sql<ArchiveFile>`
    select m.storage_path as key, coalesce(m.original_filename, 'generated-media') as file from generated_media m
    where m.user_id = ${userId} and m.deleted_at is null and m.created_at > ${expiryLimit(library)}
      and (${ids}::text[] is null or m.id = any(${ids}::text[]))
    order by m.created_at desc, m.id desc`.execute(library.db);
  if (found.rows.length < (ids?.length ?? 1)) throw new AppError('not_found');
  // Results of the same millisecond have the same name.
  const uniqueName = makeUniqueNames([]);
  return found.rows.map(({ key, file }) => ({ key, file: uniqueName(stemOf(file), file.slice(stemOf(file).length)) }));
}

/** A ZIP of these files, streamed on demand. Files deleted in the meantime are left out. */
export function makeArchive(library: Library, files: ArchiveFile[]): Readable {
  return streamZip(library.clock, async (add) => {
    for (const { key, file } of files) {
      const content = await library.storage.read(key);
      // Pictures and videos are compressed already.
      if (content !== undefined) await add(content, file, false);
    }
  });
}
