import { sql } from 'kysely';
import { deleteAccount } from '../account/deletion.ts';
import { getTool } from '../generations/generation-view.ts';
import { settleGeneration, settleReturn, withoutRedos } from '../generations/settle.ts';
import { deleteMedia } from '../media/deletion.ts';
import type { Library } from '../media/library.ts';
import { deleteExpiredWords } from '../generations/retention.ts';
import { deleteExpiredMedia, deleteExpiredUploads } from '../media/retention.ts';
import { transaction } from '../platform/data/db.ts';
import { type Deletions, recordDeletions } from '../platform/data/deletions.ts';
import { deleteRestoredKeys } from '../auth/keys.ts';
import { deleteRestoredEndpoints } from '../webhooks/endpoints.ts';
import { AppError } from '../platform/errors.ts';
import type { Row } from '../platform/data/rows.ts';
import { removeFiles } from '../platform/data/storage.ts';

/** Repeats what happened since a backup was made. Idempotent. */

/** Fails unfinished generations with a refund, as their state at providers is unknown. Returns their number. */
export async function settleOpenGenerations(library: Library): Promise<number> {
  const { db } = library;
  const open = await sql<Row<'generations', 'id' | 'tool'>>`
    select id, tool from generations where status in ('queued', 'running') order by id`.execute(db);
  for (const { id, tool } of open.rows)
    await settleGeneration(db, withoutRedos(library), id, {
      kind: 'failed',
      code: 'provider_failed',
      message: getTool(tool).says.failed,
    });
  return open.rows.length;
}

/** Repeats and notes deletions and returns made since the backup. Returns their number. */
export async function applyDeletions(library: Library, deletions: Deletions): Promise<number> {
  await transaction(library.db, (tx) => recordDeletions(tx, deletions, library.clock.now()));
  let count = 0;
  for (const generationId of deletions.return) if (await returnAgain(library, generationId)) count += 1;
  for (const id of deletions.media) if (await deleteAgain(library, id)) count += 1;
  for (const id of deletions.account) if ((await deleteAccount(library, id)) !== undefined) count += 1;
  return (
    count +
    (await deleteRestoredKeys(library.db, deletions.key)) +
    (await deleteRestoredEndpoints(library.db, deletions.endpoint))
  );
}

async function returnAgain({ db, clock, storage }: Library, generationId: string): Promise<boolean> {
  const files = await transaction(db, async (tx) => {
    const found = await sql<Row<'generations', 'userId' | 'cost'>>`
      select user_id as "userId", cost from generations
      where id = ${generationId} and status = 'succeeded' and returned_at is null for update`.execute(tx);
    const row = found.rows[0];
    return row && settleReturn(tx, clock, { ...row, generationId });
  });
  await removeFiles(storage, files ?? []);
  return files !== undefined;
}

async function deleteAgain(library: Library, mediaId: string): Promise<boolean> {
  const found = await sql<Row<'generatedMedia', 'userId'>>`
    select user_id as "userId" from generated_media where id = ${mediaId} and deleted_at is null`.execute(library.db);
  const row = found.rows[0];
  if (row === undefined) return false;
  try {
    await deleteMedia(library, row.userId, mediaId);
    return true;
  } catch (error) {
    // Expired: the sweep deletes it.
    if (error instanceof AppError) return false;
    throw error;
  }
}

/** Deletes expired media and words at once. */
export async function sweepExpired(library: Library): Promise<void> {
  await deleteExpiredUploads(library);
  await deleteExpiredMedia(library);
  await deleteExpiredWords(library);
}
