import { CURRENCY, packages, type PackageKey } from '@plinth/contract/payments';
import { sql } from 'kysely';
import { type Clock, secondsAfter } from '../platform/clock.ts';
import { type Db, transaction } from '../platform/data/db.ts';
import { AppError } from '../platform/errors.ts';
import { appendEvent } from '../platform/data/events.ts';
import {
  findAnswer,
  type IdempotentRequest,
  releaseKey,
  type StoredAnswer,
  storeAnswer,
  takeKey,
  WORK_SECONDS,
} from '../platform/http/idempotency.ts';
import { newId } from '../platform/ids.ts';
import type { Row } from '../platform/data/rows.ts';
import type { Processor } from './processor.ts';
import { getPurchase } from './purchases.ts';

export type CheckoutOptions = { db: Db; clock: Clock; processor: Processor };
export type CheckoutCommand = { request: IdempotentRequest; packageKey: PackageKey; returnUrl: string };

/**
 * Writes the purchase down, opens its checkout at the payment company and returns the answer to give.
 * @throws AppError temporarily_unavailable when the company cannot be reached; the purchase has then failed
 */
export async function openPurchase(
  options: CheckoutOptions,
  command: CheckoutCommand,
): Promise<{ answer: StoredAnswer; isReplay: boolean }> {
  const { db } = options;
  const earlier = await findAnswer(db, command.request);
  if (earlier !== undefined) return { answer: earlier, isReplay: true };
  const purchaseId = await beginPurchase(options, command);
  if (purchaseId === undefined) {
    const answer = await findAnswer(db, command.request);
    if (answer === undefined) throw new AppError('idempotency_in_progress', { retryAfterSeconds: 1 });
    return { answer, isReplay: true };
  }
  const checkout = await reachProcessor(options, command, purchaseId);
  const answer = await transaction(db, async (tx) => {
    await sql`
      update purchases set checkout_url = ${checkout.checkoutUrl}, checkout_id = ${checkout.checkoutId}
      where id = ${purchaseId}`.execute(tx);
    const purchase = await getPurchase(tx, command.request.userId, purchaseId);
    const made: StoredAnswer = { status: 201, body: purchase, location: `/api/v1/purchases/${purchaseId}` };
    await storeAnswer(tx, command.request, made);
    return made;
  });
  return { answer, isReplay: false };
}

/** The new purchase's id, or undefined when the same request is already on its way. */
async function beginPurchase(options: CheckoutOptions, command: CheckoutCommand): Promise<string | undefined> {
  const { credits, priceCents } = packages[command.packageKey];
  const id = newId('pur');
  const now = options.clock.now();
  return transaction(options.db, async (tx) => {
    if (!(await takeKey(tx, command.request, null, now))) return undefined;
    await sql`
      insert into purchases (id, user_id, package, credits, price_cents, currency, processor, created_at)
      values (${id}, ${command.request.userId}, ${command.packageKey}, ${credits}, ${priceCents}, ${CURRENCY},
        ${options.processor.name}, ${now})`.execute(tx);
    return id;
  });
}

async function reachProcessor(options: CheckoutOptions, command: CheckoutCommand, purchaseId: string) {
  const { packageKey, request, returnUrl } = command;
  const { name, credits, priceCents } = packages[packageKey];
  const owner = await sql<Row<'users', 'email'>>`select email from users where id = ${request.userId}`.execute(
    options.db,
  );
  const email = owner.rows[0]?.email ?? '';
  try {
    return await options.processor.openCheckout({
      purchaseId,
      packageKey,
      packageName: name,
      credits,
      priceCents,
      currency: CURRENCY,
      email,
      returnUrl,
      now: options.clock.now(),
    });
  } catch (cause) {
    await transaction(options.db, async (tx) => {
      await sql`
        update purchases set status = 'failed', completed_at = ${options.clock.now()}
        where id = ${purchaseId} and status = 'pending'`.execute(tx);
      await releaseKey(tx, request);
    });
    throw new AppError('temporarily_unavailable', { retryAfterSeconds: 10, cause });
  }
}

const SANDBOX_LIFE_SECONDS = 24 * 3600;
// Real companies are asked (reconcile.ts); this is for those that no longer answer, or are no longer configured.
const CHECKOUT_LIFE_SECONDS = 14 * 24 * 3600;

/** Closes purchases whose checkout never opened (a crash in between), or was left. */
export async function closeAbandonedPurchases(db: Db, clock: Clock): Promise<void> {
  const now = clock.now();
  await transaction(db, async (tx) => {
    const closed = await sql<Row<'purchases', 'id' | 'userId' | 'status'>>`
      update purchases set status = case when checkout_url is null then 'failed' else 'expired' end, completed_at = ${now}
      where status = 'pending' and (created_at < ${secondsAfter(now, -CHECKOUT_LIFE_SECONDS)}
        or (processor = 'sandbox' and created_at < ${secondsAfter(now, -SANDBOX_LIFE_SECONDS)})
        or (checkout_url is null and created_at < ${secondsAfter(now, -WORK_SECONDS)}))
      returning id, user_id as "userId", status`.execute(tx);
    for (const { id, userId, status } of closed.rows) await appendEvent(tx, userId, 'purchase', { id, status });
  });
}
