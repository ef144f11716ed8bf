import { sql } from 'kysely';
import { findAccount } from '../auth/accounts.ts';
import { endSessions } from '../auth/sessions.ts';
import { closeAccountCredits } from '../credits/ledger.ts';
import { settleIn } from '../generations/settle.ts';
import type { Library } from '../media/library.ts';
import { deleteUserMedia } from '../media/retention.ts';
import { transaction } from '../platform/db.ts';

export type DeletedAccount = { deleted: true; mediaDeleted: number; sessionsEnded: number };

/** Deletes an account: what runs is canceled, sessions end, credits are closed, files go. Undefined for an unknown address. */
export async function deleteAccount(library: Library, email: string): Promise<DeletedAccount | undefined> {
  const { db, clock } = library;
  const account = await findAccount(db, email);
  if (account === undefined) return undefined;
  const userId = account.id;
  const sessionsEnded = await transaction(db, async (tx) => {
    const open = await sql<{ id: string }>`
      select id from generations where user_id = ${userId} and status in ('queued', 'running') order by id for update`.execute(
      tx,
    );
    for (const { id } of open.rows) await settleIn(tx, clock, id, { kind: 'canceled' });
    await closeAccountCredits(tx, userId, clock.now());
    await sql`delete from identities where user_id = ${userId}`.execute(tx);
    await sql`update users set deleted_at = ${clock.now()}, password_hash = null where id = ${userId}`.execute(tx);
    return endSessions(tx, clock, { userId }, 'account_deleted');
  });
  return { deleted: true, mediaDeleted: await deleteUserMedia(library, userId), sessionsEnded };
}
