import type { PurchaseStatus } from '@plinth/contract/payments';
import { type RawBuilder, sql } from 'kysely';
import { CREDITS_NEWS, grantPurchase, reversePurchase } from '../credits/ledger.ts';
import type { Clock } from '../platform/clock.ts';
import { COMMITS_UNFLUSHED, flushCommits } from '../platform/data/commits.ts';
import { type Db, retryDeadlocks, transaction, type Tx } from '../platform/data/db.ts';
import type { Row } from '../platform/data/rows.ts';
import type { Log } from '../platform/log.ts';
import type { Payment, PaymentEffect, PaymentEvent, Processor } from './processor.ts';
import { numberReceipt, type Seller } from './receipts.ts';
import { sumTakenBack, takeBack, type TakenBack, toCredits } from './taken-back.ts';

/** Carries out what the payment company says: once, however often and in whatever order messages come. */

export type FulfilOptions = { db: Db; clock: Clock; seller: Seller };

type LockedPurchase = Row<
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
  if (effect?.kind === 'paid' && (await payAtOnce(options, processor, event, effect))) return 'processed';
  return transaction(options.db, async (tx) => {
    const purchase = purchaseId === undefined ? undefined : await lockPurchase(tx, purchaseId, processor.name);
    const outcome = decide(effect, purchase, processor);
    // What was taken back is read in the same question, behind the lock.
    const remembered = await sql<TakenBack & { isNew: boolean }>`
      with remembered as (
        insert into webhook_events (sender, event_id, type, purchase_id, outcome)
        values (${processor.name}, ${event.eventId}, ${event.type}, ${purchase?.id ?? null}, ${outcome})
        on conflict do nothing returning event_id)
      select exists (select from remembered) as "isNew", back.*
      from (${sumTakenBack(purchase?.id)}) as back`.execute(tx);
    const [told] = remembered.rows;
    if (told?.isNew !== true) return 'repeated';
    if (purchase === undefined || effect === null) return outcome;
    if (outcome === 'processed' || outcome === 'review')
      await apply(tx, options, { purchase, effect, takenBack: told, isRight: outcome === 'processed' }, processor);
    return outcome;
  });
}

/**
 * What nearly every payment is, in one statement: of an order as it was read, with nothing taken back. False where that
 * is not so, or no longer; then nothing has happened. Receipts are numbered one after the other: none of them waits for
 * the disk while the next one waits for its number.
 */
async function payAtOnce(
  options: FulfilOptions,
  processor: Processor,
  { eventId, type }: PaymentEvent,
  payment: Extract<PaymentEffect, { kind: 'paid' }>,
): Promise<boolean> {
  const { db } = options;
  // Whoever changes what is decided here changes the row, and with it its version.
  const found = await sql<LockedPurchase & TakenBack & { version: string }>`
    select ${PURCHASE}, xmin::text as version, back.*
    from purchases, (${sumTakenBack(payment.purchaseId)}) as back
    where id = ${payment.purchaseId} and processor = ${processor.name}`.execute(db);
  const [purchase] = found.rows;
  if (purchase === undefined || decide(payment, purchase, processor) !== 'processed') return false;
  if (purchase.isWhole || purchase.sum > 0) return false;
  const remembered = sql`locked as (
      select ${COMMITS_UNFLUSHED} from purchases
      where id = ${purchase.id} and xmin = ${purchase.version}::xid for update),
    remembered as (
      insert into webhook_events (sender, event_id, type, purchase_id, outcome)
      select ${processor.name}, ${eventId}, ${type}, ${purchase.id}, 'processed' from locked
      on conflict do nothing returning event_id),`;
  const isNew = sql`exists (select from remembered)`;
  const paid = makePaid(options, purchase, describePayment(payment, null), { before: remembered, condition: isNew });
  const isPaid = await retryDeadlocks(async () => (await paid.execute(db)).numAffectedRows === 1n);
  if (isPaid) await flushCommits(db);
  return isPaid;
}

