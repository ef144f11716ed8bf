import type { IncomingHttpHeaders } from 'node:http';
import { CURRENCY, type PackageKey, packages } from '@plinth/contract/payments';
import Stripe from 'stripe';
import { z } from 'zod';
import { type Clock, secondsAfter } from '../platform/clock.ts';
import { AppError } from '../platform/errors.ts';
import type { CheckoutOrder, PaymentEffect, PaymentEvent, Processor, Reversal } from './processor.ts';
import {
  currencySchema,
  isLiveKey,
  metadataSchema,
  nameSchema,
  parseSignedBody,
  sumSchema,
  webAddressSchema,
} from './wire.ts';

/** Stripe: Checkout Sessions, confirmed by webhooks. Facts: Stripe's documentation of fulfilment and of webhooks. */

type StripeSettings = {
  secretKey: string;
  apiUrl: string;
  /** Several during the rotation of a secret. */
  webhookSecrets: string[];
  /** Price ids; a package without one is described inline in the checkout. */
  prices: Partial<Record<PackageKey, string | undefined>>;
};

const TOLERANCE_SECONDS = 300;
// Stripe allows at most 24 hours; the clocks may differ.
const CHECKOUT_SECONDS = 23 * 3600;

export function makeStripe(settings: StripeSettings, clock: Clock): Processor {
  const { protocol, hostname, port } = new URL(settings.apiUrl);
  const stripe = new Stripe(settings.secretKey, {
    protocol: protocol === 'http:' ? 'http' : 'https',
    host: hostname,
    port: port === '' ? (protocol === 'http:' ? 80 : 443) : Number(port),
    timeout: 6000,
    maxNetworkRetries: 1,
    telemetry: false,
  });
  return {
    name: 'stripe',
    // The session's client reference contains the package.
    productOf: (packageKey) => packageKey,
    openCheckout: async (order) => {
      const open = (request: CheckoutOrder, idempotencyKey: string) =>
        stripe.checkout.sessions.create(makeSession(request, settings.prices[order.packageKey], clock.now()), {
          idempotencyKey,
        });
      const session = await open(order, order.purchaseId).catch((error: unknown) => {
        if (!isEmailRefused(error)) throw error;
        return open({ ...order, email: undefined }, `${order.purchaseId} without e-mail`);
      });
      return { checkoutUrl: webAddressSchema.parse(session.url), checkoutId: z.string().min(1).parse(session.id) };
    },
    readWebhook: (rawBody, headers) => readStripeWebhook(stripe, settings, rawBody, headers, clock.now()),
    findOutcome: async ({ purchaseId, checkoutId }) => {
      const session = sessionSchema.parse(await stripe.checkout.sessions.retrieve(checkoutId));
      if (session.status === 'expired') return { kind: 'expired', purchaseId };
      return session.payment_status === 'paid' ? readPaid(session) : null;
    },
    findPurchaseId: async (paymentId) => {
      const { data } = await stripe.checkout.sessions.list({ payment_intent: paymentId, limit: 1 });
      return metadataSchema.parse(data[0]?.metadata).purchaseId;
    },
    findReceiptUrl: async (paymentId) => {
      const intent = await stripe.paymentIntents.retrieve(paymentId, { expand: ['latest_charge'] });
      return intentSchema.parse(intent).latest_charge?.receipt_url ?? null;
    },
    probe: async () => void (await stripe.checkout.sessions.list({ limit: 1 })),
  };
}

const isEmailRefused = (error: unknown): boolean =>
  error instanceof Stripe.errors.StripeInvalidRequestError &&
  (error.param === 'customer_email' || error.code === 'email_invalid');

function makeSession(
  { purchaseId, packageKey, email, returnUrl }: CheckoutOrder,
  price: string | undefined,
  now: Date,
): Stripe.Checkout.SessionCreateParams {
  const { name, credits, priceCents } = packages[packageKey];
  const priceData = {
    currency: CURRENCY.toLowerCase(),
    unit_amount: priceCents,
    product_data: { name: `Plinth ${name}: ${credits} credits` },
  };
  return {
    mode: 'payment',
    line_items: [{ quantity: 1, ...(price === undefined ? { price_data: priceData } : { price }) }],
    client_reference_id: packageKey,
    metadata: { purchaseId },
    // Stripe does not copy a session's metadata to its payment.
    payment_intent_data: { metadata: { purchaseId } },
    ...(email !== undefined && { customer_email: email }),
    success_url: `${returnUrl}?success=true`,
    cancel_url: `${returnUrl}?success=false`,
    expires_at: Math.floor(secondsAfter(now, CHECKOUT_SECONDS).getTime() / 1000),
    adaptive_pricing: { enabled: false },
  };
}

