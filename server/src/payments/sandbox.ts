import type { IncomingHttpHeaders } from 'node:http';
import { sql } from 'kysely';
import { Webhook } from 'standardwebhooks';
import { z } from 'zod';
import type { Db } from '../platform/db.ts';
import { AppError } from '../platform/errors.ts';
import { newToken } from '../platform/ids.ts';
import type { PaymentEffect, PaymentEvent, Processor } from './processor.ts';

/** A payment company for trying out: its checkout is a page of ours, its webhooks are signed like real ones. */

const NAME = 'sandbox';

export function makeSandbox(secret: string): Processor {
  return {
    name: NAME,
    openCheckout: async (order) => {
      const token = newToken();
      return { checkoutUrl: `${new URL(order.returnUrl).origin}/sandbox/checkout/${token}`, checkoutId: token };
    },
    readWebhook: (rawBody, headers) => readSandboxWebhook(secret, rawBody, headers),
  };
}

/** The database knows no zero character, so nothing of ours has such a name. */
const nameSchema = z.string().refine((text) => !text.includes('\0'));
/** Whatever else is signed is a message that we do not know. */
const messageSchema = z.object({ type: nameSchema, data: z.unknown() }).catch({ type: '', data: undefined });
/** What cannot be read of a payment becomes a sum that no order has: somebody paid, so a person has to look. */
const paymentSchema = z.object({
  purchaseId: nameSchema,
  paymentId: nameSchema.catch(''),
  amount: z.int().catch(-1),
  currency: z.string().catch(''),
});

function readSandboxWebhook(secret: string, rawBody: Buffer, headers: IncomingHttpHeaders): PaymentEvent {
  const given = Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, String(value)]));
  // The library takes an empty body for a message without content.
  if (rawBody.byteLength === 0) throw new AppError('webhook_signature_invalid');
  try {
    const message = messageSchema.parse(new Webhook(secret).verify(rawBody, given));
    return { eventId: given['webhook-id'] ?? '', type: message.type, effect: readEffect(message.type, message.data) };
  } catch (cause) {
    throw new AppError('webhook_signature_invalid', { cause });
  }
}

function readEffect(type: string, content: unknown): PaymentEffect | null {
  const payment = paymentSchema.safeParse(content);
  if (!payment.success) return null;
  const { purchaseId, paymentId, amount, currency } = payment.data;
  if (type === 'payment.succeeded') return { kind: 'paid', purchaseId, paymentId, amountCents: amount, currency };
  if (type === 'payment.failed') return { kind: 'failed', purchaseId };
  if (type === 'payment.cancelled') return { kind: 'canceled', purchaseId };
  if (type === 'refund.succeeded' || type === 'dispute.lost') return { kind: 'taken_back', purchaseId };
  return null;
}

export type SandboxOrder = {
  purchaseId: string;
  packageName: string;
  credits: number;
  priceCents: number;
  currency: string;
  status: string;
};

/** The order behind a checkout page. @throws AppError not_found */
export async function getSandboxOrder(db: Db, token: string): Promise<SandboxOrder> {
  const found = await sql<SandboxOrder>`
    select id as "purchaseId", package as "packageName", credits, price_cents as "priceCents", currency, status
    from purchases where processor = ${NAME} and checkout_id = ${token}`.execute(db);
  const order = found.rows[0];
  if (order === undefined) throw new AppError('not_found');
  return order;
}

export type SignedMessage = { headers: Record<string, string>; payload: string };

/** The message that a payment company would send about this order, signed. */
export function signSandboxMessage(secret: string, type: string, order: SandboxOrder, now: Date): SignedMessage {
  const id = `msg_${newToken()}`;
  const { purchaseId, priceCents, currency } = order;
  const payload = JSON.stringify({
    type,
    data: { purchaseId, paymentId: `pay_${newToken()}`, amount: priceCents, currency },
  });
  return {
    payload,
    headers: {
      'content-type': 'application/json',
      'webhook-id': id,
      'webhook-timestamp': String(Math.floor(now.getTime() / 1000)),
      'webhook-signature': new Webhook(secret).sign(id, now, payload),
    },
  };
}