/** Tells the operator of a payment that a person has to look at. False where nobody has to. */
export function logReview(log: Log, said: { sender: string; outcome: WebhookOutcome }): boolean {
  if (said.outcome !== 'review' && said.outcome !== 'paid_twice') return false;
  log.error({ event: 'purchase_in_review', ...said }, 'a payment has to be looked at');
  return true;
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
export async function lockPurchase(
  tx: Tx,
  purchaseId: string,
  processor?: string,
): Promise<LockedPurchase | undefined> {
  const found = await sql<LockedPurchase>`
    select ${PURCHASE} from purchases
    where id = ${purchaseId} and processor = coalesce(${processor ?? null}, processor) for update`.execute(tx);
  return found.rows[0];
}

const PURCHASE = sql`id, user_id as "userId", package, credits, price_cents as "priceCents", currency, processor,
  status, payment_id as "paymentId", paid_cents as "paidCents"`;

function decide(
  effect: PaymentEffect | null,
  purchase: LockedPurchase | undefined,
  processor: Processor,
): WebhookOutcome {
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
function findMismatch(payment: Payment, purchase: LockedPurchase, processor: Processor): string | null {
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

/** What a message says about a locked purchase; a payment is right when it is for this order. */
type News = { purchase: LockedPurchase; effect: PaymentEffect; takenBack: TakenBack; isRight: boolean };

async function apply(
  tx: Tx,
  options: FulfilOptions,
  { purchase, effect, takenBack, isRight }: News,
  processor: Processor,
): Promise<void> {
  if (effect.kind === 'taken_back') return takeBack(tx, purchase, effect, takenBack);
  if (effect.kind === 'started') {
    await sql`update purchases set payment_id = ${effect.paymentId} where id = ${purchase.id}`.execute(tx);
    return;
  }
  if (effect.kind !== 'paid') return changeStatus(tx, options.clock, purchase, effect.kind);
  const payment = describePayment(effect, isRight ? null : findMismatch(effect, purchase, processor));
  if (!isRight) return changeStatus(tx, options.clock, purchase, 'review', payment);
  await payOut(tx, options, { ...purchase, paidCents: effect.amountCents }, takenBack, payment);
}

function describePayment(payment: Payment, reviewReason: string | null): PaymentColumns {
  const { paymentId, amountCents, currency, taxCents, receiptUrl } = payment;
  return sql`, payment_id = ${paymentId}, paid_cents = ${amountCents > 0 ? amountCents : null},
    paid_currency = ${currency}, tax_cents = ${taxCents}, company_receipt_url = ${receiptUrl},
    review_reason = ${reviewReason}`;
}

/** Makes a locked purchase paid: its credits, what was taken back of them since, its receipt, in this transaction. */
export async function payOut(
  tx: Tx,
  options: Omit<FulfilOptions, 'db'>,
  purchase: LockedPurchase,
  takenBack: TakenBack,
  payment?: PaymentColumns,
): Promise<void> {
  const { id: purchaseId, userId } = purchase;
  const paid = await makePaid(options, purchase, payment).execute(tx);
  if (paid.numAffectedRows !== 1n) throw new Error('a paid purchase got no receipt');
  // Messages come in any order: the money may have been taken back before we heard that it had come.
  await reversePurchase(tx, { userId, credits: toCredits(purchase, takenBack), purchaseId });
}

/** Parts that stand before a statement, and what must be true of them for it to do anything. */
type Guard = { before: RawBuilder<unknown>; condition: RawBuilder<unknown> };

/** Books the credits of a purchase, makes it paid, tells its owner and gives the receipt: one row is affected. */
function makePaid(
  options: Omit<FulfilOptions, 'db'>,
  { id: purchaseId, userId, credits, processor }: LockedPurchase,
  payment?: PaymentColumns,
  { before, condition }: Guard = { before: sql``, condition: sql`true` },
): RawBuilder<unknown> {
  const isBooked = sql`exists (select from booked)`;
  // The receipt last of all: whoever is paid at the same time waits for its number until the commit.
  return sql`
    with ${before} booked as (${grantPurchase({ userId, credits, purchaseId }, condition)}),
    changed as (${change(options.clock, purchaseId, 'paid', payment, isBooked)}),
    told as (
      select append_user_events(booked.user_id, array['credits', 'purchase'], array[${CREDITS_NEWS}, ${PURCHASE_NEWS}])
      from booked, changed)
    ${numberReceipt(options, { id: purchaseId, userId, processor })}`;
}

/** What is written of a payment beside the status: a comma, and the columns with their values. */
type PaymentColumns = RawBuilder<unknown>;

/** Ends a locked purchase in `status` and tells its owner. */
export async function changeStatus(
  tx: Tx,
  clock: Clock,
  purchase: LockedPurchase,
  status: PurchaseStatus,
  payment?: PaymentColumns,
): Promise<void> {
  await sql`
    with changed as (${change(clock, purchase.id, status, payment)})
    select append_user_event(user_id, 'purchase', ${PURCHASE_NEWS}) from changed`.execute(tx);
}

/** Ends a purchase, as the part `changed` of a statement; `PURCHASE_NEWS` is what its owner is told. */
const change = (
  clock: Clock,
  purchaseId: string,
  status: PurchaseStatus,
  payment: PaymentColumns = sql``,
  condition = sql`true`,
) => sql`
  update purchases set status = ${status}, completed_at = ${clock.now()}${payment}
  where id = ${purchaseId} and ${condition}
  returning id, user_id, status`;

const PURCHASE_NEWS = sql`jsonb_build_object('id', changed.id, 'status', changed.status)`;
