import { type RawBuilder, sql } from 'kysely';
import type { Db } from './db.ts';

/** Rows per statement of a sweep: its time is far below the limit for a statement, however long the backlog is. */
export const BATCH_ROWS = 1000;

/** The end of a query for a batch's rows; those that another transaction holds are left for the next sweep. */
export const ONE_BATCH = sql`limit ${BATCH_ROWS} for update skip locked`;

/**
 * Repeats a statement that changes one batch, until there is nothing left; a changed row must not match any more. Each
 * batch commits by itself, so that a failure undoes none before it.
 */
export async function changeInBatches(db: Db, change: RawBuilder<unknown>, rows = BATCH_ROWS): Promise<void> {
  await repeatBatches(rows, async () => Number((await change.execute(db)).numAffectedRows ?? 0));
}

/** Repeats `work`, which returns how many rows it has changed, until a batch is not full. */
export async function repeatBatches(rows: number, work: () => Promise<number>): Promise<void> {
  for (let changed = rows; changed >= rows;) changed = await work();
}
