import { sql } from 'kysely';
import type { Db } from '../platform/db.ts';

/** Sentences about broken rules of the ledger; none when all is well. */
export async function auditLedger(db: Db): Promise<string[]> {
  const found = await sql<{ violation: string }>`
    with booked as (
      select user_id, sum(delta) as total from credit_ledger group by user_id
    ), walked as (
      select id, user_id, balance_after,
        sum(delta) over (partition by user_id order by seq) as running
      from credit_ledger
    )
    select 'balance of ' || c.user_id || ' is ' || c.credits || ', its ledger sums to ' || coalesce(b.total, 0) as violation
      from user_credits c left join booked b using (user_id) where c.credits <> coalesce(b.total, 0)
    union all
    select 'entry ' || id || ' says ' || balance_after || ', the running sum is ' || running from walked
      where balance_after <> running or running < 0
    union all
    select 'generation ' || g.id || ' has ' || count(l.id) || ' debits' from generations g
      left join credit_ledger l on l.generation_id = g.id and l.reason = 'debit'
      group by g.id having count(l.id) <> case when g.cost > 0 then 1 else 0 end
    union all
    select 'generation ' || g.id || ' ended as ' || g.status || ' with ' || count(l.id) || ' refunds' from generations g
      left join credit_ledger l on l.generation_id = g.id and l.reason = 'refund'
      group by g.id having count(l.id) <>
        case when g.cost > 0 and (g.status in ('failed', 'canceled') or g.returned_at is not null) then 1 else 0 end
    union all
    select 'purchase ' || p.id || ' is ' || p.status || ' with ' || count(l.id) || ' grants' from purchases p
      left join credit_ledger l on l.purchase_id = p.id and l.reason = 'purchase'
      group by p.id having count(l.id) <> case when p.status = 'paid' then 1 else 0 end
  `.execute(db);
  return found.rows.map((row) => row.violation);
}

/** Sums over all accounts, in credits. */
export async function sumCredits(db: Db): Promise<{ ledger: number; balances: number }> {
  const found = await sql<{ ledger: number; balances: number }>`
    select (select coalesce(sum(delta), 0) from credit_ledger) as ledger,
      (select coalesce(sum(credits), 0) from user_credits) as balances`.execute(db);
  return found.rows[0] ?? { ledger: 0, balances: 0 };
}
