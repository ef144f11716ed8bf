import { sql } from 'kysely';
import { type Db, transaction } from '../platform/data/db.ts';
import type { Column, Row } from '../platform/data/rows.ts';
import { changeStatus, type FulfilOptions, lockPurchase, payOut } from './fulfil.ts';
import { readTakenBack } from './taken-back.ts';

/** Payments that a person has to look at: they do not fit their order, or one order was paid twice. */

export type ReviewedPurchase = Row<
  'purchases',
  'id' | 'package' | 'priceCents' | 'currency' | 'paidCents' | 'paidCurrency' | 'processor' | 'paymentId' | 'createdAt'
> &
  Row<'users', 'email'> & { reason: NonNullable<Column<'purchases', 'reviewReason'>> };

/** The open ones, oldest first. */
export async function listReviews(db: Db): Promise<ReviewedPurchase[]> {
  const found = await sql<ReviewedPurchase>`
    select p.id, u.email, p.package, p.price_cents as "priceCents", p.currency, p.paid_cents as "paidCents",
      p.paid_currency as "paidCurrency", p.processor, p.payment_id as "paymentId",
      case when p.status = 'review' then coalesce(p.review_reason, 'the payment does not fit the order')
        else 'paid twice: give one payment back at the payment company' end as reason,
      p.created_at as "createdAt"
    from purchases p join users u on u.id = p.user_id
    where p.status = 'review' or exists (
      select 1 from webhook_events w where w.purchase_id = p.id and w.outcome = 'paid_twice')
    order by p.created_at, p.id`.execute(db);
  return found.rows;
}

/** How many purchases `listReviews` names. */
export async function countReviews(db: Db): Promise<number> {
  const found = await sql<{ open: number }>`
    select count(*) as open from (
      select id from purchases where status = 'review'
      union select purchase_id from webhook_events where outcome = 'paid_twice') as reviewed`.execute(db);
  return found.rows[0]?.open ?? 0;
}

export type Decision = 'approved' | 'rejected' | 'not_in_review';

/** Gives the credits of a payment under review after all, with a receipt over what was paid. */
export async function approvePurchase(options: FulfilOptions, purchaseId: string): Promise<Decision> {
  return transaction(options.db, async (tx) => {
    const purchase = await lockPurchase(tx, purchaseId);
    if (purchase?.status !== 'review') return 'not_in_review';
    await payOut(tx, options, purchase, await readTakenBack(tx, purchaseId));
    return 'approved';
  });
}

/**
 * Ends a payment under review without credits, or a second payment of one order: its money is given back at the payment
 * company, by hand.
 */
export async function rejectPurchase(options: FulfilOptions, purchaseId: string): Promise<Decision> {
  return transaction(options.db, async (tx) => {
    const purchase = await lockPurchase(tx, purchaseId);
    if (purchase === undefined) return 'not_in_review';
    const second = await sql`
      update webhook_events set outcome = 'paid_twice, given back'
      where purchase_id = ${purchaseId} and outcome = 'paid_twice'`.execute(tx);
    if (purchase.status === 'review') await changeStatus(tx, options.clock, purchase, 'failed');
    return purchase.status === 'review' || (second.numAffectedRows ?? 0n) > 0n ? 'rejected' : 'not_in_review';
  });
}
