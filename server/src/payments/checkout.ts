import { CURRENCY, type PackageKey, packages } from '@plinth/contract/payments';
import { sql } from 'kysely';
import { type Clock, secondsAfter } from '../platform/clock.ts';
import { repeatBatches } from '../platform/data/batches.ts';
import { type Db, onlyRow, transaction, type Tx } from '../platform/data/db.ts';
import { AppError } from '../platform/errors.ts';
import { appendEvent } from '../platform/data/events.ts';
import {
  type Answered,
  beginRequest,
  finishRequest,
  type IdempotentRequest,
  type StoredAnswer,
  WORK_SECONDS,
} from '../platform/http/idempotency.ts';
import { newId } from '../platform/ids.ts';
import type { Row } from '../platform/data/rows.ts';
import type { Processor } from './processor.ts';
import { getPurchase } from './purchases.ts';

type CheckoutOptions = { db: Db; clock: Clock; processor: Processor };
type CheckoutCommand = { request: IdempotentRequest; packageKey: PackageKey; returnUrl: string };

/**
 * Inserts the purchase, opens its checkout and returns the answer.
 * @throws AppError temporarily_unavailable if the company is unreachable; the purchase has then failed
 */
export async function openPurchase(options: CheckoutOptions, command: CheckoutCommand): Promise<Answered> {
  const { db } = options;
  const { request } = command;
  const id = newId('pur');
  const earlier = await transaction(db, (tx) => beginPurchase(tx, options, command, id));
  if (earlier !== undefined) return { answer: earlier, isReplay: true };
  const checkout = await reachProcessor(options, command, id);
  return transaction(db, async (tx) => {
    await sql`
      update purchases set checkout_url = ${checkout.checkoutUrl}, checkout_id = ${checkout.checkoutId}
      where id = ${id}`.execute(tx);
    const body = await getPurchase(tx, request.userId, id);
    const answer = { status: 201, body, location: `/api/v1/purchases/${id}` };
    await finishRequest(tx, request, answer);
    return { answer, isReplay: false };
  });
}

/** Claims the request's key and inserts the purchase; returns a stored answer, if there is one. */
async function beginPurchase(
  tx: Tx,
  { processor }: CheckoutOptions,
  { request, packageKey }: CheckoutCommand,
  id: string,
): Promise<StoredAnswer | undefined> {
  const earlier = await beginRequest(tx, request);
  if (earlier !== undefined) return earlier;
  const { credits, priceCents } = packages[packageKey];
  await sql`
    insert into purchases (id, user_id, package, credits, price_cents, currency, processor, created_at)
    values (${id}, ${request.userId}, ${packageKey}, ${credits}, ${priceCents}, ${CURRENCY}, ${processor.name},
      ${request.at})`.execute(tx);
  return undefined;
}

async function reachProcessor(options: CheckoutOptions, command: CheckoutCommand, purchaseId: string) {
  const { packageKey, request, returnUrl } = command;
  const buyer = await sql<Row<'users', 'email'>>`
    select email from buyers where id = ${request.userId}`.execute(options.db);
  const { email } = onlyRow(buyer);
  try {
    return await options.processor.openCheckout({ purchaseId, packageKey, email, returnUrl });
  } catch (cause) {
    await transaction(options.db, async (tx) => {
      await sql`
        update purchases set status = 'failed', completed_at = ${options.clock.now()}
        where id = ${purchaseId} and status = 'pending'`.execute(tx);
      await finishRequest(tx, request, null);
    });
    throw new AppError('temporarily_unavailable', { retryAfterSeconds: 10, cause });
  }
}

const SANDBOX_LIFE_SECONDS = 24 * 3600;
// Real companies are polled (reconcile.ts); this is for those that do not answer or are no longer configured.
const CHECKOUT_LIFE_SECONDS = 14 * 24 * 3600;

/** Purchases closed in one transaction, each with an event. */
const CLOSED_AT_ONCE = 100;

/** Closes purchases whose checkout never opened (after a crash) or was abandoned. */
export async function closeAbandonedPurchases(db: Db, clock: Clock): Promise<void> {
  const now = clock.now();
  await repeatBatches(CLOSED_AT_ONCE, () => transaction(db, (tx) => closeSome(tx, now)));
}

async function closeSome(tx: Tx, now: Date): Promise<number> {
  const closed = await sql<Row<'purchases', 'id' | 'userId' | 'status'>>`
    update purchases set status = case when checkout_url is null then 'failed' else 'expired' end, completed_at = ${now}
    where id = any(array(
      select id from purchases
      where status = 'pending' and (created_at < ${secondsAfter(now, -CHECKOUT_LIFE_SECONDS)}
        or (processor = 'sandbox' and created_at < ${secondsAfter(now, -SANDBOX_LIFE_SECONDS)})
        or (checkout_url is null and created_at < ${secondsAfter(now, -WORK_SECONDS)}))
      limit ${CLOSED_AT_ONCE} for update skip locked))
    returning id, user_id as "userId", status`.execute(tx);
  for (const { id, userId, status } of closed.rows) await appendEvent(tx, userId, 'purchase', { id, status });
  return closed.rows.length;
}
