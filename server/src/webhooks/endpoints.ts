import { randomBytes } from 'node:crypto';
import type { Page } from '@plinth/contract/paging';
import {
  WEBHOOK_DELIVERIES_SHOWN,
  WEBHOOK_MAX_ENDPOINTS,
  type WebhookDelivery,
  type WebhookEndpoint,
  type WebhookEvent,
  type WebhookLogEntry,
} from '@plinth/contract/webhooks';
import { sql } from 'kysely';
import { type Clock, secondsAfter } from '../platform/clock.ts';
import { changeInBatches, ONE_BATCH } from '../platform/data/batches.ts';
import { type Db, getRow, onlyRow, transaction, type Tx } from '../platform/data/db.ts';
import { recordDeletion } from '../platform/data/deletions.ts';
import type { Row } from '../platform/data/rows.ts';
import { AppError } from '../platform/errors.ts';
import type { Access } from '../platform/http/caller.ts';
import { type Answered, type IdempotentRequest, once } from '../platform/http/idempotency.ts';
import { pageClause, type PageRequest, toPage } from '../platform/http/paging.ts';
import { newId } from '../platform/ids.ts';
import { DELIVERY, type DeliveryRow, insertDelivery, writeMessage } from './outbox.ts';

/** A user's webhook endpoints and their deliveries. */

export type EndpointOptions = {
  db: Db;
  /** Serialises a user's requests. @throws AppError authentication_required once access has ended */
  lockAccess: (tx: Tx, access: Access) => Promise<void>;
};

/** Creates an endpoint; only the first answer contains its secret. @throws AppError too_many_endpoints */
export function createEndpoint(
  { db, lockAccess }: EndpointOptions,
  access: Access,
  request: IdempotentRequest,
  { url, events }: { url: string; events: WebhookEvent[] },
): Promise<Answered> {
  const { userId, at } = request;
  const endpoint: WebhookEndpoint = { id: newId('whe'), url, events, createdAt: at.toISOString() };
  const secret = `whsec_${randomBytes(32).toString('base64')}`;
  const create = async (tx: Tx) => {
    await lockAccess(tx, access);
    const found = await sql<{ endpoints: number }>`
      select count(*) as endpoints from webhook_endpoints where user_id = ${userId}`.execute(tx);
    if (onlyRow(found).endpoints >= WEBHOOK_MAX_ENDPOINTS) throw new AppError('too_many_endpoints');
    await sql`
      insert into webhook_endpoints (id, user_id, url, events, secret, created_at)
      values (${endpoint.id}, ${userId}, ${url}, ${events}, ${secret}, ${at})`.execute(tx);
    return { status: 201, body: endpoint, location: null };
  };
  return once(db, request, create, secret);
}

/** Queues a message of the type `test`. @throws AppError not_found */
export function queueTest(
  { db, lockAccess }: EndpointOptions,
  access: Access,
  request: IdempotentRequest,
  endpointId: string,
): Promise<Answered> {
  const queueTestDelivery = async (tx: Tx) => {
    await lockAccess(tx, access);
    const own = await sql`
      select from webhook_endpoints where id = ${endpointId} and user_id = ${access.userId} for key share`.execute(tx);
    getRow(own);
    const body = writeMessage('test', request.at, { endpointId });
    const queued = await insertDelivery(tx, endpointId, { event: 'test', body, now: request.at });
    return { status: 202, body: toDelivery(queued), location: null };
  };
  return once(db, request, queueTestDelivery);
}

/** @throws AppError not_found unless the endpoint is this user's */
export async function refuseForeignEndpoint(db: Db, userId: string, endpointId: string): Promise<void> {
  getRow(await sql`select from webhook_endpoints where id = ${endpointId} and user_id = ${userId}`.execute(db));
}

type EndpointRow = Row<'webhookEndpoints', 'id' | 'url' | 'events' | 'createdAt'> & { cursor: string };

export async function listEndpoints(db: Db, userId: string, page: PageRequest): Promise<Page<WebhookEndpoint>> {
  const found = await sql<EndpointRow>`
    select id, url, events, created_at as "createdAt", created_at::text as cursor from webhook_endpoints
    where user_id = ${userId} ${pageClause(page, 'webhook_endpoints')}`.execute(db);
  return toPage(found.rows, page, ({ id, url, events, createdAt }) => ({
    id,
    url,
    events,
    createdAt: createdAt.toISOString(),
  }));
}

