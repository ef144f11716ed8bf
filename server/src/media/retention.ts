import type { DeletionCause } from '@plinth/contract/media';
import { type RawBuilder, sql } from 'kysely';
import type { Clock } from '../platform/clock.ts';
import { transaction, type Tx } from '../platform/data/db.ts';
import { appendEvent } from '../platform/data/events.ts';
import type { Column, Row } from '../platform/data/rows.ts';
import { tryRemove } from '../platform/data/storage.ts';
import { IS_UNUSED } from './deletion.ts';
import { expiryLimit, type Library } from './library.ts';

/** Deletes expired media: bytes first, then the row. The next sweep completes an interrupted one. */

const BATCH = 200;
/** Undeletable files that are skipped; more of them are a general failure. */
const MAX_SKIPPED = 1000;

export async function deleteExpiredUploads(library: Library): Promise<number> {
  return deleteUploads(library, sql`u.created_at <= ${expiryLimit(library)}`, 'expired');
}

/** Uploads of deleted results that a redo, which then failed, had still needed. */
export async function deleteUnusedUploads(library: Library): Promise<number> {
  const isRedone = sql`exists (select from media_sources r where r.redo_of = u.generation_id)`;
  return deleteUploads(library, sql`${isRedone} and ${IS_UNUSED}`, 'by you');
}

async function deleteUploads(library: Library, which: RawBuilder<unknown>, cause: DeletionCause): Promise<number> {
  return inBatches(library, {
    find: (skipped) =>
      sql<Row<'uploads', 'id'> & { key: Column<'uploads', 'objectKey'> }>`
        select u.id, u.object_key as key from uploads u
        where u.deleted_at is null and ${which} and u.id <> all(${skipped}) limit ${BATCH}`.execute(library.db),
    mark: async (deleted) => {
      await sql`
        update uploads set deleted_at = ${library.clock.now()}, deletion_cause = ${cause}, filename = null
        where id = any(${deleted.map(({ id }) => id)}) and deleted_at is null`.execute(library.db);
    },
  });
}

export async function deleteExpiredMedia(library: Library): Promise<number> {
  return inBatches(library, {
    find: (skipped) =>
      sql<Row<'generatedMedia', 'id' | 'userId'> & { key: Column<'generatedMedia', 'storagePath'> }>`
        select id, user_id as "userId", storage_path as key from generated_media
        where deleted_at is null and created_at <= ${expiryLimit(library)} and id <> all(${skipped})
        limit ${BATCH}`.execute(library.db),
    mark: async (deleted) => {
      for (const media of deleted) await markExpired(library, media);
    },
  });
}

/** Marks an item as deleted after its bytes, with an event, unless it is marked already. */
async function markExpired({ db, clock }: Library, { id, userId }: { id: string; userId: string }): Promise<void> {
  await transaction(db, async (tx) => {
    const marked = await sql`
      update generated_media set deleted_at = ${clock.now()}, deletion_cause = 'expired'
      where id = ${id} and deleted_at is null`.execute(tx);
    if (marked.numAffectedRows === 1n) await appendEvent(tx, userId, 'media', { action: 'expired', id });
  });
}

type StoredFile = { id: string; key: string };
type Batches<Found extends StoredFile> = {
  /** The next items, without those whose file could not be deleted. */
  find: (skipped: string[]) => Promise<{ rows: Found[] }>;
  mark: (deleted: Found[]) => Promise<void>;
};

/** Deletes files; one failure does not stop the others. @throws at the end, or at once in an outage of the storage */
async function inBatches<Found extends StoredFile>(
  { storage }: Library,
  { find, mark }: Batches<Found>,
): Promise<number> {
  const skipped: Found[] = [];
  let total = 0;
  let cause: unknown;
  for (let hasMore = true; hasMore;) {
    const { rows } = await find(skipped.map(({ id }) => id));
    const deleted: Found[] = [];
    for (const row of rows) {
      const failure = await tryRemove(storage, row.key);
      (failure === undefined ? deleted : skipped).push(row);
      cause ??= failure;
    }
    await mark(deleted);
    total += deleted.length;
    hasMore = rows.length === BATCH && skipped.length < MAX_SKIPPED;
  }
  if (skipped.length > 0) throw new Error(`files that could not be removed: ${skipped.length}`, { cause });
  return total;
}

/** Withdraws all of one user's media in the caller's transaction, who deletes the files after the commit. */
export async function withdrawUserMedia(
  tx: Tx,
  clock: Clock,
  userId: string,
): Promise<{ mediaDeleted: number; files: string[] }> {
  const uploads = await sql<{ key: Column<'uploads', 'objectKey'> }>`
    update uploads set deleted_at = ${clock.now()}, filename = null where user_id = ${userId} and deleted_at is null
    returning object_key as key`.execute(tx);
  const results = await sql<{ key: Column<'generatedMedia', 'storagePath'> }>`
    update generated_media set deleted_at = ${clock.now()} where user_id = ${userId} and deleted_at is null
    returning storage_path as key`.execute(tx);
  // Also deletes an account's receipts, because a digest could identify a picture that somebody else has.
  await sql`update uploads set sha256 = null, deletion_cause = null where user_id = ${userId}`.execute(tx);
  await sql`update generated_media set sha256 = '', deletion_cause = null where user_id = ${userId}`.execute(tx);
  return { mediaDeleted: results.rows.length, files: [...uploads.rows, ...results.rows].map(({ key }) => key) };
}
