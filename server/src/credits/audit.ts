import { sql } from 'kysely';
import type { Clock } from '../platform/clock.ts';
import { type Db, transaction, type Tx } from '../platform/data/db.ts';
import { lockAuditProgress, saveAuditProgress } from '../platform/data/housekeeping-state.ts';
import type { Row } from '../platform/data/rows.ts';

const STEP_ACCOUNTS = 500;

/** Checks the ledger; returns a sentence per violation. */
export async function auditLedger(db: Db): Promise<string[]> {
  const violations: string[] = [];
  for (let last: string | null = ''; last !== null;) {
    const step: AuditStep = await auditAfter(db, last);
    violations.push(...step.violations);
    last = step.last;
  }
  return violations;
}

/** Continues the ledger audit, in one process at a time. Returns the number of violations. */
export async function auditNextAccounts(db: Db, clock: Clock, maxMs: number): Promise<number> {
  const end = performance.now() + maxMs;
  let violations = 0;
  for (let isOver = false; !isOver && performance.now() < end;) {
    isOver = await transaction(db, async (tx) => {
      const noted = await lockAuditProgress(tx);
      if (noted === undefined) return true; // Another process is auditing.
      const { violations: fresh, last } = await auditAfter(tx, noted.walkedTo);
      const found = noted.found + fresh.length;
      const isWhole = last === null;
      violations = isWhole ? found : Math.max(found, noted.violations);
      await saveAuditProgress(
        tx,
        { violations, walkedTo: last ?? '', found: isWhole ? 0 : found },
        isWhole ? clock.now() : null,
      );
      return isWhole;
    });
  }
  return violations;
}

type AuditStep = { violations: string[]; last: string | null };

/** Audits the next accounts after this one; `last` is null after the final one. */
async function auditAfter(db: Db | Tx, after: string): Promise<AuditStep> {
  const accounts = await sql<Row<'userCredits', 'userId'>>`
    select user_id as "userId" from user_credits where user_id > ${after} order by user_id
    limit ${STEP_ACCOUNTS}`.execute(db);
  const ids = accounts.rows.map(({ userId }) => userId);
  // A single statement, so that balances and entries are from the same snapshot.
  const found = await sql<{ violation: string }>`
    with booked as (
      select user_id, sum(delta) as total from credit_ledger where user_id = any(${ids}) group by user_id
    ), walked as (
      select id, user_id, balance_after,
        sum(delta) over (partition by user_id order by seq) as running
      from credit_ledger where user_id = any(${ids})
    )
    select 'balance of ' || c.user_id || ' is ' || c.credits || ', its ledger sums to ' || coalesce(b.total, 0) as violation
      from user_credits c left join booked b using (user_id)
      where c.user_id = any(${ids}) and c.credits <> coalesce(b.total, 0)
    union all
    select 'entry ' || id || ' says ' || balance_after || ', the running sum is ' || running from walked
      where balance_after <> running or running < 0
    union all
    select 'generation ' || g.id || ' has ' || count(l.id) || ' debits' from ledger_generations g
      left join credit_ledger l on l.generation_id = g.id and l.reason = 'debit'
      where g.user_id = any(${ids}) group by g.id, g.cost having count(l.id) <> case when g.cost > 0 then 1 else 0 end
    union all
    select 'generation ' || g.id || ' ended as ' || g.status || ' with ' || count(l.id) || ' refunds' from ledger_generations g
      left join credit_ledger l on l.generation_id = g.id and l.reason = 'refund'
      where g.user_id = any(${ids}) group by g.id, g.status, g.cost, g.returned_at having count(l.id) <>
        case when g.cost > 0 and (g.status in ('failed', 'canceled') or g.returned_at is not null) then 1 else 0 end
    union all
    select 'purchase ' || p.id || ' is ' || p.status || ' with ' || count(l.id) || ' grants' from ledger_purchases p
      left join credit_ledger l on l.purchase_id = p.id and l.reason = 'purchase'
      where p.user_id = any(${ids}) group by p.id, p.status having count(l.id) <> case when p.status = 'paid' then 1 else 0 end
  `.execute(db);
  return {
    violations: found.rows.map((row) => row.violation),
    last: ids.length < STEP_ACCOUNTS ? null : (ids.at(-1) ?? null),
  };
}
