import { sql } from 'kysely';
import { countReturns } from './generations/returns.ts';
import { measureKept } from './media/library.ts';
import { countReviews } from './payments/review.ts';
import type { Db } from './platform/data/db.ts';
import type { Gauges } from './platform/metrics.ts';
import { measureQueue } from './platform/data/queue.ts';
import type { Row } from './platform/data/rows.ts';
import { readTotals } from './platform/data/running-totals.ts';

const STATUSES = ['queued', 'running', 'succeeded', 'failed', 'canceled'];

/** Fills the gauges of the whole installation from what the database keeps counted. */
export async function fillGauges(db: Db, gauges: Gauges): Promise<void> {
  const total = await readTotals(db);
  for (const status of STATUSES) gauges.generations.set({ status }, total(status).number);
  gauges.ledgerSum.set(total('ledger').amount);
  gauges.balanceSum.set(total('balances').amount);
  for (const { tool, reason, count } of await countReturns(db)) gauges.returns.set({ tool, reason }, count);
  gauges.reviews.set(await countReviews(db));
  const queue = await measureQueue(db);
  gauges.queueDepth.set(queue.depth);
  gauges.queueOldest.set(queue.oldestSeconds);
  const kept = await measureKept(db);
  for (const { kind, objects, bytes } of kept) {
    gauges.storageObjects.set({ kind }, objects);
    gauges.storageBytes.set({ kind }, bytes);
  }
  gauges.retentionOldest.set(Math.max(...kept.map(({ oldestSeconds }) => oldestSeconds)));
  const found = await sql<Row<'housekeeping', 'orphans' | 'violations'> & { swept: number; walked: number }>`
    select orphans, violations, coalesce(extract(epoch from swept_at), 0) as swept,
      coalesce(extract(epoch from walked_at), 0) as walked from housekeeping`.execute(db);
  const [house] = found.rows;
  gauges.storageOrphans.set(house?.orphans ?? 0);
  gauges.ledgerViolations.set(house?.violations ?? 0);
  gauges.retentionLastSuccess.set(Math.floor(house?.swept ?? 0));
  gauges.ledgerLastWalk.set(Math.floor(house?.walked ?? 0));
}
