import { sql } from 'kysely';
import { reversePurchase } from '../credits/ledger.ts';
import { onlyRow, type Tx } from '../platform/data/db.ts';
import type { Reversal } from './processor.ts';
import type { LockedPurchase } from './purchases.ts';

/** Reversals: money that the payment company took back, and the corresponding credits. */

/** Records a reversal and takes back the additional credits of the purchase's own payment. */
export async function recordReversal(
  tx: Tx,
  purchase: LockedPurchase,
  { reversalId, paymentId, cents }: Reversal,
): Promise<void> {
  const { id: purchaseId, userId } = purchase;
  const previousCredits = toCredits(purchase, await readReversedAmount(tx, purchase));
  await sql`
    insert into purchase_reversals as known (purchase_id, payment_id, reversal_id, cents)
    values (${purchaseId}, ${paymentId ?? ''}, ${reversalId}, ${cents})
    on conflict (purchase_id, payment_id, reversal_id) do update set
      cents = case when known.cents is null or excluded.cents is null then null
        else greatest(known.cents, excluded.cents) end`.execute(tx);
  if (purchase.status !== 'paid') return;
  const credits = toCredits(purchase, await readReversedAmount(tx, purchase)) - previousCredits;
  await reversePurchase(tx, { userId, credits, purchaseId });
}

/** The reversed amount of a payment: everything, or an amount in cents. */
type ReversedAmount = { isWhole: boolean; sum: number };

/** True for a reversal `v` of a payment other than the own one of the purchase `p`. */
export const IS_OF_ANOTHER_PAYMENT = sql`v.payment_id <> '' and p.payment_id <> '' and v.payment_id <> p.payment_id`;

/** The reversed amount of a locked purchase's own payment. */
export async function readReversedAmount(tx: Tx, { id }: LockedPurchase): Promise<ReversedAmount> {
  const found = await sql<ReversedAmount>`
    select coalesce(bool_or(v.cents is null), false) as "isWhole", coalesce(sum(v.cents), 0) as sum
    from purchase_reversals v join purchases p on p.id = v.purchase_id
    where p.id = ${id} and (${IS_OF_ANOTHER_PAYMENT}) is not true`.execute(tx);
  return onlyRow(found);
}

/** The purchase's credits in proportion to the reversed amount, rounded down. */
export function toCredits(
  { credits, priceCents, paidCents }: LockedPurchase,
  { isWhole, sum }: ReversedAmount,
): number {
  const paid = paidCents ?? priceCents;
  return isWhole || (sum > 0 && sum >= paid) ? credits : Math.floor((credits * sum) / paid);
}
