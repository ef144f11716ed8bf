import type { WebhookEvent, WebhookMessage } from '@plinth/contract/webhooks';
import { sql } from 'kysely';
import { onlyRow, type Tx } from '../platform/data/db.ts';
import type { Row } from '../platform/data/rows.ts';
import { newId } from '../platform/ids.ts';

/**
 * Queues a message for each endpoint that wants this event, in the transaction of the news. Endpoints are locked after
 * generation, credits and user.
 */
export async function queueWebhooks(
  tx: Tx,
  userId: string,
  news: { event: WebhookEvent; now: Date; data: () => object },
): Promise<void> {
  // Locked, because a deletion before the insert would roll back the event's transaction.
  const found = await sql<Row<'webhookEndpoints', 'id'>>`
    select id from webhook_endpoints where user_id = ${userId} and ${news.event} = any(events)
    for key share`.execute(tx);
  if (found.rows.length === 0) return;
  const body = writeMessage(news.event, news.now, news.data());
  for (const { id } of found.rows) await insertDelivery(tx, id, { event: news.event, body, now: news.now });
}

/** The body that every attempt sends. */
export function writeMessage(type: WebhookMessage, now: Date, data: object): string {
  return JSON.stringify({ type, timestamp: now.toISOString(), data });
}

type NewDelivery = { event: WebhookMessage; body: string; now: Date };

export type DeliveryRow = Row<'webhookDeliveries', 'id' | 'event' | 'status' | 'attempts' | 'nextTryAt' | 'createdAt'>;
export const DELIVERY = sql`id, event, status, attempts, next_try_at as "nextTryAt", created_at as "createdAt"`;

/** Queues a message to one endpoint, due at once. */
export async function insertDelivery(tx: Tx, endpointId: string, { event, body, now }: NewDelivery) {
  const made = await sql<DeliveryRow>`
    insert into webhook_deliveries (id, endpoint_id, event, body, next_try_at, created_at)
    values (${newId('msg')}, ${endpointId}, ${event}, ${body}, ${now}, ${now})
    returning ${DELIVERY}`.execute(tx);
  return onlyRow(made);
}
