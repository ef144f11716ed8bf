import { sql } from 'kysely';
import { deleteKeys } from '../auth/keys.ts';
import { endSessions } from '../auth/sessions.ts';
import { closeAccountCredits } from '../credits/ledger.ts';
import { settleIn, withoutRedos } from '../generations/settle.ts';
import type { Library } from '../media/library.ts';
import { withdrawUserMedia } from '../media/retention.ts';
import { transaction, type Tx } from '../platform/data/db.ts';
import { noteDeletion } from '../platform/data/deletions.ts';
import type { Row } from '../platform/data/rows.ts';

export type DeletedAccount = {
  deleted: true;
  mediaDeleted: number;
  sessionsEnded: number;
  /** Files that the storage would not give up now; the sweep for files without a row removes them. */
  filesLeft: number;
};

/**
 * Deletes an account: what runs is canceled, sessions end, credits are closed, what was written and made goes. The
 * record of generations, credits and purchases stays, without the address. Undefined when the account is gone already.
 */
export async function deleteAccount(library: Library, userId: string): Promise<DeletedAccount | undefined> {
  const { db, storage } = library;
  const closed = await transaction(db, (tx) => closeAccount(tx, library, userId));
  if (closed === undefined) return undefined;
  const { files, ...counts } = closed;
  const removed = await Promise.allSettled(files.map((key) => storage.remove(key)));
  return { deleted: true, ...counts, filesLeft: removed.filter(({ status }) => status === 'rejected').length };
}

const TABLES = [
  'sessions',
  'identities',
  'idempotency_keys',
  'user_events',
  'runs',
  'webhook_endpoints',
  'billing_details',
  'looks',
] as const;

async function closeAccount(tx: Tx, library: Library, userId: string) {
  const { clock } = library;
  // Locked before the credits, as at each end of a generation: the other way round the two would wait for each other.
  await lockGenerations(tx, userId);
  if (!(await closeAccountCredits(tx, userId, clock.now()))) return undefined;
  // Nothing new is accepted from here on; what was accepted a moment ago is seen now.
  for (const generationId of await lockOpenGenerations(tx, userId))
    await settleIn(tx, withoutRedos(library), generationId, { kind: 'canceled' });
  const withdrawn = await withdrawUserMedia(tx, clock, userId);
  await sql`
    update generations set input = '{}', understood = null, not_drawn = null, error_message = null
    where user_id = ${userId}`.execute(tx);
  const sessionsEnded = await endSessions(tx, clock, { userId }, 'account_deleted');
  await deleteKeys(tx, clock, { userId }, 'account_deleted');
  for (const table of TABLES) await sql`delete from ${sql.table(table)} where user_id = ${userId}`.execute(tx);
  await sql`
    update users set email = '', password_hash = null, deleted_at = ${clock.now()} where id = ${userId}`.execute(tx);
  await noteDeletion(tx, 'account', userId, clock.now());
  return { ...withdrawn, sessionsEnded };
}

/** All of them, since what has ended is overwritten, too: a redo holds one while it waits for the credits. */
async function lockGenerations(tx: Tx, userId: string): Promise<void> {
  await sql`
    select count(*) from (select from generations where user_id = ${userId} order by id for update) locked`.execute(tx);
}

async function lockOpenGenerations(tx: Tx, userId: string): Promise<string[]> {
  const open = await sql<Row<'generations', 'id'>>`
    select id from generations where user_id = ${userId} and status in ('queued', 'running') order by id for update`.execute(
    tx,
  );
  return open.rows.map(({ id }) => id);
}
