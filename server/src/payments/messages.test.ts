import { randomBytes } from 'node:crypto';
import { Webhook } from 'standardwebhooks';
import Stripe from 'stripe';
import { describe, expect, it } from 'vitest';
import { makeDodo } from './dodo.ts';
import type { PaymentEffect } from './processor.ts';
import { makeSandbox } from './sandbox.ts';
import { makeStripe } from './stripe.ts';

/** How each company's signed messages are parsed, including incomplete ones. */

const NOW = new Date('2027-01-02T03:04:05.000Z');
const CLOCK = { now: () => NOW };
const SECRET = `whsec_${randomBytes(24).toString('base64')}`;
const PACKAGES = { basic: 'pdt_basic', standard: 'pdt_standard', premium: 'pdt_premium' };
type Case = [what: string, type: string, data: unknown, effect: PaymentEffect | null];

function signStandard(body: string, at: Date, id = 'msg_1') {
  const signature = new Webhook(SECRET).sign(id, at, body);
  const seconds = String(Math.floor(at.getTime() / 1000));
  return { 'webhook-id': id, 'webhook-timestamp': seconds, 'webhook-signature': signature };
}

const takenBack = (reversalId: string, cents: number | null, named: { purchaseId?: string; paymentId?: string } = {}) =>
  ({ kind: 'taken_back', reversalId, cents, ...named }) as const;

describe('stripe', () => {
  const settings = { secretKey: 'sk_test_a', apiUrl: 'https://api.stripe.com', webhookSecrets: [SECRET], prices: {} };
  const stripe = makeStripe(settings, CLOCK);

  function read(message: unknown, processor = stripe, at = NOW) {
    const payload = JSON.stringify(message);
    const timestamp = Math.floor(at.getTime() / 1000);
    const { webhooks } = new Stripe('sk_test_a');
    const header = webhooks.generateTestHeaderString({ payload, secret: SECRET, timestamp });
    return processor.readWebhook(Buffer.from(payload), { 'stripe-signature': header });
  }

  const session = (more: object = {}) => ({ metadata: { purchaseId: 'pur_1' }, payment_intent: 'pi_1', ...more });
  const paid = { payment_status: 'paid', amount_total: 1500, currency: 'usd' };
  const payment = {
    kind: 'paid',
    purchaseId: 'pur_1',
    paymentId: 'pi_1',
    amountCents: 1500,
    currency: 'USD',
    taxCents: 0,
    mayAddTax: false,
    products: null,
    receiptUrl: null,
  } as const;
  const completed = 'checkout.session.completed';
  const cases: Case[] = [
    ['a payment', completed, session(paid), payment],
    [
      'a payment with its tax and package',
      completed,
      session({ ...paid, client_reference_id: 'standard', total_details: { amount_tax: 240 } }),
      { ...payment, taxCents: 240, products: [{ product: 'standard', quantity: 1 }] },
    ],
    ['a payment without a name', completed, session({ ...paid, payment_intent: null }), { ...payment, paymentId: '' }],
    ['a payment with an expanded intent', completed, session({ ...paid, payment_intent: { id: 'pi_1' } }), payment],
    [
      'an unreadable amount',
      completed,
      session({ payment_status: 'paid', currency: 'pounds' }),
      { ...payment, amountCents: -1, currency: '' },
    ],
    ['a payment of no purchase', completed, session({ ...paid, metadata: {} }), null],
    ['a payment that comes later', 'checkout.session.async_payment_succeeded', session(paid), payment],
    ['money on its way', completed, session(), { kind: 'started', purchaseId: 'pur_1', paymentId: 'pi_1' }],
    [
      'money on its way without a name',
      completed,
      session({ payment_intent: null }),
      { kind: 'started', purchaseId: 'pur_1', paymentId: '' },
    ],
    ['money on its way for no purchase', completed, session({ metadata: null }), null],
    ['a failure', 'checkout.session.async_payment_failed', session(), { kind: 'failed', purchaseId: 'pur_1' }],
    ['an expiry', 'checkout.session.expired', session(), { kind: 'expired', purchaseId: 'pur_1' }],
    ['an expiry of no purchase', 'checkout.session.expired', { metadata: 7 }, null],
    ['a malformed session', 'checkout.session.expired', 'gone', null],
    [
      'a whole refund',
      'charge.refunded',
      { payment_intent: 'pi_1', amount: 1500, amount_refunded: 1500 },
      takenBack('refunds', null, { paymentId: 'pi_1' }),
    ],
    [
      'a refund of a part',
      'charge.refunded',
      { payment_intent: 'pi_1', amount: 1500, amount_refunded: 500 },
      takenBack('refunds', 500, { paymentId: 'pi_1' }),
    ],
    ['a refund of 0', 'charge.refunded', { payment_intent: 'pi_1', amount: 1500, amount_refunded: 0 }, null],
    [
      'a lost dispute',
      'charge.dispute.closed',
      { id: 'dp_1', payment_intent: 'pi_1', status: 'lost', amount: 700 },
      takenBack('dp_1', 700, { paymentId: 'pi_1' }),
    ],
    [
      'a lost dispute without an amount',
      'charge.dispute.closed',
      { id: 'dp_1', payment_intent: 'pi_1', status: 'lost', amount: 0 },
      takenBack('dp_1', null, { paymentId: 'pi_1' }),
    ],
    [
      'a dispute that was won',
      'charge.dispute.closed',
      { id: 'dp_1', payment_intent: 'pi_1', status: 'won', amount: 700 },
      null,
    ],
    [
      'a refund that failed',
      'refund.failed',
      { id: 're_1', payment_intent: 'pi_1', amount: 700 },
      { kind: 'in_doubt', paymentId: 'pi_1' },
    ],
    ['a failed refund of no payment', 'refund.failed', { id: 're_1', payment_intent: null }, null],
    ['something else', 'customer.created', session(paid), null],
  ];
  it.each(cases)('reads %s', (_, type, object, effect) => {
    expect(read({ id: 'evt_1', type, data: { object } })).toEqual({ eventId: 'evt_1', type, effect });
  });

  it('reads no effect without an id, or of a test-mode message with a live key', () => {
    const live = makeStripe({ ...settings, secretKey: 'sk_live_a' }, CLOCK);
    const message = { id: 'evt_1', type: completed, data: { object: session(paid) } };
    expect(read({ ...message, id: 7 }).effect).toBeNull();
    expect(read({ ...message, livemode: false }, live).effect).toBeNull();
    for (const [livemode, processor] of [
      [true, live],
      [false, stripe],
      [undefined, live],
    ] as const)
      expect(read({ ...message, livemode }, processor).effect).toEqual(payment);
    expect(read('nothing')).toEqual({ eventId: '', type: '', effect: null });
  });

  it('rejects an unsigned message and one signed too early or too late', () => {
    const refused = { code: 'webhook_signature_invalid' };
    for (const headers of [{}, { 'stripe-signature': 't=1,v1=00' }])
      expect(() => stripe.readWebhook(Buffer.from('{}'), headers)).toThrow(expect.objectContaining(refused) as Error);
    for (const minutes of [-6, 6])
      expect(() => read({}, stripe, new Date(NOW.getTime() + minutes * 60_000))).toThrow(
        expect.objectContaining(refused) as Error,
      );
  });
});

