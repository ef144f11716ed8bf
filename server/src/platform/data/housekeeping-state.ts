import { sql } from 'kysely';
import type { Db, Tx } from './db.ts';
import type { Row } from './rows.ts';

/** The single row in which the sweeps of all processes record their progress. */

type AuditProgress = Row<'housekeeping', 'walkedTo' | 'found' | 'violations'>;

/** Locks and returns the position of the ledger audit; undefined while another process holds it. */
export async function lockAuditProgress(tx: Tx): Promise<AuditProgress | undefined> {
  const found = await sql<AuditProgress>`
    select walked_to as "walkedTo", found, violations from housekeeping for update skip locked`.execute(tx);
  return found.rows[0];
}

/** Records the position of the audit; `endedAt` once it is complete. */
export async function saveAuditProgress(
  tx: Tx,
  { walkedTo, found, violations }: AuditProgress,
  endedAt: Date | null,
): Promise<void> {
  await sql`
    update housekeeping set violations = ${violations}, walked_to = ${walkedTo}, found = ${found},
      walked_at = coalesce(${endedAt}, walked_at)`.execute(tx);
}

/** Notes how many files without a row a sweep has found. */
export async function saveOrphanCount(db: Db, orphans: number): Promise<void> {
  await sql`update housekeeping set orphans = ${orphans}`.execute(db);
}

export async function saveSweepTime(db: Db, now: Date): Promise<void> {
  await sql`update housekeeping set swept_at = ${now}`.execute(db);
}
