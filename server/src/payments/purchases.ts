import { type Purchase, receiptPath } from '@plinth/contract/payments';
import { sql } from 'kysely';
import type { Db, Tx } from '../platform/data/db.ts';
import { AppError } from '../platform/errors.ts';
import { type PageRequest, toPage } from '../platform/http/paging.ts';
import type { Column, Row } from '../platform/data/rows.ts';

type PurchaseRow = Row<
  'purchases',
  'id' | 'package' | 'credits' | 'priceCents' | 'currency' | 'status' | 'checkoutUrl' | 'createdAt' | 'completedAt'
> & { receiptNumber: Column<'receipts', 'number'> | null; cursor: string };

const COLUMNS = sql`id, package, credits, price_cents as "priceCents", currency, status, checkout_url as "checkoutUrl",
  created_at as "createdAt", completed_at as "completedAt", created_at::text as cursor,
  (select number from receipts where purchase_id = purchases.id) as "receiptNumber"`;

/** A purchase of this user. @throws AppError not_found, also for a purchase of somebody else */
export async function getPurchase(db: Db | Tx, userId: string, purchaseId: string): Promise<Purchase> {
  const found = await sql<PurchaseRow>`
    select ${COLUMNS} from purchases where id = ${purchaseId} and user_id = ${userId}`.execute(db);
  const row = found.rows[0];
  if (row === undefined) throw new AppError('not_found');
  return toPurchase(row);
}

export async function listPurchases(db: Db, userId: string, page: PageRequest) {
  const found = await sql<PurchaseRow>`
    select ${COLUMNS} from purchases
    where user_id = ${userId}
      and (${page.after?.createdAt ?? null}::timestamptz is null
        or (created_at, id) < (${page.after?.createdAt ?? null}::timestamptz, ${page.after?.id ?? null}))
    order by created_at desc, id desc limit ${page.limit + 1}`.execute(db);
  return toPage(found.rows, page, (row) => ({ createdAt: row.cursor, id: row.id }), toPurchase);
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
