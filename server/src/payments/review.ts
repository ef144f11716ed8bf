import { sql } from 'kysely';
import { type Db, onlyRow, transaction } from '../platform/data/db.ts';
import type { Column, Row } from '../platform/data/rows.ts';
import { type FulfilOptions, payOut } from './fulfil.ts';
import { changeStatus, lockPurchase } from './purchases.ts';
import { IS_OF_ANOTHER_PAYMENT } from './taken-back.ts';

/** Payments for a person to look at: unfit for their order, another payment's, or a part whose sum nobody says. */

export type ReviewedPurchase = Row<
  'purchases',
  'id' | 'package' | 'priceCents' | 'currency' | 'paidCents' | 'paidCurrency' | 'processor' | 'paymentId' | 'createdAt'
> &
  Row<'users', 'email'> & { reason: NonNullable<Column<'purchases', 'reviewReason'>> };

/** Payments beside the own one of a purchase `p`, by name: further ones, and those whose money was taken back. */
const FURTHER = sql`(select string_agg(coalesce(w.payment_id, '(not noted)'), ', ' order by w.received_at) from webhook_events w
  where w.purchase_id = p.id and w.outcome = 'paid_twice')`;
const TAKEN_BACK = sql`(select string_agg(distinct v.payment_id, ', ') from purchase_reversals v
  where v.purchase_id = p.id and ${IS_OF_ANOTHER_PAYMENT})`;
const UNSAID = sql`(select string_agg(v.reversal_id, ', ') from purchase_reversals v
  where v.purchase_id = p.id and v.cents = 0)`;

/** A purchase may not have its own payment yet: until then nothing is of another one. */
const IS_FOR_REVIEW = sql`p.status in ('paid', 'review') and (${IS_OF_ANOTHER_PAYMENT} or v.cents = 0)`;
const OPEN = sql`
  select id from purchases where status = 'review'
  union select purchase_id from webhook_events where outcome = 'paid_twice'
  union select p.id from purchase_reversals v join purchases p on p.id = v.purchase_id
    where ${IS_FOR_REVIEW}`;

/** The open ones, oldest first. */
export async function listReviews(db: Db): Promise<ReviewedPurchase[]> {
  const found = await sql<ReviewedPurchase>`
    select p.id, u.email, p.package, p.price_cents as "priceCents", p.currency, p.paid_cents as "paidCents",
      p.paid_currency as "paidCurrency", p.processor, p.payment_id as "paymentId",
      concat_ws('; ',
        case when p.status = 'review' then coalesce(p.review_reason, 'the payment does not fit the order') end,
        'paid twice: give one payment back at the payment company: ' || ${FURTHER},
        'the payment company took another payment back: ' || ${TAKEN_BACK},
        'the payment company gave a part back and does not say how much (take it by credits adjust, then reject): ' || ${UNSAID}) as reason,
      p.created_at as "createdAt"
    from purchases p join buyers u on u.id = p.user_id
    where p.id in (${OPEN})
    order by p.created_at, p.id`.execute(db);
  return found.rows;
}

/** How many purchases `listReviews` names. */
export async function countReviews(db: Db): Promise<number> {
  const found = await sql<{ open: number }>`select count(*) as open from (${OPEN}) as reviewed`.execute(db);
  return onlyRow(found).open;
}

export type Decision = 'approved' | 'rejected' | 'not_in_review';

/** Gives the credits of a payment under review after all, with a receipt over what was paid. */
export async function approvePurchase(options: FulfilOptions, purchaseId: string): Promise<Decision> {
  return transaction(options.db, async (tx) => {
    const purchase = await lockPurchase(tx, purchaseId);
    if (purchase?.status !== 'review') return 'not_in_review';
    await payOut(tx, options, purchase);
    return 'approved';
  });
}

/** Ends a review without credits; the money is given back at the payment company, by hand. */
export async function rejectPurchase(options: FulfilOptions, purchaseId: string): Promise<Decision> {
  return transaction(options.db, async (tx) => {
    const purchase = await lockPurchase(tx, purchaseId);
    if (purchase === undefined) return 'not_in_review';
    const given = await sql`
      update webhook_events set outcome = 'paid_twice, given back'
      where purchase_id = ${purchaseId} and outcome = 'paid_twice'`.execute(tx);
    const seen = await sql`
      delete from purchase_reversals v using purchases p
      where p.id = v.purchase_id and p.id = ${purchaseId} and ${IS_FOR_REVIEW}`.execute(tx);
    if (purchase.status === 'review') await changeStatus(tx, options.clock, purchase, 'failed');
    const closed = (given.numAffectedRows ?? 0n) + (seen.numAffectedRows ?? 0n);
    return purchase.status === 'review' || closed > 0n ? 'rejected' : 'not_in_review';
  });
}
