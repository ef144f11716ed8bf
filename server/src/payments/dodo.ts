import { CURRENCY, type PackageKey } from '@plinth/contract/payments';
import DodoPayments from 'dodopayments';
import { z } from 'zod';
import { type Clock, secondsAfter } from '../platform/clock.ts';
import type { CheckoutOrder, PaymentEffect, Processor, Reversal } from './processor.ts';
import {
  currencySchema,
  metadataSchema,
  nameSchema,
  readStandardWebhook,
  sumSchema,
  webAddressSchema,
} from './wire.ts';

/** Dodo Payments: checkout sessions, confirmed by Standard Webhooks. Facts: Dodo's documentation and its package. */

type DodoSettings = {
  apiKey: string;
  apiUrl: string;
  /** Several during the rotation of a secret. */
  webhookSecrets: string[];
  products: Record<PackageKey, string>;
};

/** Dodo's test and live modes have separate keys, products and webhooks. */
export const DODO_URLS = {
  test_mode: 'https://test.dodopayments.com',
  live_mode: 'https://live.dodopayments.com',
} as const;

// Dodo closes a session after a day.
const CHECKOUT_SECONDS = 24 * 3600;

export function makeDodo(settings: DodoSettings, clock: Clock): Processor {
  const dodo = new DodoPayments({
    bearerToken: settings.apiKey,
    baseURL: settings.apiUrl,
    webhookKey: null,
    maxRetries: 1,
    fetch: fetchInTime,
  });
  const readPayment = async (paymentId: string) => paymentSchema.parse(await dodo.payments.retrieve(paymentId));
  return {
    name: 'dodo',
    productOf: (packageKey) => settings.products[packageKey],
    openCheckout: async (order) => {
      const open = (request: CheckoutOrder) =>
        dodo.checkoutSessions.create(makeSession(request, settings.products[order.packageKey]));
      // Dodo does not name the rejected field; only the address is the user's input.
      const session = await open(order).catch((error: unknown) => {
        if (!(error instanceof DodoPayments.APIError) || (error.status !== 400 && error.status !== 422)) throw error;
        return open({ ...order, email: undefined });
      });
      return {
        checkoutUrl: webAddressSchema.parse(session.checkout_url),
        checkoutId: z.string().min(1).parse(session.session_id),
      };
    },
    readWebhook: (rawBody, headers) => readStandardWebhook(settings.webhookSecrets, rawBody, headers, readEffect),
    findOutcome: async ({ purchaseId, checkoutId }) => {
      const session = sessionSchema.parse(await dodo.checkoutSessions.retrieve(checkoutId));
      if (typeof session.payment_id === 'string') return readOutcome(await readPayment(session.payment_id));
      const isOver = secondsAfter(session.created_at, CHECKOUT_SECONDS) < clock.now();
      return isOver ? { kind: 'expired', purchaseId } : null;
    },
    findPurchaseId: async (paymentId) => (await readPayment(paymentId).catch(ignoreMissing))?.metadata?.purchaseId,
    findRefundCents: async (refundId) => {
      const refund = await dodo.refunds.retrieve(refundId).catch(ignoreMissing);
      return z.int().positive().catch(0).parse(refund?.amount);
    },
    findReceiptUrl: async (paymentId) => (await readPayment(paymentId)).invoice_url ?? null,
    probe: async () => void (await dodo.products.list({ page_size: 1 })),
  };
}

const REQUEST_MS = 6000;

/** The library's own limit covers only an answer's head, and it obeys `Retry-After` for up to a minute. */
async function fetchInTime(input: string | URL | Request, init?: RequestInit): Promise<Response> {
  const { body, status, headers } = await fetch(input, { ...init, signal: AbortSignal.timeout(REQUEST_MS) });
  return new Response(body, { status, headers: { 'content-type': headers.get('content-type') ?? '' } });
}

function ignoreMissing(error: unknown): undefined {
  if (!(error instanceof DodoPayments.NotFoundError)) throw error;
}

