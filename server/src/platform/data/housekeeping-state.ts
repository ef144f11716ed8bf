import { sql } from 'kysely';
import { type Db, onlyRow, type Tx } from './db.ts';
import type { Row } from './rows.ts';

/** The single row in which the workers record what is true of the whole installation, and their sweeps' progress. */

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

/** Notes that this worker's engine is up, by the database's clock. */
export async function saveEngineUp(db: Db): Promise<void> {
  await sql`update housekeeping set engine_up_at = now()`.execute(db);
}

/** True if a worker's engine was up within this time. */
export async function wasEngineUp(db: Db, seconds: number): Promise<boolean> {
  const found = await sql<{ isUp: boolean }>`
    select coalesce(engine_up_at > now() - ${seconds} * interval '1 second', false) as "isUp" from housekeeping`.execute(
    db,
  );
  return onlyRow(found).isUp;
}
