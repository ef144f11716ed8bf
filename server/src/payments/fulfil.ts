import type { PurchaseStatus } from '@plinth/contract/payments';
import { sql } from 'kysely';
import { grantPurchase, reversePurchase } from '../credits/ledger.ts';
import type { Clock } from '../platform/clock.ts';
import { type Db, transaction, type Tx } from '../platform/db.ts';
import type { Row } from '../platform/rows.ts';
import type { Payment, PaymentEffect, PaymentEvent, Processor, Reversal } from './processor.ts';
import { issueReceipt, type Seller } from './receipts.ts';

/** Carries out what the payment company says: once, however often and in whatever order messages come. */

export type FulfilOptions = { db: Db; clock: Clock; seller: Seller };

export type PurchaseRow = Row<
  'purchases',
  | 'id'
  | 'userId'
  | 'package'
  | 'credits'
  | 'priceCents'
  | 'currency'
  | 'processor'
  | 'status'
  | 'paymentId'
  | 'paidCents'
>;

export type WebhookOutcome = 'processed' | 'repeated' | 'ignored' | 'unknown_purchase' | 'review' | 'paid_twice';

/**
 * Commits the effect and the memory of the message together. The sender may be told only after this returns.
 * @throws whatever the company's library throws when it has to be asked whose payment this is, and cannot be reached
 */
export async function fulfilPurchase(
  options: FulfilOptions,
  processor: Processor,
  event: PaymentEvent,
): Promise<WebhookOutcome> {
  const { effect } = event;
  const purchaseId = effect === null ? undefined : await findPurchaseId(options.db, processor, effect);
  return transaction(options.db, async (tx) => {
    const purchase = purchaseId === undefined ? undefined : await lockPurchase(tx, purchaseId, processor.name);
    const outcome = decide(effect, purchase, processor);
    const remembered = await sql`
      insert into webhook_events (sender, event_id, type, purchase_id, outcome)
      values (${processor.name}, ${event.eventId}, ${event.type}, ${purchase?.id ?? null}, ${outcome})
      on conflict do nothing`.execute(tx);
    if (remembered.numAffectedRows === 0n) return 'repeated';
    if (purchase !== undefined && effect !== null) await apply(tx, options, purchase, effect, outcome, processor);
    return outcome;
  });
}

/** Refunds and disputes name the payment only, perhaps one whose purchase we have not heard of yet. */
async function findPurchaseId(db: Db, processor: Processor, effect: PaymentEffect): Promise<string | undefined> {
  if (effect.purchaseId !== undefined || effect.kind !== 'taken_back') return effect.purchaseId;
  if (effect.paymentId === undefined || effect.paymentId === '') return undefined;
  const found = await sql<Row<'purchases', 'id'>>`
    select id from purchases where processor = ${processor.name} and payment_id = ${effect.paymentId}`.execute(db);
  return found.rows[0]?.id ?? processor.findPurchaseId(effect.paymentId);
}

/** The purchase, locked until the transaction ends; undefined when there is none, or it is another company's. */
export async function lockPurchase(tx: Tx, purchaseId: string, processor?: string): Promise<PurchaseRow | undefined> {
  const found = await sql<PurchaseRow>`
    select id, user_id as "userId", package, credits, price_cents as "priceCents", currency, processor, status,
      payment_id as "paymentId", paid_cents as "paidCents"
    from purchases where id = ${purchaseId} and processor = coalesce(${processor ?? null}, processor) for update`.execute(
    tx,
  );
  return found.rows[0];
}

function decide(effect: PaymentEffect | null, purchase: PurchaseRow | undefined, processor: Processor): WebhookOutcome {
  if (effect === null) return 'ignored';
  if (purchase === undefined) return 'unknown_purchase';
  if (effect.kind === 'taken_back') return 'processed';
  const { status } = purchase;
  if (effect.kind !== 'paid') return status === 'pending' ? 'processed' : 'repeated';
  // Paid is final. A purchase under review is looked at by a person.
  if (status === 'paid') return effect.paymentId === purchase.paymentId ? 'repeated' : 'paid_twice';
  if (status === 'review') return 'repeated';
  return findMismatch(effect, purchase, processor) === null ? 'processed' : 'review';
}

/** Why a payment is not for this order, as a sentence for the operator; null when it is. */
function findMismatch(payment: Payment, purchase: PurchaseRow, processor: Processor): string | null {
  const { amountCents, currency, products } = payment;
  if (currency !== purchase.currency) return `paid in ${currency || 'no readable currency'}, not ${purchase.currency}`;
  const isEnough = payment.mayAddTax ? amountCents >= purchase.priceCents : amountCents === purchase.priceCents;
  if (!isEnough) return `paid ${amountCents} cents, the price is ${purchase.priceCents}`;
  if (products === null) return null;
  const wanted = processor.productOf(purchase.package);
  const [bought, ...more] = products;
  const isRight = bought?.product === wanted && bought.quantity === 1 && more.length === 0;
  return isRight
    ? null
    : `bought ${products.map((one) => `${one.quantity} x ${one.product}`).join(', ')}, not ${wanted}`;
}

