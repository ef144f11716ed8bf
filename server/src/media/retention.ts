import { sql } from 'kysely';
import type { Clock } from '../platform/clock.ts';
import type { Tx } from '../platform/data/db.ts';
import type { Column, Row } from '../platform/data/rows.ts';
import { expiryLimit, type Library, markDeleted } from './library.ts';

/** Deletes what is past its time: bytes first, then the row. A sweep that dies half-way is finished by the next. */

const BATCH = 200;

export async function deleteExpiredUploads(library: Library): Promise<number> {
  return inBatches(async () => {
    const expired = await sql<Row<'uploads', 'id'> & { key: Column<'uploads', 'objectKey'> }>`
      select id, object_key as key from uploads
      where deleted_at is null and created_at <= ${expiryLimit(library)} limit ${BATCH}`.execute(library.db);
    for (const { key } of expired.rows) await library.storage.remove(key);
    const ids = expired.rows.map((row) => row.id);
    await sql`update uploads set deleted_at = ${library.clock.now()} where id = any(${ids})`.execute(library.db);
    return ids.length;
  });
}

export async function deleteExpiredMedia(library: Library): Promise<number> {
  return inBatches(async () => {
    const expired = await sql<
      Row<'generatedMedia', 'id' | 'userId'> & { key: Column<'generatedMedia', 'storagePath'> }
    >`
      select id, user_id as "userId", storage_path as key from generated_media
      where deleted_at is null and created_at <= ${expiryLimit(library)} limit ${BATCH}`.execute(library.db);
    for (const { key, ...media } of expired.rows) {
      await library.storage.remove(key);
      await markDeleted(library, media, 'expired');
    }
    return expired.rows.length;
  });
}

/**
 * Words of a generation are as private as its pictures and live as long; so do those of a provider that repeats them.
 */
export async function forgetExpiredInputs(library: Library): Promise<void> {
  const limit = expiryLimit(library);
  await sql`
    update generations set input = '{}', understood = null, not_drawn = null,
      error_message = case when error_code = 'provider_rejected' then null else error_message end
    where created_at <= ${limit} and finished_at is not null
      and (input <> '{}' or understood is not null or (error_code = 'provider_rejected' and error_message is not null))
  `.execute(library.db);
  await sql`
    update idempotency_keys set body = jsonb_set(body::jsonb, '{input}', 'null')::json
    where created_at <= ${limit} and json_typeof(body -> 'input') = 'object'`.execute(library.db);
  await sql`
    update user_events set body = jsonb_set(body, '{error,message}', '""')
    where created_at <= ${limit} and body #>> '{error,code}' = 'provider_rejected' and body #>> '{error,message}' <> ''
  `.execute(library.db);
}

async function inBatches(work: () => Promise<number>): Promise<number> {
  let total = 0;
  for (;;) {
    const done = await work();
    total += done;
    if (done < BATCH) return total;
  }
}

/** Withdraws everything of one user in the caller's transaction; the files are to be removed after its commit. */
export async function withdrawUserMedia(
  tx: Tx,
  clock: Clock,
  userId: string,
): Promise<{ mediaDeleted: number; files: string[] }> {
  const uploads = await sql<{ key: Column<'uploads', 'objectKey'> }>`
    update uploads set deleted_at = ${clock.now()} where user_id = ${userId} and deleted_at is null
    returning object_key as key`.execute(tx);
  const results = await sql<{ key: Column<'generatedMedia', 'storagePath'> }>`
    update generated_media set deleted_at = ${clock.now()} where user_id = ${userId} and deleted_at is null
    returning storage_path as key`.execute(tx);
  return { mediaDeleted: results.rows.length, files: [...uploads.rows, ...results.rows].map(({ key }) => key) };
}

/** Rows whose bytes are missing in the storage, as sentences. */
export async function auditFiles(library: Library): Promise<string[]> {
  const stored = new Set<string>();
  for await (const object of library.storage.list()) stored.add(object.key);
  const rows = await sql<{ key: Column<'uploads', 'objectKey'> }>`
    select object_key as key from uploads where deleted_at is null
    union all select storage_path from generated_media where deleted_at is null`.execute(library.db);
  return rows.rows.filter((row) => !stored.has(row.key)).map((row) => `the file ${row.key} is missing`);
}
