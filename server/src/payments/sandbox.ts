import { packages } from '@plinth/contract/payments';
import { sql } from 'kysely';
import { Webhook } from 'standardwebhooks';
import { z } from 'zod';
import { type Db, getRow } from '../platform/data/db.ts';
import { newToken } from '../platform/ids.ts';
import type { Column, Row } from '../platform/data/rows.ts';
import type { PaymentEffect, Processor } from './processor.ts';
import { nameSchema, readStandardWebhook, sumSchema } from './wire.ts';

/** A payment company for testing: its checkout is our own page, its webhooks are signed like real ones. */

const NAME = 'sandbox';

export function makeSandbox(secret: string): Processor {
  return {
    name: NAME,
    // What is bought here is a number of credits.
    productOf: (packageKey) => String(packages[packageKey].credits),
    openCheckout: async (order) => {
      const token = newToken();
      return { checkoutUrl: `${new URL(order.returnUrl).origin}/sandbox/checkout/${token}`, checkoutId: token };
    },
    readWebhook: (rawBody, headers) => readStandardWebhook([secret], rawBody, headers, readEffect),
    // A decision on the page arrives at once, so there is nothing to poll.
    findOutcome: async () => null,
    findPurchaseId: async () => undefined,
    findReceiptUrl: async () => null,
    probe: async () => undefined,
  };
}

const paymentSchema = z.object({
  purchaseId: nameSchema,
  paymentId: nameSchema.catch(''),
  amount: sumSchema,
  currency: z.string().catch(''),
  /** Named by a message from elsewhere only. */
  credits: z.unknown().optional(),
});

function readEffect(type: string, content: unknown): PaymentEffect | null {
  const payment = paymentSchema.safeParse(content);
  if (!payment.success) return null;
  const { purchaseId, paymentId, amount, currency, credits } = payment.data;
  if (type === 'payment.failed') return { kind: 'failed', purchaseId };
  if (type === 'payment.cancelled') return { kind: 'canceled', purchaseId };
  if (type === 'refund.succeeded' || type === 'dispute.lost') {
    return { kind: 'taken_back', purchaseId, reversalId: type, cents: amount > 0 ? amount : null };
  }
  if (type !== 'payment.succeeded') return null;
  const charge = { amountCents: amount, currency, taxCents: 0, mayAddTax: false };
  const products = credits === undefined ? null : [{ product: JSON.stringify(credits), quantity: 1 }];
  return { kind: 'paid', purchaseId, paymentId, ...charge, products, receiptUrl: null };
}

export type SandboxOrder = Row<'purchases', 'credits' | 'priceCents' | 'currency' | 'status'> & {
  purchaseId: Column<'purchases', 'id'>;
  packageName: Column<'purchases', 'package'>;
};

/** The order of a checkout page. @throws AppError not_found */
export async function getSandboxOrder(db: Db, token: string): Promise<SandboxOrder> {
  const found = await sql<SandboxOrder>`
    select id as "purchaseId", package as "packageName", credits, price_cents as "priceCents", currency, status
    from purchases where processor = ${NAME} and checkout_id = ${token}`.execute(db);
  return getRow(found);
}

export type SignedMessage = { headers: Record<string, string>; payload: string };

/** Builds the signed message that a payment company would send about this order. */
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