/** Deletes an endpoint and its pending messages. @throws AppError not_found */
export async function deleteEndpoint(db: Db, clock: Clock, userId: string, endpointId: string): Promise<void> {
  const deleted = await transaction(db, (tx) => deleteEndpoints(tx, clock, { userId, id: endpointId }));
  if (deleted === 0) throw new AppError('not_found');
}

/** Deletes a user's endpoints, all or one. Returns their number. */
export async function deleteEndpoints(tx: Tx, clock: Clock, choice: { userId: string; id?: string }): Promise<number> {
  const deleted = await sql<Row<'webhookEndpoints', 'id'>>`
    delete from webhook_endpoints
    where user_id = ${choice.userId} and (${choice.id ?? null}::text is null or id = ${choice.id ?? null})
    returning id`.execute(tx);
  // So that restoring an older backup does not bring them back.
  for (const { id } of deleted.rows) await recordDeletion(tx, 'endpoint', id, clock.now());
  return deleted.rows.length;
}

/** The newest messages to an endpoint. */
export async function listDeliveries(db: Db, endpointId: string): Promise<WebhookDelivery[]> {
  const found = await sql<DeliveryRow>`
    select ${DELIVERY} from webhook_deliveries
    where endpoint_id = ${endpointId} order by created_at desc, id desc
    limit ${WEBHOOK_DELIVERIES_SHOWN}`.execute(db);
  return found.rows.map(toDelivery);
}

const toDelivery = ({ nextTryAt, createdAt, ...row }: DeliveryRow): WebhookDelivery => ({
  ...row,
  nextTryAt: nextTryAt?.toISOString() ?? null,
  createdAt: createdAt.toISOString(),
});

/** One message to an endpoint, with its body. @throws AppError not_found */
export async function getDelivery(db: Db, endpointId: string, id: string): Promise<WebhookLogEntry> {
  const found = await sql<DeliveryRow & Row<'webhookDeliveries', 'body'>>`
    select ${DELIVERY}, body from webhook_deliveries
    where endpoint_id = ${endpointId} and id = ${id}`.execute(db);
  const { body, ...row } = getRow(found);
  return { ...toDelivery(row), body };
}

/** Makes a message due at once, with the same id and bytes. @throws AppError not_found, also if its body is deleted */
export function sendAgain(
  { db, lockAccess }: EndpointOptions,
  access: Access,
  request: IdempotentRequest,
  choice: { id: string; deliveryId: string },
): Promise<Answered> {
  const again = async (tx: Tx) => {
    await lockAccess(tx, access);
    // Without its lease, an attempt on its way no longer decides when the next one is.
    const found = await sql<DeliveryRow>`
      update webhook_deliveries set status = 'pending', ended_at = null, next_try_at = ${request.at},
        leased_until = null, attempts = case when status = 'pending' then attempts else 0 end
      where id = ${choice.deliveryId} and endpoint_id = ${choice.id} and body is not null
      returning ${DELIVERY}`.execute(tx);
    return { status: 202, body: toDelivery(getRow(found)), location: null };
  };
  return once(db, request, again);
}

const RETENTION_SECONDS = 7 * 86_400;

/**
 * Deletes deliveries a week after their end, or after their creation if a slow receiver has too many of them; and the
 * bodies of ended ones from before `bodiesBefore`.
 */
export async function deleteOldDeliveries(db: Db, now: Date, bodiesBefore: Date): Promise<void> {
  const before = secondsAfter(now, -RETENTION_SECONDS);
  await changeInBatches(
    db,
    sql`
      delete from webhook_deliveries
      where ctid = any(array(
        select ctid from webhook_deliveries
        where ended_at < ${before} or (status = 'pending' and created_at < ${before}) ${ONE_BATCH}))`,
  );
  await changeInBatches(
    db,
    sql`
      update webhook_deliveries set body = null
      where ctid = any(array(
        select ctid from webhook_deliveries
        where ended_at is not null and body is not null and created_at < ${bodiesBefore} ${ONE_BATCH}))`,
  );
}

/** Deletes endpoints that an older backup has restored. Returns their number. */
export async function deleteRestoredEndpoints(db: Db, ids: readonly string[]): Promise<number> {
  const removed = await sql`delete from webhook_endpoints where id = any(${ids})`.execute(db);
  return Number(removed.numAffectedRows ?? 0);
}
