import { type Purchase, type PurchaseStatus, receiptPath } from '@plinth/contract/payments';
import { sql } from 'kysely';
import type { Clock } from '../platform/clock.ts';
import { type Db, getRow, type Tx } from '../platform/data/db.ts';
import { appendEvent } from '../platform/data/events.ts';
import { pageClause, type PageRequest, toPage } from '../platform/http/paging.ts';
import type { Column, Row } from '../platform/data/rows.ts';
import type { Payment } from './processor.ts';

/** Purchases: shown to their owner, and changed under a lock by the payment company's messages. */

type PurchaseRow = Row<
  'purchases',
  'id' | 'package' | 'credits' | 'priceCents' | 'currency' | 'status' | 'checkoutUrl' | 'createdAt' | 'completedAt'
> & { receiptNumber: Column<'receipts', 'number'> | null; cursor: string };

const COLUMNS = sql`id, package, credits, price_cents as "priceCents", currency, status, checkout_url as "checkoutUrl",
  created_at as "createdAt", completed_at as "completedAt", created_at::text as cursor,
  (select number from receipts where purchase_id = purchases.id) as "receiptNumber"`;

/** A purchase of this user. @throws AppError not_found, also for another user's */
export async function getPurchase(db: Db | Tx, userId: string, purchaseId: string): Promise<Purchase> {
  const found = await sql<PurchaseRow>`
    select ${COLUMNS} from purchases where id = ${purchaseId} and user_id = ${userId}`.execute(db);
  return toPurchase(getRow(found));
}

export async function listPurchases(db: Db, userId: string, page: PageRequest) {
  const found = await sql<PurchaseRow>`
    select ${COLUMNS} from purchases where user_id = ${userId} ${pageClause(page, 'purchases')}`.execute(db);
  return toPage(found.rows, page, toPurchase);
}

function toPurchase(row: PurchaseRow): Purchase {
  return {
    id: row.id,
    package: row.package,
    credits: row.credits,
    price: { amount: row.priceCents, currency: row.currency },
    status: row.status,
    checkoutUrl: row.checkoutUrl ?? '',
    createdAt: row.createdAt.toISOString(),
    completedAt: row.completedAt?.toISOString() ?? null,
    receipt:
      row.receiptNumber === null
        ? null
        : { number: row.receiptNumber, url: receiptPath(row.id), pdfUrl: `${receiptPath(row.id)}.pdf` },
  };
}

export type LockedPurchase = Row<'purchases', 'id' | 'userId' | 'package' | 'credits' | 'priceCents' | 'currency'> &
  Row<'purchases', 'processor' | 'status' | 'paymentId' | 'paidCents'> & { isAccountDeleted: boolean };

/** Locks a purchase until the transaction ends; undefined if there is none or it is another company's. */
export async function lockPurchase(
  tx: Tx,
  purchaseId: string,
  processor?: string,
): Promise<LockedPurchase | undefined> {
  const found = await sql<LockedPurchase>`
    select id, user_id as "userId", package, credits, price_cents as "priceCents", currency, processor, status,
      payment_id as "paymentId", paid_cents as "paidCents",
      (select deleted_at is not null from buyers where buyers.id = user_id) as "isAccountDeleted"
    from purchases
    where id = ${purchaseId} and processor = coalesce(${processor ?? null}, processor) for update`.execute(tx);
  return found.rows[0];
}

/** Records the payment in transit. */
export async function recordStart(tx: Tx, { id }: LockedPurchase, paymentId: string): Promise<void> {
  await sql`update purchases set payment_id = ${paymentId} where id = ${id}`.execute(tx);
}

/** Records the payment, and a mismatch if there is one; returns the updated purchase. */
export async function recordPayment(
  tx: Tx,
  purchase: LockedPurchase,
  { paymentId, amountCents, currency, taxCents, receiptUrl }: Payment,
  mismatch: string | null,
): Promise<LockedPurchase> {
  const paidCents = amountCents > 0 ? amountCents : null;
  await sql`
    update purchases set payment_id = ${paymentId}, paid_cents = ${paidCents}, paid_currency = ${currency},
      tax_cents = ${taxCents}, company_receipt_url = ${receiptUrl}, review_reason = ${mismatch}
    where id = ${purchase.id}`.execute(tx);
  return { ...purchase, paymentId, paidCents };
}

/** Ends a locked purchase in `status` and notifies its owner. */
export async function changeStatus(
  tx: Tx,
  clock: Clock,
  { id, userId }: LockedPurchase,
  status: PurchaseStatus,
): Promise<void> {
  await sql`update purchases set status = ${status}, completed_at = ${clock.now()} where id = ${id}`.execute(tx);
  await appendEvent(tx, userId, 'purchase', { id, status });
}
