import { CURRENCY, packages, type PackageKey, type Purchase, type PurchaseStatus } from '@plinth/contract/payments';
import { sql } from 'kysely';
import { type Clock, secondsAfter } from '../platform/clock.ts';
import { type Db, transaction } from '../platform/db.ts';
import { AppError } from '../platform/errors.ts';
import { appendEvent } from '../platform/events.ts';
import {
  findAnswer,
  type IdempotentRequest,
  releaseKey,
  type StoredAnswer,
  storeAnswer,
  takeKey,
} from '../platform/idempotency.ts';
import { newId } from '../platform/ids.ts';
import { type PageRequest, toPage } from '../platform/paging.ts';
import type { Processor } from './processor.ts';

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
  const { credits, priceCents } = packages[packageKey];
  const owner = await sql<{ email: string }>`select email from users where id = ${request.userId}`.execute(options.db);
  const email = owner.rows[0]?.email ?? '';
  try {
    return await options.processor.openCheckout({
      purchaseId,
      packageKey,
      credits,
      priceCents,
      currency: CURRENCY,
      email,
      returnUrl,
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

type PurchaseRow = {
  id: string;
  package: PackageKey;
  credits: number;
  priceCents: number;
  currency: string;
  status: PurchaseStatus;
  checkoutUrl: string | null;
  createdAt: Date;
  completedAt: Date | null;
  position: string;
};

const COLUMNS = sql`id, package, credits, price_cents as "priceCents", currency, status, checkout_url as "checkoutUrl",
  created_at as "createdAt", completed_at as "completedAt", created_at::text as position`;

/** A purchase of this user. @throws AppError not_found, also for a purchase of somebody else */
export async function getPurchase(db: Db, userId: string, purchaseId: string): Promise<Purchase> {
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
  return toPage(found.rows, page, (row) => ({ createdAt: row.position, id: row.id }), toPurchase);
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
  };
}

const OPENING_SECONDS = 120;
const CHECKOUT_LIFE_SECONDS = 24 * 60 * 60;

/** Closes purchases whose checkout never opened (a crash in between) or was left for a day. */
export async function closeAbandonedPurchases(db: Db, clock: Clock): Promise<void> {
  const now = clock.now();
  await transaction(db, async (tx) => {
    const closed = await sql<{ id: string; userId: string; status: PurchaseStatus }>`
      update purchases set status = case when checkout_url is null then 'failed' else 'expired' end, completed_at = ${now}
      where status = 'pending' and (created_at < ${secondsAfter(now, -CHECKOUT_LIFE_SECONDS)}
        or (checkout_url is null and created_at < ${secondsAfter(now, -OPENING_SECONDS)}))
      returning id, user_id as "userId", status`.execute(tx);
    for (const { id, userId, status } of closed.rows) await appendEvent(tx, userId, 'purchase', { id, status });
  });
  await sql`
    delete from idempotency_keys where status is null and created_at < ${secondsAfter(now, -OPENING_SECONDS)}`.execute(
    db,
  );
}
