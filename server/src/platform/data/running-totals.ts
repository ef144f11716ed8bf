import { sql } from 'kysely';
import { BATCH_ROWS, ONE_BATCH, repeatBatches } from './batches.ts';
import { type Db, onlyRow } from './db.ts';
import type { Row } from './rows.ts';

type Total = Row<'runningTotals', 'number' | 'amount'>;

/** Counters that the database updates by triggers (migration 0008), by name. */
export async function readTotals(db: Db): Promise<(name: string) => Total> {
  const found = await sql<Row<'runningTotals', 'name' | keyof Total>>`
    select name, sum(number) as number, sum(amount) as amount from running_totals group by name`.execute(db);
  const totals = new Map(found.rows.map((row) => [row.name, row]));
  return (name) => totals.get(name) ?? { number: 0, amount: 0 };
}

/** Compacts the counters; uncommitted changes are left for the next time. */
export async function compactTotals(db: Db): Promise<void> {
  await repeatBatches(BATCH_ROWS, async () => {
    const compacted = await sql<{ gone: number }>`
      with gone as (
        delete from running_totals
        where ctid = any (array(select ctid from running_totals ${ONE_BATCH}))
        returning name, number, amount),
      sums as (insert into running_totals select name, sum(number), sum(amount) from gone group by name)
      select count(*) as gone from gone`.execute(db);
    return onlyRow(compacted).gone;
  });
}
