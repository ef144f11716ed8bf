import { sql } from 'kysely';
import type { Clock } from '../platform/clock.ts';
import { transaction, type Tx } from '../platform/data/db.ts';
import { recordDeletion } from '../platform/data/deletions.ts';
import { appendEvent } from '../platform/data/events.ts';
import type { Column, Row } from '../platform/data/rows.ts';
import { removeFiles } from '../platform/data/storage.ts';
import { AppError } from '../platform/errors.ts';
import { getMedia, type Library } from './library.ts';

/** Early deletion and return of results, together with their uploads. */

/** Deletes an item, and uploads that no other result needs. @throws AppError not_found */
export async function deleteMedia(library: Library, userId: string, mediaId: string): Promise<void> {
  const { db, clock, storage } = library;
  const { generationId } = await getMedia(library, userId, mediaId);
  const files = await transaction(db, async (tx) => {
    await recordDeletion(tx, 'media', mediaId, clock.now());
    const withdrawn = await withdrawMedia(tx, clock, userId, [generationId]);
    if (withdrawn.length === 0) throw new AppError('not_found');
    return withdrawn;
  });
  await removeFiles(storage, files);
}

/** Withdraws results, and uploads that no other result needs. Returns the files to delete after the commit. */
export async function withdrawMedia(tx: Tx, clock: Clock, userId: string, generationIds: string[]): Promise<string[]> {
  // A redo is accepted under the same lock: either it finds the uploads deleted, or they are in use here.
  const originals = await sql<Row<'generations', 'id'>>`
    select id from media_sources where id in (
      select coalesce(redo_of, id) from media_sources where id = any(${generationIds}))
    order by id for update`.execute(tx);
  const results = await sql<Row<'generatedMedia', 'id'> & { key: Column<'generatedMedia', 'storagePath'> }>`
    update generated_media set deleted_at = ${clock.now()}, deletion_cause = 'by you'
    where generation_id = any(${generationIds}) and deleted_at is null
    returning id, storage_path as key`.execute(tx);
  const uploads = await sql<{ key: Column<'uploads', 'objectKey'> }>`
    update uploads u set deleted_at = ${clock.now()}, deletion_cause = 'by you', filename = null
    where u.generation_id = any(${originals.rows.map(({ id }) => id)}) and u.deleted_at is null and ${IS_UNUSED}
    returning u.object_key as key`.execute(tx);
  for (const { id } of results.rows) await appendEvent(tx, userId, 'media', { action: 'deleted', id });
  return [...results.rows, ...uploads.rows].map(({ key }) => key);
}

/** True for an upload `u` whose results are all deleted and that no pending redo uses. */
export const IS_UNUSED = sql`(
  select bool_or(m.id is not null) and not bool_or(
    (m.id is not null and m.deleted_at is null) or g.status in ('queued', 'running'))
  from media_sources g left join generated_media m on m.generation_id = g.id
  where g.id = u.generation_id or g.redo_of = u.generation_id)`;