describe('dodo', () => {
  const settings = {
    apiKey: 'key',
    apiUrl: 'https://test.dodopayments.com',
    webhookSecrets: [SECRET],
    products: PACKAGES,
  };
  const dodo = makeDodo(settings, CLOCK);
  const read = (message: unknown) => {
    const body = JSON.stringify(message);
    return dodo.readWebhook(Buffer.from(body), signStandard(body, new Date()));
  };

  const payment = { payment_id: 'pay_1', metadata: { purchaseId: 'pur_1' }, total_amount: 1500, currency: 'usd' };
  const paid = {
    kind: 'paid',
    purchaseId: 'pur_1',
    paymentId: 'pay_1',
    amountCents: 1500,
    currency: 'USD',
    taxCents: 0,
    mayAddTax: true,
    products: null,
    receiptUrl: null,
  } as const;
  const both = { paymentId: 'pay_1', purchaseId: 'pur_1' };
  const refund = { refund_id: 'ref_1', payment_id: 'pay_1', metadata: { purchaseId: 'pur_1' } };
  const dispute = { dispute_id: 'dis_1', payment_id: 'pay_1', metadata: { purchaseId: 'pur_1' } };
  const cases: Case[] = [
    ['a payment', 'payment.succeeded', { ...payment, product_cart: null }, paid],
    [
      'a payment with its tax, products and receipt',
      'payment.succeeded',
      {
        ...payment,
        tax: 240,
        product_cart: [{ product_id: 'pdt_basic', quantity: 2 }, {}],
        invoice_url: 'https://a.test/1',
      },
      {
        ...paid,
        taxCents: 240,
        products: [
          { product: 'pdt_basic', quantity: 2 },
          { product: '', quantity: 0 },
        ],
        receiptUrl: 'https://a.test/1',
      },
    ],
    [
      'a receipt without a web address',
      'payment.succeeded',
      { ...payment, product_cart: null, invoice_url: 'javascript:1' },
      paid,
    ],
    ['unreadable products', 'payment.succeeded', { ...payment, product_cart: 7 }, { ...paid, products: [] }],
    ['a payment of no purchase', 'payment.succeeded', { ...payment, metadata: {} }, null],
    ['a malformed payment', 'payment.succeeded', 'paid', null],
    ['a failure', 'payment.failed', payment, { kind: 'failed', purchaseId: 'pur_1' }],
    ['a cancellation', 'payment.cancelled', payment, { kind: 'canceled', purchaseId: 'pur_1' }],
    ['money on its way', 'payment.processing', payment, { kind: 'started', purchaseId: 'pur_1', paymentId: 'pay_1' }],
    ['a whole refund', 'refund.succeeded', refund, takenBack('ref_1', null, both)],
    [
      'a refund of a part',
      'refund.succeeded',
      { ...refund, is_partial: true, amount: 500 },
      takenBack('ref_1', 500, both),
    ],
    [
      'a partial refund of unknown amount',
      'refund.succeeded',
      { ...refund, is_partial: true },
      takenBack('ref_1', 0, both),
    ],
    ['a refund without an id', 'refund.succeeded', {}, takenBack('refund', null)],
    ['a malformed refund', 'refund.succeeded', 'given back', null],
    ['a lost dispute', 'dispute.lost', dispute, takenBack('dis_1', null, both)],
    [
      'a dispute that we accepted',
      'dispute.accepted',
      { payment_id: 'pay_1' },
      takenBack('dispute', null, { paymentId: 'pay_1' }),
    ],
    ['a malformed dispute', 'dispute.lost', null, null],
    ['a dispute that was won', 'dispute.won', dispute, null],
    ['a dispute that expired', 'dispute.expired', dispute, { kind: 'in_doubt', ...both }],
    ['a malformed expiry', 'dispute.expired', 7, null],
    ['a refund that failed before it took anything', 'refund.failed', refund, null],
    ['something else', 'customer.created', payment, null],
  ];
  it.each(cases)('reads %s', (_, type, data, effect) => {
    expect(read({ type, data })).toEqual({ eventId: 'msg_1', type, effect });
  });

  it('reads no effect of a malformed message', () => {
    expect(read('nothing')).toEqual({ eventId: 'msg_1', type: '', effect: null });
  });

  it('rejects an unsigned message, and a signed one that is not JSON', () => {
    const refused = expect.objectContaining({ code: 'webhook_signature_invalid' }) as Error;
    expect(() => dodo.readWebhook(Buffer.from('{}'), {})).toThrow(refused);
    expect(() => dodo.readWebhook(Buffer.from('no'), signStandard('no', new Date()))).toThrow(refused);
  });

  it('throws for a malformed secret instead of rejecting every message', () => {
    const body = '{}';
    const broken = makeDodo({ ...settings, webhookSecrets: [''] }, CLOCK);
    expect(() => broken.readWebhook(Buffer.from(body), signStandard(body, new Date()))).toThrow(/secret/i);
  });
});

