import { randomBytes } from 'node:crypto';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { Webhook } from 'standardwebhooks';
import Stripe from 'stripe';
import type { TestApp } from './app.ts';

/**
 * Fake payment companies on their own wire format: they answer the unmodified vendor packages and sign like the
 * vendors.
 */

export type Mood = 'well' | 'down' | 'garbled' | 'no address' | 'refuses the e-mail' | 'refuses the price';
type Session = { id: string; purchaseId: string; returnUrl: string; parameters: Record<string, unknown> };
type Outcome = { status: 'paid' | 'failed' | 'expired' | 'open'; cents?: number };

export type Company = {
  name: 'stripe' | 'dodo';
  settings: () => Record<string, string>;
  sessions: Session[];
  mood: Mood;
  /** Its answer to a query about a purchase. */
  outcomes: Map<string, Outcome>;
  /** Number of requests other than for a new session. */
  questions: number;
  /** A message of its kind, signed by the vendor's own package. */
  message: (content: Message, options?: Signing) => { headers: Record<string, string>; body: string };
  close: () => void;
};

export type Message = {
  kind: 'paid' | 'unpaid' | 'paid later' | 'failed' | 'gone' | 'refund' | 'lost' | 'won' | 'doubtful' | 'unknown';
  purchaseId: string;
  cents?: number;
  currency?: string;
  product?: string;
  quantity?: number;
  /** Another payment of the order; its name begins with the usual one's. */
  paymentId?: string;
  /** Amount refunded so far. */
  refunded?: number;
  /** Where a refund's amount is missing: from the message, or from the company's answer as well. */
  unsaid?: 'here' | 'everywhere';
};
export type Signing = { id?: string; at?: Date; secret?: string };

export const paymentOf = (purchaseId: string) => `pay_${purchaseId.slice(4, 20)}`;
const STRIPE_SECRETS = ['whsec_old-of-stripe', 'whsec_new-of-stripe'] as const;
const DODO_SECRETS = [randomBytes(24), randomBytes(24)].map((one) => `whsec_${one.toString('base64')}`);

export async function startStripe(): Promise<Company & { sign: (body: string) => ReturnType<Company['message']> }> {
  const company = makeCompany('stripe', (url) => ({
    PAYMENTS: 'stripe',
    STRIPE_SECRET_KEY: 'sk_test_of-the-test',
    STRIPE_API_URL: url,
    STRIPE_WEBHOOK_SECRET: STRIPE_SECRETS.join(','),
  }));
  const stripe = new Stripe('sk_test_of-the-test');
  const sign = (payload: string, { at = new Date(), secret = STRIPE_SECRETS[1] }: Signing = {}) => {
    const timestamp = Math.floor(at.getTime() / 1000);
    const signature = stripe.webhooks.generateTestHeaderString({ payload, secret, timestamp });
    return { headers: { 'content-type': 'application/json', 'stripe-signature': signature }, body: payload };
  };
  company.message = (content, { id = newId('evt'), ...signing } = {}) =>
    sign(JSON.stringify({ id, object: 'event', livemode: false, ...writeStripe(content) }), signing);
  await company.listen(async (path, request) => {
    const { searchParams, pathname } = new URL(path, 'http://stripe');
    if (request.method === 'POST') {
      const parameters = Object.fromEntries(new URLSearchParams(await text(request)));
      const purchaseId = parameters['metadata[purchaseId]'] ?? '';
      const session = { id: newId('cs_test'), purchaseId, returnUrl: parameters.success_url ?? '', parameters };
      company.sessions.push({ ...session, parameters: { ...parameters, key: request.headers['idempotency-key'] } });
      return { id: session.id, object: 'checkout.session', url: 'https://checkout.stripe.test/c/pay' };
    }
    company.questions += 1;
    if (pathname.startsWith('/v1/payment_intents/'))
      return { id: 'pi', latest_charge: { receipt_url: 'https://pay.stripe.test/receipts/1' } };
    const byId = company.sessions.find(({ id }) => pathname.endsWith(id));
    const parameters = searchParams.get('payment_intent') ?? '';
    const byPayment = company.sessions.find((one) => parameters.startsWith(paymentOf(one.purchaseId)));
    if (byId === undefined) return { object: 'list', data: byPayment ? [writeSession(byPayment.purchaseId, {})] : [] };
    const { status, cents } = company.outcomes.get(byId.purchaseId) ?? { status: 'open' };
    return writeSession(byId.purchaseId, {
      status: status === 'paid' ? 'complete' : status,
      payment_status: status === 'paid' ? 'paid' : 'unpaid',
      ...(cents !== undefined && { amount_total: cents }),
    });
  });
  return Object.assign(company, { sign });
}

function writeSession(purchaseId: string, more: object) {
  return {
    object: 'checkout.session',
    client_reference_id: 'standard',
    metadata: { purchaseId },
    payment_intent: paymentOf(purchaseId),
    payment_status: 'paid',
    amount_total: 1500,
    currency: 'usd',
    total_details: { amount_tax: 0 },
    ...more,
  };
}