/** The library checks a message against one secret and rejects only old ones; the rest is checked here. */
function readStripeWebhook(
  stripe: Stripe,
  { webhookSecrets, secretKey }: StripeSettings,
  rawBody: Buffer,
  headers: IncomingHttpHeaders,
  now: Date,
): PaymentEvent {
  const header = headers['stripe-signature'];
  if (typeof header !== 'string' || !webhookSecrets.some((secret) => isSigned(stripe, rawBody, header, secret, now)))
    throw new AppError('webhook_signature_invalid');
  const signedAt = Number(/(?:^|,)\s*t=(\d+)/.exec(header)?.[1]);
  if (!(signedAt - now.getTime() / 1000 <= TOLERANCE_SECONDS)) throw new AppError('webhook_signature_invalid');
  const message = eventSchema.parse(parseSignedBody(rawBody));
  // A test-mode message must not pay in live mode.
  const isForeign = isLiveKey(secretKey) && message.livemode === false;
  const effect = isForeign || message.id === '' ? null : readEffect(message.type, message.data.object);
  return { eventId: message.id, type: message.type, effect };
}

function isSigned(stripe: Stripe, rawBody: Buffer, header: string, secret: string, now: Date): boolean {
  const { signature } = stripe.webhooks;
  try {
    return signature?.verifyHeader(rawBody, header, secret, TOLERANCE_SECONDS, undefined, now.getTime()) === true;
  } catch {
    return false; // the library throws for a wrong signature and for a malformed one
  }
}

const idSchema = z.union([z.string(), z.object({ id: z.string() }).transform(({ id }) => id)]).pipe(nameSchema);
const eventSchema = z
  .object({
    id: nameSchema.catch(''),
    type: nameSchema.catch(''),
    livemode: z.boolean().optional().catch(undefined),
    data: z.object({ object: z.unknown() }).catch({ object: undefined }),
  })
  .catch({ id: '', type: '', livemode: undefined, data: { object: undefined } });
const sessionSchema = z.object({
  metadata: metadataSchema.optional().transform((metadata) => metadata?.purchaseId),
  client_reference_id: nameSchema.nullish().catch(null),
  payment_status: z.string().catch(''),
  status: z.string().nullish().catch(null),
  payment_intent: idSchema.nullish().catch(null),
  amount_total: sumSchema,
  currency: currencySchema,
  total_details: z.object({ amount_tax: z.int().nonnegative() }).nullish().catch(null),
});
type Session = z.infer<typeof sessionSchema>;
const chargeSchema = z.object({ payment_intent: idSchema, amount: z.int(), amount_refunded: z.int().positive() });
const disputeSchema = z.object({
  id: nameSchema,
  payment_intent: idSchema,
  status: z.literal('lost'),
  amount: z.int(),
});
const refundSchema = z.object({ payment_intent: idSchema });
const intentSchema = z.object({ latest_charge: z.object({ receipt_url: webAddressSchema.nullish() }).nullish() });

function readEffect(type: string, object: unknown): PaymentEffect | null {
  if (type === 'charge.refunded') return readRefund(object);
  if (type === 'charge.dispute.closed') return readDispute(object);
  if (type === 'refund.failed') {
    const { data } = refundSchema.safeParse(object);
    return data === undefined ? null : { kind: 'in_doubt', paymentId: data.payment_intent };
  }
  const parsed = sessionSchema.safeParse(object);
  const purchaseId = parsed.data?.metadata;
  if (!parsed.success || purchaseId === undefined) return null;
  const { payment_status: status, payment_intent: paymentId } = parsed.data;
  if (type === 'checkout.session.completed' && status !== 'paid')
    return { kind: 'started', purchaseId, paymentId: paymentId ?? '' };
  if (type === 'checkout.session.completed' || type === 'checkout.session.async_payment_succeeded')
    return readPaid(parsed.data);
  if (type === 'checkout.session.async_payment_failed') return { kind: 'failed', purchaseId };
  return type === 'checkout.session.expired' ? { kind: 'expired', purchaseId } : null;
}

function readPaid(session: Session): PaymentEffect | null {
  if (session.metadata === undefined) return null;
  const reference = session.client_reference_id;
  return {
    kind: 'paid',
    purchaseId: session.metadata,
    paymentId: session.payment_intent ?? '',
    amountCents: session.amount_total,
    currency: session.currency,
    taxCents: session.total_details?.amount_tax ?? 0,
    mayAddTax: false,
    products: typeof reference === 'string' ? [{ product: reference, quantity: 1 }] : null,
    receiptUrl: null,
  };
}

/** The total of a charge's refunds is cumulative. */
function readRefund(object: unknown): Reversal | null {
  const parsed = chargeSchema.safeParse(object);
  if (!parsed.success) return null;
  const { payment_intent: paymentId, amount, amount_refunded: refunded } = parsed.data;
  return { kind: 'taken_back', paymentId, reversalId: 'refunds', cents: refunded >= amount ? null : refunded };
}

function readDispute(object: unknown): Reversal | null {
  const parsed = disputeSchema.safeParse(object);
  if (!parsed.success) return null;
  const { id, payment_intent: paymentId, amount } = parsed.data;
  return { kind: 'taken_back', paymentId, reversalId: id, cents: amount > 0 ? amount : null };
}
