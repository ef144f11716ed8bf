import { sql } from 'kysely';
import type { Tx } from '../platform/data/db.ts';
import { lockUser } from '../platform/data/events.ts';
import { AppError } from '../platform/errors.ts';
import type { Access } from '../platform/http/caller.ts';

/** Serialises a user's requests, if session or key is still valid. @throws AppError authentication_required */
export async function lockAccess(tx: Tx, { userId, accessId }: Access): Promise<void> {
  const isOpen = await lockUser(tx, userId);
  // Only after locking the row: an account that changes hands holds the lock while it ends all access.
  const access = await sql`
    select from sessions where id = ${accessId} and ended_at is null
    union all select from api_keys where id = ${accessId}`.execute(tx);
  if (!isOpen || access.rows.length === 0) throw new AppError('authentication_required');
}
