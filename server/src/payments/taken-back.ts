import { sql } from 'kysely';
import { reversePurchase } from '../credits/ledger.ts';
import type { Tx } from '../platform/data/db.ts';
import type { Row } from '../platform/data/rows.ts';
import type { Reversal } from './processor.ts';

/** Money that the payment company took back, and the credits that it stands for. */

type Bought = Row<'purchases', 'id' | 'userId' | 'status' | 'credits' | 'priceCents' | 'paidCents'>;

/** Remembers what the company took back, and takes as many credits as that adds. */
export async function takeBack(
  tx: Tx,
  purchase: Bought,
  { reversalId, cents }: Reversal,
  takenBack: TakenBack,
): Promise<void> {
  const { id: purchaseId, userId } = purchase;
  const before = toCredits(purchase, takenBack);
  // The row is touched for `payAtOnce`, which may have read it already.
  await sql`
    with touched as (update purchases set status = status where id = ${purchaseId})
    insert into purchase_reversals as known (purchase_id, reversal_id, cents)
    values (${purchaseId}, ${reversalId}, ${cents})
    on conflict (purchase_id, reversal_id) do update set
      cents = case when known.cents is null or excluded.cents is null then null
        else greatest(known.cents, excluded.cents) end`.execute(tx);
  if (purchase.status !== 'paid') return;
  const credits = toCredits(purchase, await readTakenBack(tx, purchaseId)) - before;
  await reversePurchase(tx, { userId, credits, purchaseId });
}

/** The money of a purchase that was taken back: all of it, or so many cents. */
export type TakenBack = { isWhole: boolean; sum: number };

export const sumTakenBack = (purchaseId: string | undefined) => sql<TakenBack>`
  select coalesce(bool_or(cents is null), false) as "isWhole", coalesce(sum(cents), 0) as sum
  from purchase_reversals where purchase_id = ${purchaseId ?? null}`;

/** What was taken back of a locked purchase. */
export async function readTakenBack(tx: Tx, purchaseId: string): Promise<TakenBack> {
  const found = await sumTakenBack(purchaseId).execute(tx);
  return found.rows[0] ?? { isWhole: false, sum: 0 };
}

/** How many of a purchase's credits that money stands for: in proportion, rounded down. */
export function toCredits({ credits, priceCents, paidCents }: Bought, { isWhole, sum }: TakenBack): number {
  const paid = paidCents ?? priceCents;
  return isWhole || (sum > 0 && sum >= paid) ? credits : Math.floor((credits * sum) / paid);
}
