import { sql } from 'kysely';
import { anonymiseAccount } from '../auth/accounts.ts';
import { deleteKeys } from '../auth/keys.ts';
import { endSessions } from '../auth/sessions.ts';
import { closeAccountCredits } from '../credits/ledger.ts';
import { settleIn, withoutRedos } from '../generations/settle.ts';
import { deleteWordsOf } from '../generations/retention.ts';
import { deleteLooksOf } from '../looks/looks.ts';
import type { Library } from '../media/library.ts';
import { withdrawUserMedia } from '../media/retention.ts';
import { transaction, type Tx } from '../platform/data/db.ts';
import { deleteBilling } from '../payments/billing.ts';
import { recordDeletion } from '../platform/data/deletions.ts';
import { deleteEventsOf, lockUser } from '../platform/data/events.ts';
import { deleteIdempotencyKeysOf } from '../platform/http/idempotency.ts';
import type { Row } from '../platform/data/rows.ts';
import { removeFiles } from '../platform/data/storage.ts';
import { deleteRunsOf } from '../runs/runs.ts';
import { deleteEndpoints } from '../webhooks/endpoints.ts';

type DeletedAccount = {
  deleted: true;
  mediaDeleted: number;
  sessionsEnded: number;
  /** Files that could not be deleted now; the orphan sweep deletes them. */
  filesLeft: number;
};

/** Cancels running work, ends sessions and deletes the user's data; ledger and purchases stay. Undefined if gone. */
export async function deleteAccount(library: Library, userId: string): Promise<DeletedAccount | undefined> {
  const { db, storage } = library;
  const closed = await transaction(db, (tx) => closeAccount(tx, library, userId));
  if (closed === undefined) return undefined;
  const { files, ...counts } = closed;
  return { deleted: true, ...counts, filesLeft: await removeFiles(storage, files) };
}

async function closeAccount(tx: Tx, library: Library, userId: string) {
  const { clock } = library;
  // Lock before the credits, as at each end of a generation, to prevent a deadlock.
  await lockGenerations(tx, userId);
  if (!(await closeAccountCredits(tx, userId, clock.now()))) return undefined;
  // Nothing new is accepted from here on, and all accepted work is visible.
  for (const generationId of await lockOpenGenerations(tx, userId))
    await settleIn(tx, withoutRedos(library), generationId, { kind: 'canceled' });
  const withdrawn = await withdrawUserMedia(tx, clock, userId);
  await deleteWordsOf(tx, userId);
  // Requests that save something wait for this lock, and then find the account deleted.
  await lockUser(tx, userId);
  const sessionsEnded = await endSessions(tx, clock, { userId }, 'account_deleted');
  await deleteKeys(tx, clock, { userId }, 'account_deleted');
  await deleteEndpoints(tx, clock, { userId });
  await deleteIdempotencyKeysOf(tx, userId);
  await deleteEventsOf(tx, userId);
  await deleteRunsOf(tx, userId);
  await deleteBilling(tx, userId);
  await deleteLooksOf(tx, userId);
  await anonymiseAccount(tx, clock, userId);
  await recordDeletion(tx, 'account', userId, clock.now());
  return { ...withdrawn, sessionsEnded };
}

/** Locks all of them, also ended ones, which are overwritten: a redo locks one while it waits for the credits. */
async function lockGenerations(tx: Tx, userId: string): Promise<void> {
  await sql`
    select count(*) from (select from generations where user_id = ${userId} order by id for update) locked`.execute(tx);
}

async function lockOpenGenerations(tx: Tx, userId: string): Promise<string[]> {
  const open = await sql<Row<'generations', 'id'>>`
    select id from generations where user_id = ${userId} and status in ('queued', 'running')
    order by id for update`.execute(tx);
  return open.rows.map(({ id }) => id);
}
