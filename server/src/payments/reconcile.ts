import { sql } from 'kysely';
import { type Clock, secondsAfter } from '../platform/clock.ts';
import type { Db } from '../platform/data/db.ts';
import type { Log } from '../platform/log.ts';
import type { Column } from '../platform/data/rows.ts';
import type { WebhookOutcome } from './decide.ts';
import { type FulfilOptions, fulfilPurchase, logReview } from './fulfil.ts';
import type { Processor } from './processor.ts';

/** Polls the payment company for purchases without a webhook, so that a lost webhook never loses credits. */

const RECONCILE_SECONDS = 15 * 60;
const BATCH = 20;

type Reconciled = { purchaseId: string; outcome: WebhookOutcome | 'open' | 'unreachable' };

/** A checkout is open for at most a day, in which another card may follow a declined one. */
const OPEN_SECONDS = 25 * 3600;

/**
 * Polls purchases pending for 15 minutes, and those of the last day that failed without a review, each at most every 15
 * minutes. An answer is applied like a webhook.
 */
export async function reconcilePurchases(
  options: FulfilOptions & { log: Log },
  processors: readonly Processor[],
): Promise<Reconciled[]> {
  const reconciled: Reconciled[] = [];
  for (const processor of processors) {
    for (;;) {
      const claimed = await claimPurchases(options.db, options.clock, processor);
      for (const checkout of claimed) reconciled.push(await reconcile(options, processor, checkout));
      if (claimed.length < BATCH || reconciled.at(-1)?.outcome === 'unreachable') break;
    }
  }
  return reconciled;
}

type Checkout = { purchaseId: Column<'purchases', 'id'>; checkoutId: NonNullable<Column<'purchases', 'checkoutId'>> };

/** Claims the next ones, so that no other process polls them now. */
async function claimPurchases(db: Db, clock: Clock, processor: Processor): Promise<Checkout[]> {
  const now = clock.now();
  const before = secondsAfter(now, -RECONCILE_SECONDS);
  const claimed = await sql<Checkout>`
    update purchases set asked_at = ${now} where id in (
      select id from purchases
      where processor = ${processor.name} and checkout_id is not null and created_at < ${before}
        and (status = 'pending'
          or status in ('failed', 'canceled') and paid_cents is null and review_reason is null
            and created_at > ${secondsAfter(now, -OPEN_SECONDS)})
        and (asked_at is null or asked_at < ${before})
      order by asked_at nulls first, created_at limit ${BATCH} for update skip locked)
    returning id as "purchaseId", checkout_id as "checkoutId"`.execute(db);
  return claimed.rows;
}

async function reconcile(
  options: FulfilOptions & { log: Log },
  processor: Processor,
  checkout: Checkout,
): Promise<Reconciled> {
  const { purchaseId } = checkout;
  try {
    const effect = await processor.findOutcome(checkout);
    // Ignore a message about another purchase.
    if (effect === null || effect.purchaseId !== purchaseId) return { purchaseId, outcome: 'open' };
    const event = { eventId: `reconciled ${purchaseId} ${effect.kind}`, type: 'reconciled', effect };
    const outcome = await fulfilPurchase(options, processor, event);
    const details = { sender: processor.name, outcome };
    if (outcome === 'repeated') return { purchaseId, outcome };
    options.log.warn({ ...details, effect: effect.kind }, 'no webhook came for this purchase');
    logReview(options.log, details);
    return { purchaseId, outcome };
  } catch (error) {
    options.log.error({ err: error, sender: processor.name }, 'could not ask about a purchase');
    return { purchaseId, outcome: 'unreachable' };
  }
}
