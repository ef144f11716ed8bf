import type { PurchaseStatus } from '@plinth/contract/payments';
import { sql } from 'kysely';
import { grantPurchase, reversePurchase } from '../credits/ledger.ts';
import type { Clock } from '../platform/clock.ts';
import { type Db, transaction, type Tx } from '../platform/db.ts';
import { appendEvent } from '../platform/events.ts';
import type { PaymentEffect, PaymentEvent } from './processor.ts';

/** Carries out what a verified webhook says: once, however often and in whatever order messages come. */

type PurchaseRow = {
  id: string;
  userId: string;
  credits: number;
  priceCents: number;
  currency: string;
  status: PurchaseStatus;
  takenBack: boolean;
};

export type WebhookOutcome = 'processed' | 'repeated' | 'ignored' | 'unknown_purchase' | 'review';

/** Commits the effect and the memory of the message together. The sender may be told only after this returns. */
export async function fulfilPurchase(
  db: Db,
  clock: Clock,
  sender: string,
  event: PaymentEvent,
): Promise<WebhookOutcome> {
  return transaction(db, async (tx) => {
    const purchase = event.effect === null ? undefined : await lockPurchase(tx, sender, event.effect.purchaseId);
    const outcome = decide(event, purchase);
    const remembered = await sql`
      insert into webhook_events (sender, event_id, type, purchase_id, outcome)
      values (${sender}, ${event.eventId}, ${event.type}, ${purchase?.id ?? null}, ${outcome}) on conflict do nothing
    `.execute(tx);
    if (remembered.numAffectedRows === 0n) return 'repeated';
    if (purchase === undefined || event.effect === null) return outcome;
    if (outcome === 'processed' || outcome === 'review') await apply(tx, clock, purchase, event.effect, outcome);
    return outcome;
  });
}

async function lockPurchase(tx: Tx, sender: string, purchaseId: string): Promise<PurchaseRow | undefined> {
  const found = await sql<PurchaseRow>`
    select id, user_id as "userId", credits, price_cents as "priceCents", currency, status,
      taken_back as "takenBack"
    from purchases where id = ${purchaseId} and processor = ${sender} for update`.execute(tx);
  return found.rows[0];
}

function decide(event: PaymentEvent, purchase: PurchaseRow | undefined): WebhookOutcome {
  const { effect } = event;
  if (effect === null) return 'ignored';
  if (purchase === undefined) return 'unknown_purchase';
  if (effect.kind === 'taken_back') return purchase.takenBack ? 'repeated' : 'processed';
  // Paid is final. A purchase under review is looked at by a person.
  if (purchase.status === 'paid' || purchase.status === 'review') return 'repeated';
  if (effect.kind !== 'paid') return purchase.status === 'pending' ? 'processed' : 'repeated';
  const matches = effect.amountCents === purchase.priceCents && effect.currency === purchase.currency;
  return matches ? 'processed' : 'review';
}

async function apply(
  tx: Tx,
  clock: Clock,
  purchase: PurchaseRow,
  effect: PaymentEffect,
  outcome: 'processed' | 'review',
) {
  if (effect.kind === 'taken_back') return takeBack(tx, purchase);
  const { id: purchaseId, userId, credits } = purchase;
  const status: PurchaseStatus = outcome === 'review' ? 'review' : effect.kind;
  const paymentId = effect.kind === 'paid' ? effect.paymentId : null;
  await sql`
    update purchases set status = ${status}, payment_id = ${paymentId}, completed_at = ${clock.now()}
    where id = ${purchaseId}`.execute(tx);
  if (status === 'paid') await grantPurchase(tx, { userId, credits, purchaseId });
  // Messages come in any order: the money may have been taken back before we heard of it.
  if (status === 'paid' && purchase.takenBack) await reversePurchase(tx, { userId, credits, purchaseId });
  await appendEvent(tx, userId, 'purchase', { id: purchaseId, status });
}

async function takeBack(tx: Tx, purchase: PurchaseRow): Promise<void> {
  const { id: purchaseId, userId, credits } = purchase;
  await sql`update purchases set taken_back = true where id = ${purchaseId}`.execute(tx);
  if (purchase.status === 'paid') await reversePurchase(tx, { userId, credits, purchaseId });
}
