import { sql } from 'kysely';
import type { Db } from './db.ts';
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
  await sql`
    with gone as (
      delete from running_totals
      where ctid = any (array(select ctid from running_totals for update skip locked))
      returning name, number, amount)
    insert into running_totals select name, sum(number), sum(amount) from gone group by name`.execute(db);
}