function writeStripe({ kind, purchaseId, cents, currency, product, paymentId, refunded }: Message) {
  const session = (type: string, more: object) => {
    const sums = { ...(cents !== undefined && { amount_total: cents }), ...(currency && { currency }) };
    const bought = {
      ...(product !== undefined && { client_reference_id: product }),
      ...(paymentId !== undefined && { payment_intent: paymentId }),
    };
    return {
      type: `checkout.session.${type}`,
      data: { object: writeSession(purchaseId, { ...sums, ...bought, ...more }) },
    };
  };
  const payment_intent = paymentId ?? paymentOf(purchaseId);
  const dispute = (status: string) => ({
    type: 'charge.dispute.closed',
    data: { object: { object: 'dispute', id: `dp_${purchaseId}`, payment_intent, status, amount: cents ?? 1500 } },
  });
  if (kind === 'paid') return session('completed', {});
  if (kind === 'unpaid') return session('completed', { payment_status: 'unpaid' });
  if (kind === 'paid later') return session('async_payment_succeeded', {});
  if (kind === 'failed') return session('async_payment_failed', { payment_status: 'unpaid' });
  if (kind === 'gone') return session('expired', { payment_status: 'unpaid', payment_intent: null });
  if (kind === 'lost' || kind === 'won') return dispute(kind);
  if (kind === 'doubtful')
    return { type: 'refund.failed', data: { object: { object: 'refund', id: 're_1', payment_intent, amount: 1500 } } };
  if (kind === 'unknown') return { type: 'customer.created', data: { object: { id: 'cus_1' } } };
  const amount = cents ?? 1500;
  const object = {
    object: 'charge',
    id: 'ch_1',
    payment_intent,
    amount,
    amount_refunded: refunded ?? amount,
    metadata: {},
  };
  return { type: 'charge.refunded', data: { object } };
}

export async function startDodo(): Promise<Company> {
  const company = makeCompany('dodo', (url) => ({
    PAYMENTS: 'dodo',
    DODO_API_KEY: 'key-of-the-test',
    DODO_API_URL: url,
    DODO_WEBHOOK_SECRET: DODO_SECRETS.join(', '),
    DODO_PRODUCT_BASIC: 'pdt_basic',
    DODO_PRODUCT_STANDARD: 'pdt_standard',
    DODO_PRODUCT_PREMIUM: 'pdt_premium',
  }));
  company.message = (content, { id = newId('msg'), at = new Date(), secret = DODO_SECRETS[1] ?? '' } = {}) => {
    const body = JSON.stringify({ business_id: 'bus_1', timestamp: at.toISOString(), ...writeDodo(content) });
    return {
      headers: {
        'content-type': 'application/json',
        'webhook-id': id,
        'webhook-timestamp': String(Math.floor(at.getTime() / 1000)),
        'webhook-signature': new Webhook(secret).sign(id, at, body),
      },
      body,
    };
  };
  await company.listen(async (path, request) => {
    if (request.method === 'POST') {
      const parameters = JSON.parse(await text(request)) as {
        metadata: { purchaseId: string };
        return_url: string;
        customer?: { email: string };
      };
      const { purchaseId } = parameters.metadata;
      const session = { id: newId('cks'), purchaseId, returnUrl: parameters.return_url, parameters };
      company.sessions.push(session);
      return { session_id: session.id, checkout_url: 'https://checkout.dodo.test/session' };
    }
    company.questions += 1;
    if (path.startsWith('/refunds/ref_')) return { amount: Number(path.slice('/refunds/ref_'.length)) || -1 };
    const session = company.sessions.find(
      ({ id, purchaseId }) => path.endsWith(id) || path.includes(paymentOf(purchaseId)),
    );
    if (session === undefined) return path.startsWith('/products') ? { items: [] } : undefined;
    const { purchaseId } = session;
    const { status, cents } = company.outcomes.get(purchaseId) ?? { status: 'open' };
    if (path.startsWith('/payments/'))
      return writePayment(purchaseId, {
        status: status === 'failed' ? 'failed' : 'succeeded',
        ...(cents !== undefined && { total_amount: cents }),
      });
    const wasPaid = status === 'paid' || status === 'failed';
    const created = new Date(status === 'expired' ? Date.now() - 25 * 3_600_000 : Date.now()).toISOString();
    return { id: session.id, created_at: created, payment_id: wasPaid ? paymentOf(purchaseId) : null };
  });
  return company;
}

function writePayment(purchaseId: string, more: object) {
  return {
    payload_type: 'Payment',
    payment_id: paymentOf(purchaseId),
    metadata: { purchaseId },
    total_amount: 1500,
    currency: 'USD',
    tax: 0,
    product_cart: [{ product_id: 'pdt_standard', quantity: 1 }],
    invoice_url: 'https://invoices.dodo.test/1',
    ...more,
  };
}