function makeSession(order: CheckoutOrder, product: string): DodoPayments.CheckoutSessionCreateParams {
  const { purchaseId, packageKey, email, returnUrl } = order;
  return {
    product_cart: [{ product_id: product, quantity: 1 }],
    ...(email !== undefined && { customer: { email } }),
    metadata: { purchaseId, package: packageKey },
    return_url: `${returnUrl}?success=true`,
    cancel_url: `${returnUrl}?success=false`,
    billing_currency: CURRENCY,
    feature_flags: { allow_discount_code: false, allow_currency_selection: false },
  };
}

const productSchema = z.object({ product_id: z.string().catch(''), quantity: z.int().catch(0) });
const paymentSchema = z.object({
  payment_id: nameSchema.catch(''),
  status: z.string().nullish().catch(null),
  metadata: metadataSchema.optional(),
  total_amount: sumSchema,
  currency: currencySchema,
  tax: z.int().nonnegative().nullish().catch(null),
  product_cart: z.array(productSchema).nullish().catch([]),
  invoice_url: webAddressSchema.nullish().catch(null),
});
type Payment = z.infer<typeof paymentSchema>;
const sessionSchema = z.object({ created_at: z.coerce.date(), payment_id: z.string().nullish() });

function readEffect(type: string, content: unknown): PaymentEffect | null {
  if (type === 'refund.succeeded') return readReversal('refund', content);
  // An accepted dispute counts as lost.
  if (type === 'dispute.lost' || type === 'dispute.accepted') return readReversal('dispute', content);
  // Undocumented whether it cost the money.
  if (type === 'dispute.expired') {
    const { data } = reversalSchema.safeParse(content);
    return data === undefined
      ? null
      : { kind: 'in_doubt', paymentId: data.payment_id, purchaseId: data.metadata?.purchaseId };
  }
  const status = /^payment\.(succeeded|failed|cancelled|processing)$/.exec(type)?.[1];
  const parsed = paymentSchema.safeParse(content);
  return status !== undefined && parsed.success ? readOutcome({ ...parsed.data, status }) : null;
}

function readOutcome(payment: Payment): PaymentEffect | null {
  const purchaseId = payment.metadata?.purchaseId;
  if (purchaseId === undefined) return null;
  if (payment.status === 'failed') return { kind: 'failed', purchaseId };
  if (payment.status === 'cancelled') return { kind: 'canceled', purchaseId };
  if (payment.status === 'processing') return { kind: 'started', purchaseId, paymentId: payment.payment_id };
  if (payment.status !== 'succeeded') return null;
  return {
    kind: 'paid',
    purchaseId,
    paymentId: payment.payment_id,
    amountCents: payment.total_amount,
    currency: payment.currency,
    taxCents: payment.tax ?? 0,
    mayAddTax: true,
    products: payment.product_cart?.map(({ product_id: product, quantity }) => ({ product, quantity })) ?? null,
    receiptUrl: payment.invoice_url ?? null,
  };
}

const reversalSchema = z.object({
  refund_id: nameSchema.min(1).optional().catch(undefined),
  dispute_id: nameSchema.min(1).optional().catch(undefined),
  payment_id: nameSchema.optional().catch(undefined),
  metadata: metadataSchema.optional(),
  is_partial: z.boolean().catch(false),
  amount: z.int().positive().nullish().catch(null),
});

function readReversal(kind: 'refund' | 'dispute', content: unknown): Reversal | null {
  const parsed = reversalSchema.safeParse(content);
  if (!parsed.success) return null;
  const { payment_id: paymentId, metadata, is_partial: isPartial, amount, ...ids } = parsed.data;
  // Dodo gives a dispute's amount as text in an undocumented unit: a lost dispute takes everything back.
  const cents = kind === 'dispute' ? null : (amount ?? (isPartial ? 0 : null));
  const reversalId = ids[`${kind}_id`] ?? kind;
  return { kind: 'taken_back', reversalId, cents, paymentId, purchaseId: metadata?.purchaseId };
}
