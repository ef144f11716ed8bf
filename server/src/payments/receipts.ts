import { sql } from 'kysely';
import type { Clock } from '../platform/clock.ts';
import { type Db, getRow, type Tx } from '../platform/data/db.ts';
import type { Column, Row } from '../platform/data/rows.ts';
import type { Processor } from './processor.ts';
import { IS_OF_ANOTHER_PAYMENT } from './reversals.ts';

/** One receipt per paid purchase, numbered without gaps, with the seller's details of that day. */

export type Seller = { name: string | null; address: string | null; taxId: string | null; email: string | null };

export type Receipt = Row<'receipts', 'number' | 'issuedAt' | 'seller' | 'buyerEmail' | 'billing'> & {
  seller: Seller;
  /** The buyer's company, tax number and address, if given. */
  billing: Billing | null;
  packageName: Column<'purchases', 'package'>;
  credits: Column<'purchases', 'credits'>;
  /** The total paid including tax, and the tax in it, in cents. */
  grossCents: number;
  taxCents: NonNullable<Column<'purchases', 'taxCents'>>;
  currency: Column<'purchases', 'currency'>;
  /** What the payment company took back later, in cents. */
  takenBackCents: number;
  processor: Column<'purchases', 'processor'>;
  companyReceiptUrl: Column<'purchases', 'companyReceiptUrl'>;
};

/** Numbers a paid purchase. Locks the series until the transaction ends, so that there are no gaps. */
export async function issueReceipt(
  tx: Tx,
  { clock, seller }: { clock: Clock; seller: Seller },
  { id, userId, processor }: { id: string; userId: string; processor: string },
): Promise<void> {
  const series = processor === 'sandbox' ? 'TEST' : 'R';
  const inserted = await sql`
    with next as (update receipt_series set last = last + 1 where series = ${series} returning last)
    insert into receipts (purchase_id, number, issued_at, seller, buyer_email, billing)
    select ${id}, ${series} || '-' || lpad(next.last::text, greatest(6, length(next.last::text)), '0'), ${clock.now()}, ${JSON.stringify(seller)},
      u.email, (select to_jsonb(b) - 'user_id' from billing_details b where b.user_id = u.id)
    from next, buyers u where u.id = ${userId}`.execute(tx);
  if (inserted.numAffectedRows !== 1n) throw new Error('a paid purchase got no receipt');
}

/** The table's columns, as written with the receipt. */
type Billing = { company: string | null; vat_id: string | null; address: string | null };

type ReceiptRow = Receipt & Row<'purchases', 'paymentId'> & { purchaseId: Column<'purchases', 'id'> };

/** The amount paid; the price if the message had no valid amount. */
const GROSS = sql`coalesce(p.paid_cents, p.price_cents)`;

/** A paid purchase's receipt, with the payment company's link if it gives one. @throws AppError not_found */
export async function getReceipt(
  db: Db,
  processors: readonly Processor[],
  userId: string,
  purchaseId: string,
): Promise<Receipt> {
  const found = await sql<ReceiptRow>`
    select r.number, r.issued_at as "issuedAt", r.seller, r.buyer_email as "buyerEmail", r.billing, p.id as "purchaseId",
      p.package as "packageName", p.credits, ${GROSS} as "grossCents",
      coalesce(p.tax_cents, 0) as "taxCents", coalesce(p.paid_currency, p.currency) as currency, p.processor, p.payment_id as "paymentId",
      p.company_receipt_url as "companyReceiptUrl",
      (select least(coalesce(sum(coalesce(v.cents, ${GROSS})), 0), ${GROSS}) from purchase_reversals v
        where v.purchase_id = p.id and (${IS_OF_ANOTHER_PAYMENT}) is not true) as "takenBackCents"
    from receipts r join purchases p on p.id = r.purchase_id
    where p.id = ${purchaseId} and p.user_id = ${userId}`.execute(db);
  const row = getRow(found);
  const { paymentId, purchaseId: id, ...receipt } = row;
  const processor = processors.find(({ name }) => name === row.processor);
  if (receipt.companyReceiptUrl !== null || processor === undefined || !paymentId) return receipt;
  // The receipt is ours: without the company only its link is missing.
  const companyReceiptUrl = await processor.findReceiptUrl(paymentId).catch(() => null);
  if (companyReceiptUrl !== null)
    await sql`update purchases set company_receipt_url = ${companyReceiptUrl} where id = ${id}`.execute(db);
  return { ...receipt, companyReceiptUrl };
}
