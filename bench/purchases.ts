import { randomUUID } from 'node:crypto';
import { Webhook } from 'standardwebhooks';
import { type Ask, expectStatus, mapConcurrently } from './http-load.ts';
import { type Person, type Product, WEBHOOK_SECRET } from './product.ts';

/** Pending purchases and the payment provider's webhooks that pay them. */

type OpenPurchase = { id: string; person: Person };

/** A signed message. */
export type SignedMessage = { headers: Record<string, string>; body: string };

const JSON_HEADERS = { 'content-type': 'application/json' };

/** Opens `count` purchases, for each person in turn. */
export function openPurchases(ask: Ask, product: Product, people: Person[], count: number): Promise<OpenPurchase[]> {
  const owners = Array.from({ length: count }, (_, index) => people[index % people.length] as Person);
  return mapConcurrently(owners, 8, async (person) => {
    const headers = { ...JSON_HEADERS, cookie: person.cookie, 'idempotency-key': randomUUID() };
    const body = JSON.stringify({ package: 'standard' });
    const answer = await ask(`${product.url}/api/v1/purchases`, { method: 'POST', headers, body });
    const { id } = JSON.parse(expectStatus(answer, 201, 'the purchase').text) as { id: string };
    return { id, person };
  });
}

/** Returns the message that pays a purchase. Signing is the provider's work, so it precedes the measurement. */
export function signPayment(purchase: OpenPurchase): SignedMessage {
  const id = `msg_${randomUUID()}`;
  const now = new Date();
  const data = { purchaseId: purchase.id, paymentId: `pay_${randomUUID()}`, amount: 1500, currency: 'USD' };
  const body = JSON.stringify({ type: 'payment.succeeded', data });
  const headers = {
    ...JSON_HEADERS,
    'webhook-id': id,
    'webhook-timestamp': String(Math.floor(now.getTime() / 1000)),
    'webhook-signature': new Webhook(WEBHOOK_SECRET).sign(id, now, body),
  };
  return { headers, body };
}

/** Sends a signed webhook. The response follows the commit. */
export async function sendMessage(ask: Ask, product: Product, { headers, body }: SignedMessage): Promise<void> {
  const answer = await ask(`${product.url}/webhooks/sandbox`, { method: 'POST', headers, body });
  expectStatus(answer, 200, 'the webhook');
}
