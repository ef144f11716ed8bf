import type { CreditReason, LedgerEntry } from '@plinth/contract/credits';
import { sql } from 'kysely';
import { type Db, onlyRow, postgresCode, type Tx, violatedConstraint } from '../platform/data/db.ts';
import { AppError } from '../platform/errors.ts';
import { type PageRequest, toPage } from '../platform/http/paging.ts';
import type { Column, Row } from '../platform/data/rows.ts';

/** The only file that moves credits. The database rejects every other way (migrations/0001-start.sql). */

type Entry = {
  userId: string;
  /** Credits; negative for debits. */
  delta: number;
  reason: Exclude<CreditReason, 'debit'>;
  generationId?: string;
  purchaseId?: string;
  note?: string;
};

/** Creates the balance of a new account with its welcome credits. */
export async function openAccountCredits(tx: Tx, userId: string, welcomeCredits: number): Promise<void> {
  await sql`insert into user_credits (user_id) values (${userId})`.execute(tx);
  if (welcomeCredits > 0) await book({ userId, delta: welcomeCredits, reason: 'signup' }).execute(tx);
}

/** Locks the balance until the transaction ends and returns it; 0 for a closed account. */
export async function lockCredits(tx: Tx, userId: string): Promise<number> {
  const found = await sql<{
    credits: Column<'userCredits', 'credits'> | null;
  }>`select get_user_credits_for_update(${userId}) as credits`.execute(tx);
  return onlyRow(found).credits ?? 0;
}

const NO_DATA_FOUND = 'P0002';

/** Debits a generation's price. @throws AppError insufficient_credits with the tool's sentence */
export async function debitCredits(
  tx: Tx,
  debit: { userId: string; amount: number; generationId: string; insufficientSentence: string },
): Promise<void> {
  const insufficientCredits = () => new AppError('insufficient_credits', { detail: debit.insufficientSentence });
  try {
    await sql`select deduct_user_credits(${debit.userId}, ${debit.amount}, ${debit.generationId})`.execute(tx);
  } catch (cause) {
    const isClosed = postgresCode(cause) === NO_DATA_FOUND;
    if (isClosed || violatedConstraint(cause) === 'user_credits_not_negative') throw insufficientCredits();
    throw cause;
  }
  await announce(tx, sql`select * from credit_ledger where generation_id = ${debit.generationId} and reason = 'debit'`);
}

/** Refunds a generation's price. The database rejects a second refund. */
export async function refundCredits(
  tx: Tx,
  refund: { userId: string; amount: number; generationId: string },
): Promise<void> {
  const { userId, amount, generationId } = refund;
  await bookAndAnnounce(tx, { userId, delta: amount, reason: 'refund', generationId });
}

/** Grants a paid purchase's credits. The database rejects a second grant. */
export async function grantPurchase(
  tx: Tx,
  { userId, credits, purchaseId }: { userId: string; credits: number; purchaseId: string },
): Promise<void> {
  await bookAndAnnounce(tx, { userId, delta: credits, reason: 'purchase', purchaseId });
}

/** Takes back credits of a purchase, at most what is left of it; the rest is never collected. Returns their number. */
export async function reversePurchase(
  tx: Tx,
  reversal: { userId: string; credits: number; purchaseId: string },
): Promise<number> {
  const { userId, purchaseId } = reversal;
  if (reversal.credits <= 0) return 0;
  await lockCredits(tx, userId);
  const amount = Math.min(await readLeftOf(tx, userId, purchaseId), reversal.credits);
  if (amount <= 0) return 0;
  await bookAndAnnounce(tx, { userId, delta: -amount, reason: 'reversal', purchaseId });
  return amount;
}

/** The credits left of a granted purchase: the oldest credits of an account are spent first. */
async function readLeftOf(tx: Tx, userId: string, purchaseId: string): Promise<number> {
  const found = await sql<{ left: number }>`
    with entries as (
      select l.delta, l.reason, l.purchase_id, coalesce(bought.seq, l.seq) as age,
        l.reason in ('debit', 'refund') or l.reason = 'adjustment' and l.delta < 0 as is_use
      from credit_ledger l
      left join credit_ledger bought on l.reason = 'reversal' and bought.reason = 'purchase' and bought.purchase_id = l.purchase_id
      where l.user_id = ${userId}),
    own as (select max(age) as age, coalesce(sum(delta), 0) as credits from entries where purchase_id = ${purchaseId})
    select greatest(0, least(own.credits, coalesce((select sum(delta) from entries where is_use or age <= own.age), 0)))
      as left from own`.execute(tx);
  return onlyRow(found).left;
}

/** Books an operator's correction; `credits` may be negative. @throws if the balance would become negative */
export async function adjustCredits(
  tx: Tx,
  adjustment: { userId: string; credits: number; note: string },
): Promise<void> {
  const { userId, credits, note } = adjustment;
  await bookAndAnnounce(tx, { userId, delta: credits, reason: 'adjustment', note });
}

