import { sql } from 'kysely';
import { type Db, onlyRow, transaction } from '../platform/data/db.ts';
import type { Column, Row } from '../platform/data/rows.ts';
import { type FulfilOptions, payOut } from './fulfil.ts';
import { changeStatus, lockPurchase } from './purchases.ts';
import { IS_OF_ANOTHER_PAYMENT } from './reversals.ts';

/**
 * Payments for manual review: not matching their order, a further payment, a partial reversal of unknown amount, a
 * refund that failed, or a dispute that expired.
 */

type ReviewedPurchase = Row<
  'purchases',
  'id' | 'package' | 'priceCents' | 'currency' | 'paidCents' | 'paidCurrency' | 'processor' | 'paymentId' | 'createdAt'
> &
  Row<'users', 'email'> & { reason: NonNullable<Column<'purchases', 'reviewReason'>> };

/** Ids of payments other than the own one of a purchase `p`: further ones, and reversed ones. */
const FURTHER_PAYMENTS = sql`(select string_agg(coalesce(w.payment_id, '(not noted)'), ', ' order by w.received_at) from webhook_events w
  where w.purchase_id = p.id and w.outcome = 'paid_twice')`;
const DOUBTS = sql`(select string_agg(w.type || ' of ' || coalesce(w.payment_id, '(not noted)'), ', ' order by w.received_at)
  from webhook_events w where w.purchase_id = p.id and w.outcome = 'in_doubt')`;
const REVERSED_PAYMENTS = sql`(select string_agg(distinct v.payment_id, ', ') from purchase_reversals v
  where v.purchase_id = p.id and ${IS_OF_ANOTHER_PAYMENT})`;
const UNKNOWN_AMOUNTS = sql`(select string_agg(v.reversal_id, ', ') from purchase_reversals v
  where v.purchase_id = p.id and v.cents = 0)`;

/** True for reversals to review. Until a purchase has its own payment, no reversal is another payment's. */
const IS_FOR_REVIEW = sql`p.status in ('paid', 'review') and (${IS_OF_ANOTHER_PAYMENT} or v.cents = 0)`;
const UNDER_REVIEW = sql`
  select id from purchases where status = 'review'
  union select purchase_id from webhook_events where outcome = 'paid_twice'
  union select purchase_id from webhook_events where outcome = 'in_doubt'
  union select p.id from purchase_reversals v join purchases p on p.id = v.purchase_id
    where ${IS_FOR_REVIEW}`;

/** Purchases under review, oldest first. */
export async function listReviews(db: Db): Promise<ReviewedPurchase[]> {
  const found = await sql<ReviewedPurchase>`
    select p.id, u.email, p.package, p.price_cents as "priceCents", p.currency, p.paid_cents as "paidCents",
      p.paid_currency as "paidCurrency", p.processor, p.payment_id as "paymentId",
      concat_ws('; ',
        case when p.status = 'review' then coalesce(p.review_reason, 'the payment does not fit the order') end,
        'paid twice: give one payment back at the payment company: ' || ${FURTHER_PAYMENTS},
        'the payment company took another payment back: ' || ${REVERSED_PAYMENTS},
        'see at the payment company who has the money now (correct the credits by credits adjust, then reject): ' || ${DOUBTS},
        'the payment company gave a part back and does not say how much (take it by credits adjust, then reject): ' || ${UNKNOWN_AMOUNTS}) as reason,
      p.created_at as "createdAt"
    from purchases p join buyers u on u.id = p.user_id
    where p.id in (${UNDER_REVIEW})
    order by p.created_at, p.id`.execute(db);
  return found.rows;
}

/** The number of purchases under review. */
export async function countReviews(db: Db): Promise<number> {
  const found = await sql<{ open: number }>`select count(*) as open from (${UNDER_REVIEW}) as reviewed`.execute(db);
  return onlyRow(found).open;
}

type ReviewDecision = 'approved' | 'rejected' | 'not_in_review';

/** Approves a payment under review: grants its credits, with a receipt of the amount paid. */
export async function approvePurchase(options: FulfilOptions, purchaseId: string): Promise<ReviewDecision> {
  return transaction(options.db, async (tx) => {
    const purchase = await lockPurchase(tx, purchaseId);
    if (purchase?.status !== 'review') return 'not_in_review';
    await payOut(tx, options, purchase);
    return 'approved';
  });
}

/** Rejects a payment under review. The operator refunds the money at the payment company. */
export async function rejectPurchase(options: FulfilOptions, purchaseId: string): Promise<ReviewDecision> {
  return transaction(options.db, async (tx) => {
    const purchase = await lockPurchase(tx, purchaseId);
    if (purchase === undefined) return 'not_in_review';
    const settled = await sql`
      update webhook_events set outcome = outcome || ', settled'
      where purchase_id = ${purchaseId} and outcome in ('paid_twice', 'in_doubt')`.execute(tx);
    const deletedReversals = await sql`
      delete from purchase_reversals v using purchases p
      where p.id = v.purchase_id and p.id = ${purchaseId} and ${IS_FOR_REVIEW}`.execute(tx);
    if (purchase.status === 'review') await changeStatus(tx, options.clock, purchase, 'failed');
    const closed = (settled.numAffectedRows ?? 0n) + (deletedReversals.numAffectedRows ?? 0n);
    return purchase.status === 'review' || closed > 0n ? 'rejected' : 'not_in_review';
  });
}