function writeDodo({ kind, purchaseId, cents, currency, product, quantity, paymentId, ...refund }: Message) {
  const payment_id = paymentId ?? paymentOf(purchaseId);
  const payment = (type: string) => {
    const item = { product_id: product ?? 'pdt_standard', quantity: quantity ?? 1 };
    const sums = { ...(cents !== undefined && { total_amount: cents }), ...(currency && { currency }) };
    return { type: `payment.${type}`, data: writePayment(purchaseId, { ...sums, payment_id, product_cart: [item] }) };
  };
  if (kind === 'paid' || kind === 'paid later') return payment('succeeded');
  if (kind === 'unpaid') return payment('processing');
  if (kind === 'failed') return payment('failed');
  if (kind === 'gone') return payment('cancelled');
  if (kind === 'unknown') return { type: 'license_key.created', data: { id: 'lk_1' } };
  if (kind === 'refund') {
    const { refunded, unsaid } = refund;
    const is_partial = refunded !== undefined && refunded < (cents ?? 1500);
    const amount = unsaid === undefined ? (refunded ?? cents ?? 1500) : null;
    const refund_id = `ref_${unsaid === 'everywhere' ? 'x' : ''}${refunded ?? 0}`;
    return { type: 'refund.succeeded', data: { refund_id, payment_id, is_partial, amount } };
  }
  return {
    type: `dispute.${kind === 'doubtful' ? 'expired' : kind}`,
    data: { dispute_id: `dp_${purchaseId}`, payment_id, amount: '15.00' },
  };
}

const newId = (prefix: string) => `${prefix}_${randomBytes(9).toString('hex')}`;

type Answer = (path: string, request: IncomingMessage) => Promise<object | undefined>;

function makeCompany(name: Company['name'], settings: (url: string) => Record<string, string>) {
  let server: Server | undefined;
  const company: Company & { listen: (answer: Answer) => Promise<void> } = {
    name,
    settings: () => settings(`http://127.0.0.1:${(server?.address() as AddressInfo).port}`),
    sessions: [],
    mood: 'well',
    outcomes: new Map(),
    questions: 0,
    message: () => ({ headers: {}, body: '' }),
    listen: async (answer) => {
      const listening = createServer((request, response) => {
        void respond(request, response, answer, company).catch(() => response.destroy());
      });
      server = listening;
      await new Promise<void>((resolve) => listening.listen(0, '127.0.0.1', resolve));
    },
    close: () => {
      server?.close();
      server?.closeAllConnections();
    },
  };
  return company;
}

/** How each company refuses one field of a checkout. */
const REFUSALS = {
  stripe: {
    'refuses the e-mail': [400, { type: 'invalid_request_error', param: 'customer_email', code: 'email_invalid' }],
    'refuses the price': [400, { type: 'invalid_request_error', param: 'line_items', code: 'resource_missing' }],
  },
  dodo: {
    'refuses the e-mail': [422, { code: 'INVALID_REQUEST_BODY', message: 'Invalid customer' }],
    'refuses the price': [422, { code: 'INVALID_REQUEST_BODY', message: 'Unknown product' }],
  },
} as const;

/** How a company makes a buyer wait whose address begins with this. */
export const hesitations = ['silent', 'stops-in-the-middle', 'asks-for-a-minute'] as const;

async function respond(
  request: IncomingMessage,
  response: ServerResponse,
  answer: Answer,
  { name, mood, sessions }: Company,
): Promise<void> {
  const body = await answer(request.url ?? '', request);
  const json = { 'content-type': 'application/json' };
  const parameters = request.method === 'POST' ? (sessions.at(-1)?.parameters ?? {}) : {};
  const hasEmail = 'customer_email' in parameters || 'customer' in parameters;
  const hesitation = hesitations.find((one) => JSON.stringify(parameters).includes(`${one}@`));
  if (hesitation === 'silent') return;
  if (hesitation === 'stops-in-the-middle') response.writeHead(200, json).write('{"id":');
  else if (hesitation === 'asks-for-a-minute')
    response.writeHead(503, { ...json, 'retry-after': '59' }).end('{"error":{}}');
  else if (mood === 'down') response.writeHead(500, json).end('{"error":{"message":"we are down at db7.internal"}}');
  else if (mood === 'garbled') response.writeHead(200, json).end('{"id":');
  else if (mood === 'no address') response.writeHead(200, json).end('{"id":"x","session_id":"x","url":null}');
  else if (mood === 'refuses the price' || (mood === 'refuses the e-mail' && hasEmail)) {
    const [status, error] = REFUSALS[name][mood];
    response.writeHead(status, json).end(JSON.stringify(name === 'stripe' ? { error } : error));
  } else response.writeHead(body === undefined ? 404 : 200, json).end(JSON.stringify(body ?? { error: {} }));
}

/** Sends a company's message to the product. */
export function deliver(app: TestApp, company: Company, content: Message, signing?: Signing): Promise<Response> {
  const { headers, body } = company.message(content, signing);
  return fetch(`${app.url}/webhooks/${company.name}`, { method: 'POST', headers, body });
}
