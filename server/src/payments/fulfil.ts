import { sql } from 'kysely';
import { grantPurchase, reversePurchase } from '../credits/ledger.ts';
import type { Clock } from '../platform/clock.ts';
import { type Db, transaction, type Tx } from '../platform/data/db.ts';
import type { Row } from '../platform/data/rows.ts';
import type { Log } from '../platform/log.ts';
import { decide, type WebhookOutcome } from './decide.ts';
import type { PaymentEffect, PaymentEvent, Processor } from './processor.ts';
import { changeStatus, type LockedPurchase, lockPurchase, recordPayment, recordStart } from './purchases.ts';
import { issueReceipt, type Seller } from './receipts.ts';
import { readReversedAmount, recordReversal, toCredits } from './reversals.ts';

/** Applies the payment company's messages exactly once, in any order and however often they arrive. */

export type FulfilOptions = { db: Db; clock: Clock; seller: Seller };

/**
 * Commits a message's effect together with its id. Answer the sender only after this returns.
 * @throws errors of the company's library, if it must be asked for the payment's purchase or the refunded amount
 */
export async function fulfilPurchase(
  options: FulfilOptions,
  processor: Processor,
  event: PaymentEvent,
): Promise<WebhookOutcome> {
  const effect = await addRefundAmount(processor, event.effect);
  const purchaseId = effect === null ? undefined : await findPurchaseId(options.db, processor, effect);
  return transaction(options.db, async (tx) => {
    const purchase = purchaseId === undefined ? undefined : await lockPurchase(tx, purchaseId, processor.name);
    const { outcome, mismatch } = decide(effect, purchase, processor);
    if (!(await recordEvent(tx, processor, event, { purchase, outcome }))) return 'repeated';
    if (effect !== null && purchase !== undefined && APPLIED_OUTCOMES.includes(outcome))
      await applyEffect(tx, options, purchase, effect, mismatch);
    return outcome;
  });
}

const APPLIED_OUTCOMES: readonly WebhookOutcome[] = ['processed', 'review', 'other_payment'];

/** Logs a payment that needs the operator's review. False if it does not. */
export function logReview(log: Log, details: { sender: string; outcome: WebhookOutcome }): boolean {
  if (!['review', 'paid_twice', 'other_payment', 'in_doubt'].includes(details.outcome)) return false;
  log.error({ event: 'purchase_in_review', ...details }, 'a payment has to be looked at');
  return true;
}

/** Refunds and disputes only name the payment, whose purchase may not be known yet. */
async function findPurchaseId(db: Db, processor: Processor, effect: PaymentEffect): Promise<string | undefined> {
  if (effect.purchaseId !== undefined || !('paymentId' in effect)) return effect.purchaseId;
  if (effect.paymentId === undefined || effect.paymentId === '') return undefined;
  const found = await sql<Row<'purchases', 'id'>>`
    select id from purchases where processor = ${processor.name} and payment_id = ${effect.paymentId}`.execute(db);
  return found.rows[0]?.id ?? processor.findPurchaseId(effect.paymentId);
}

async function addRefundAmount(processor: Processor, effect: PaymentEffect | null): Promise<PaymentEffect | null> {
  if (effect?.kind !== 'taken_back' || effect.cents !== 0) return effect;
  return { ...effect, cents: (await processor.findRefundCents?.(effect.reversalId)) ?? 0 };
}

/** Records a message's id; false if it was processed before. */
async function recordEvent(
  tx: Tx,
  { name }: Processor,
  { eventId, type, effect }: PaymentEvent,
  { purchase, outcome }: { purchase: LockedPurchase | undefined; outcome: WebhookOutcome },
): Promise<boolean> {
  const paymentId = effect !== null && 'paymentId' in effect ? effect.paymentId : null;
  const inserted = await sql`
    insert into webhook_events (sender, event_id, type, purchase_id, payment_id, outcome)
    values (${name}, ${eventId}, ${type}, ${purchase?.id ?? null}, ${paymentId ?? null}, ${outcome})
    on conflict do nothing`.execute(tx);
  return inserted.numAffectedRows === 1n;
}

async function applyEffect(
  tx: Tx,
  options: FulfilOptions,
  purchase: LockedPurchase,
  effect: PaymentEffect,
  mismatch: string | null,
): Promise<void> {
  if (effect.kind === 'taken_back') return recordReversal(tx, purchase, effect);
  // A person decides.
  if (effect.kind === 'in_doubt') return;
  if (effect.kind === 'started') return recordStart(tx, purchase, effect.paymentId);
  if (effect.kind !== 'paid') return changeStatus(tx, options.clock, purchase, effect.kind);
  const paid = await recordPayment(tx, purchase, effect, mismatch);
  if (mismatch !== null) return changeStatus(tx, options.clock, paid, 'review');
  await payOut(tx, options, paid);
}

/** Marks a locked purchase as paid: grants credits, applies earlier reversals, writes its receipt. */
export async function payOut(tx: Tx, options: Omit<FulfilOptions, 'db'>, purchase: LockedPurchase): Promise<void> {
  const { id: purchaseId, userId, credits } = purchase;
  await grantPurchase(tx, { userId, credits, purchaseId });
  await changeStatus(tx, options.clock, purchase, 'paid');
  // Messages arrive in any order: a reversal may precede the payment.
  const reversed = toCredits(purchase, await readReversedAmount(tx, purchase));
  await reversePurchase(tx, { userId, credits: reversed, purchaseId });
  // Last, because concurrent payments wait for their receipt number until the commit.
  await issueReceipt(tx, options, purchase);
}
