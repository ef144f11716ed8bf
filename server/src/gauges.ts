import { sql } from 'kysely';
import { Gauge, Registry } from 'prom-client';
import { countReturns } from './generations/returns.ts';
import { measureStored } from './media/library.ts';
import { countReviews } from './payments/review.ts';
import { type Db, onlyRow } from './platform/data/db.ts';
import { measureQueue } from './platform/data/queue.ts';
import type { Row } from './platform/data/rows.ts';
import { readTotals } from './platform/data/running-totals.ts';

type Labels = Partial<Record<(typeof LABELS)[number], string>>;
type Reading = [name: string, help: string, value: number | [labels: Labels, value: number][]];

const LABELS = ['status', 'tool', 'reason', 'kind'] as const;
const STATUSES = ['queued', 'running', 'succeeded', 'failed', 'canceled'];

/** Gauges of the whole installation for Prometheus, from the database's counters. */
export async function writeGauges(db: Db): Promise<string> {
  const registry = new Registry();
  for (const [name, help, value] of await readGauges(db)) {
    const labelNames = typeof value === 'number' ? [] : LABELS;
    const gauge = new Gauge({ name, help, labelNames, registers: [registry] });
    if (typeof value === 'number') gauge.set(value);
    else for (const [labels, one] of value) gauge.set(labels, one);
  }
  return registry.metrics();
}

/** No e-mail, prompt or id ever becomes a label. */
async function readGauges(db: Db): Promise<Reading[]> {
  const total = await readTotals(db);
  const returns = await countReturns(db);
  const queue = await measureQueue(db);
  const kept = await measureStored(db);
  const house = onlyRow(
    await sql<Row<'housekeeping', 'orphans' | 'violations'> & { swept: number; walked: number }>`
      select orphans, violations, coalesce(floor(extract(epoch from swept_at)), 0) as swept,
        coalesce(floor(extract(epoch from walked_at)), 0) as walked from housekeeping`.execute(db),
  );
  return [
    ['generations', 'Generations by status', STATUSES.map((status) => [{ status }, total(status).number])],
    ['queue_depth', 'Generations that wait', queue.depth],
    ['queue_oldest_seconds', 'Wait of the oldest single generation, or time without a new item', queue.delaySeconds],
    [
      'returns',
      'Results given back as not usable, ever',
      returns.map(({ tool, reason, count }) => [{ tool, reason }, count]),
    ],
    ['payments_in_review', 'Payments that a person has to look at', await countReviews(db)],
    ['credits_ledger_sum', 'Sum of all ledger entries', total('ledger').amount],
    ['credits_balance_sum', 'Sum of all balances', total('balances').amount],
    ['ledger_violations', 'Broken rules of the ledger, found by the walk; must be 0', house.violations],
    ['ledger_last_walk_timestamp_seconds', 'When the last walk through the whole ledger ended', house.walked],
    ['storage_objects', 'Files kept', kept.map(({ kind, objects }) => [{ kind }, objects])],
    ['storage_bytes', 'Bytes kept', kept.map(({ kind, bytes }) => [{ kind }, bytes])],
    ['storage_orphans', 'Files without a row, found by the last sweep', house.orphans],
    ['retention_last_success_timestamp_seconds', 'When the last sweep ended well', house.swept],
    [
      'retention_oldest_object_seconds',
      'Age of the oldest kept file',
      Math.max(...kept.map(({ oldestSeconds }) => oldestSeconds)),
    ],
  ];
}
