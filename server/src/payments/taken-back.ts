import { sql } from 'kysely';
import { reversePurchase } from '../credits/ledger.ts';
import { onlyRow, type Tx } from '../platform/data/db.ts';
import type { Reversal } from './processor.ts';
import type { LockedPurchase } from './purchases.ts';

/** Money that the payment company took back, and the credits that it stands for. */

/** Remembers what the company took back, and takes as many credits as that adds to what its own payment lost. */
export async function takeBack(
  tx: Tx,
  purchase: LockedPurchase,
  { reversalId, paymentId, cents }: Reversal,
): Promise<void> {
  const { id: purchaseId, userId } = purchase;
  const before = toCredits(purchase, await readTakenBack(tx, purchase));
  await sql`
    insert into purchase_reversals as known (purchase_id, payment_id, reversal_id, cents)
    values (${purchaseId}, ${paymentId ?? ''}, ${reversalId}, ${cents})
    on conflict (purchase_id, payment_id, reversal_id) do update set
      cents = case when known.cents is null or excluded.cents is null then null
        else greatest(known.cents, excluded.cents) end`.execute(tx);
  if (purchase.status !== 'paid') return;
  const credits = toCredits(purchase, await readTakenBack(tx, purchase)) - before;
  await reversePurchase(tx, { userId, credits, purchaseId });
}

/** The money of a payment that was taken back: all of it, or so many cents. */
export type TakenBack = { isWhole: boolean; sum: number };

/** A row `v` of money taken back that is not the payment's of the purchase `p`, which has one. */
export const IS_OF_ANOTHER_PAYMENT = sql`v.payment_id <> '' and p.payment_id <> '' and v.payment_id <> p.payment_id`;

/** What was taken back of the payment that a locked purchase has. */
export async function readTakenBack(tx: Tx, { id }: LockedPurchase): Promise<TakenBack> {
  const found = await sql<TakenBack>`
    select coalesce(bool_or(v.cents is null), false) as "isWhole", coalesce(sum(v.cents), 0) as sum
    from purchase_reversals v join purchases p on p.id = v.purchase_id
    where p.id = ${id} and (${IS_OF_ANOTHER_PAYMENT}) is not true`.execute(tx);
  return onlyRow(found);
}

/** How many of a purchase's credits that money stands for: in proportion, rounded down. */
export function toCredits({ credits, priceCents, paidCents }: LockedPurchase, { isWhole, sum }: TakenBack): number {
  const paid = paidCents ?? priceCents;
  return isWhole || (sum > 0 && sum >= paid) ? credits : Math.floor((credits * sum) / paid);
}