async function apply(
  tx: Tx,
  options: FulfilOptions,
  purchase: PurchaseRow,
  effect: PaymentEffect,
  outcome: WebhookOutcome,
  processor: Processor,
): Promise<void> {
  if (outcome !== 'processed' && outcome !== 'review') return;
  if (effect.kind === 'taken_back') return takeBack(tx, purchase, effect);
  if (effect.kind === 'started') {
    await sql`update purchases set payment_id = ${effect.paymentId} where id = ${purchase.id}`.execute(tx);
    return;
  }
  if (effect.kind !== 'paid') return changeStatus(tx, options.clock, purchase, effect.kind);
  const { paymentId, amountCents, currency, taxCents, receiptUrl } = effect;
  const payment = sql`, payment_id = ${paymentId}, paid_cents = ${amountCents > 0 ? amountCents : null},
    paid_currency = ${currency}, tax_cents = ${taxCents}, company_receipt_url = ${receiptUrl},
    review_reason = ${outcome === 'review' ? findMismatch(effect, purchase, processor) : null}`;
  if (outcome === 'review') return changeStatus(tx, options.clock, purchase, 'review', payment);
  await payOut(tx, options, { ...purchase, paidCents: amountCents }, payment);
}

/** Makes a locked purchase paid: its credits, what was taken back of them since, its receipt, in this transaction. */
export async function payOut(
  tx: Tx,
  options: Omit<FulfilOptions, 'db'>,
  purchase: PurchaseRow,
  payment?: PaymentColumns,
): Promise<void> {
  const { id: purchaseId, userId, credits } = purchase;
  await grantPurchase(tx, { userId, credits, purchaseId });
  // Messages come in any order: the money may have been taken back before we heard that it had come.
  await reversePurchase(tx, { userId, credits: await countTakenBack(tx, purchase), purchaseId });
  await changeStatus(tx, options.clock, purchase, 'paid', payment);
  // Last of all: whoever is paid at the same time waits for this number until the commit.
  await issueReceipt(tx, options, purchase);
}

/** What is written of a payment beside the status: a comma, and the columns with their values. */
type PaymentColumns = ReturnType<typeof sql>;

/** Ends a locked purchase in `status` and tells its owner. */
export async function changeStatus(
  tx: Tx,
  clock: Clock,
  purchase: PurchaseRow,
  status: PurchaseStatus,
  payment: PaymentColumns = sql``,
): Promise<void> {
  await sql`
    with changed as (
      update purchases set status = ${status}, completed_at = ${clock.now()}${payment} where id = ${purchase.id}
      returning id, user_id, status)
    select append_user_event(user_id, 'purchase', jsonb_build_object('id', id, 'status', status)) from changed`.execute(
    tx,
  );
}

/** Remembers what the company took back, and takes as many credits as that adds. */
async function takeBack(tx: Tx, purchase: PurchaseRow, { reversalId, cents }: Reversal): Promise<void> {
  const { id: purchaseId, userId } = purchase;
  const before = await countTakenBack(tx, purchase);
  await sql`
    insert into purchase_reversals as known (purchase_id, reversal_id, cents)
    values (${purchaseId}, ${reversalId}, ${cents})
    on conflict (purchase_id, reversal_id) do update set
      cents = case when known.cents is null or excluded.cents is null then null
        else greatest(known.cents, excluded.cents) end`.execute(tx);
  if (purchase.status !== 'paid') return;
  const credits = (await countTakenBack(tx, purchase)) - before;
  await reversePurchase(tx, { userId, credits, purchaseId });
}

/** How many of a purchase's credits the money that was taken back stands for: in proportion, rounded down. */
async function countTakenBack(tx: Tx, { id, credits, priceCents, paidCents }: PurchaseRow): Promise<number> {
  const found = await sql<{ isWhole: boolean | null; sum: number }>`
    select bool_or(cents is null) as "isWhole", coalesce(sum(cents), 0) as sum
    from purchase_reversals where purchase_id = ${id}`.execute(tx);
  const paid = paidCents ?? priceCents;
  const { isWhole = false, sum: cents = 0 } = found.rows[0] ?? {};
  return isWhole === true || (cents > 0 && cents >= paid) ? credits : Math.floor((credits * cents) / paid);
}