/** Closes a deleted account's balance; the ledger stays. False if it was closed already. */
export async function closeAccountCredits(tx: Tx, userId: string, now: Date): Promise<boolean> {
  const closed = await sql`
    update user_credits set deleted_at = ${now} where user_id = ${userId} and deleted_at is null`.execute(tx);
  return closed.numAffectedRows === 1n;
}

/** Call after locking the credits. @throws AppError authentication_required if the account was deleted meanwhile */
export async function refuseClosedAccount(tx: Tx, userId: string): Promise<void> {
  const open = await sql`select 1 from user_credits where user_id = ${userId} and deleted_at is null`.execute(tx);
  if (open.rows.length === 0) throw new AppError('authentication_required');
}

/** The balance; 0 if there is none. */
export async function readCredits(db: Db | Tx, userId: string): Promise<number> {
  const found = await sql<Row<'userCredits', 'credits'>>`select ${balanceOf(userId)} as credits`.execute(db);
  return onlyRow(found).credits;
}

/** The balance as a column of another query. */
export const balanceOf = (userId: string) => sql<Column<'userCredits', 'credits'>>`coalesce(
  (select credits from user_credits where user_id = ${userId} and deleted_at is null), 0)`;

type LedgerRow = Row<
  'creditLedger',
  'id' | 'seq' | 'delta' | 'balanceAfter' | 'reason' | 'generationId' | 'purchaseId' | 'createdAt'
> & { tool: Column<'generations', 'tool'> | null; package: Column<'purchases', 'package'> | null; cursor: string };

const ENTRIES = sql`
  select l.id, l.seq, l.delta, l.balance_after as "balanceAfter", l.reason, l.generation_id as "generationId",
    l.purchase_id as "purchaseId", g.tool, p.package, l.created_at as "createdAt", l.created_at::text as cursor
  from credit_ledger l left join ledger_generations g on g.id = l.generation_id left join ledger_purchases p on p.id = l.purchase_id`;

/** The user's ledger, newest entry first. */
export async function listLedger(db: Db, userId: string, page: PageRequest) {
  const after = page.after?.id ?? null;
  if (after !== null && !/^txn_[0-9a-f]+$/.test(after)) throw new AppError('malformed_request');
  const found = await sql<LedgerRow>`${ENTRIES}
    where l.user_id = ${userId} and (${after === null}
      or l.seq < (select seq from credit_ledger where id = ${after} and user_id = ${userId}))
    order by l.seq desc limit ${page.limit + 1}`.execute(db);
  return toPage(found.rows, page, toEntry);
}

/** The current number of entries in a user's ledger, and the position of the newest; 0 if there is none. */
export async function measureLedger(db: Db, userId: string): Promise<{ entries: number; newest: number }> {
  const found = await sql<{ entries: number; newest: number }>`
    select count(*) as entries, coalesce(max(seq), 0) as newest
    from credit_ledger where user_id = ${userId}`.execute(db);
  return onlyRow(found);
}

const CHUNK_ENTRIES = 1000;

/**
 * Entries up to `newest`, oldest first, in chunks. A user's entries are numbered in commit order and never change, so
 * the result is consistent without holding a connection.
 */
export async function* readLedger(db: Db, userId: string, newest: number): AsyncGenerator<LedgerEntry[]> {
  for (let after = 0; after < newest;) {
    const found = await sql<LedgerRow>`${ENTRIES}
      where l.user_id = ${userId} and l.seq > ${after} and l.seq <= ${newest}
      order by l.seq limit ${CHUNK_ENTRIES}`.execute(db);
    yield found.rows.map(toEntry);
    after = found.rows.at(-1)?.seq ?? newest;
  }
}

const toEntry = ({ seq: _seq, cursor: _cursor, createdAt, ...entry }: LedgerRow): LedgerEntry => ({
  ...entry,
  createdAt: createdAt.toISOString(),
});

/** The SQL that moves credits. Debits use the function named in the specification. */
const book = ({ userId, delta, reason, generationId, purchaseId, note }: Entry) => sql`
  insert into credit_ledger (user_id, delta, reason, generation_id, purchase_id, note)
  values (${userId}, ${delta}, ${reason}, ${generationId ?? null}, ${purchaseId ?? null}, ${note ?? null})
  returning *`;

const bookAndAnnounce = (tx: Tx, entry: Entry): Promise<void> => announce(tx, book(entry));

/** Sends the entry of the CTE `booked` to its owner's streams, in the same round trip. */
async function announce(tx: Tx, booked: ReturnType<typeof sql>): Promise<void> {
  const announced = await sql`
    with booked as (${booked})
    select append_user_event(user_id, 'credits', jsonb_build_object('credits', balance_after, 'entryId', id))
    from booked`.execute(tx);
  if (announced.rows.length !== 1) throw new Error('a ledger entry was not booked');
}