describe('the sandbox', () => {
  const sandbox = makeSandbox(SECRET);
  const order = { purchaseId: 'pur_1', paymentId: 'pay_1', amount: 500, currency: 'USD' };
  const cases: Case[] = [
    ['a failure', 'payment.failed', order, { kind: 'failed', purchaseId: 'pur_1' }],
    ['a cancellation', 'payment.cancelled', order, { kind: 'canceled', purchaseId: 'pur_1' }],
    ['a refund of a part', 'refund.succeeded', order, takenBack('refund.succeeded', 500, { purchaseId: 'pur_1' })],
    [
      'a refund without a sum',
      'refund.succeeded',
      { purchaseId: 'pur_1' },
      takenBack('refund.succeeded', null, { purchaseId: 'pur_1' }),
    ],
    ['a lost dispute', 'dispute.lost', order, takenBack('dispute.lost', 500, { purchaseId: 'pur_1' })],
    ['something else', 'customer.created', order, null],
    ['a message without a purchase', 'payment.failed', {}, null],
  ];
  it.each(cases)('reads %s', (_, type, data, effect) => {
    const body = JSON.stringify({ type, data });
    expect(sandbox.readWebhook(Buffer.from(body), signStandard(body, new Date())).effect).toEqual(effect);
  });

  it('has no outcome to look up, because decisions arrive at once', async () => {
    expect(await sandbox.findOutcome({ purchaseId: 'pur_1', checkoutId: 'cs_1' })).toBeNull();
    expect(await sandbox.findPurchaseId('pay_1')).toBeUndefined();
    expect(await sandbox.findReceiptUrl('pay_1')).toBeNull();
  });
});
