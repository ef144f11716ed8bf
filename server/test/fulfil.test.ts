import type { PurchaseStatus } from '@plinth/contract/payments';
import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { anonymiseAccount, makeAccount } from '../src/auth/accounts.ts';
import { adjustCredits, listLedger, readCredits } from '../src/credits/ledger.ts';
import { type FulfilOptions, fulfilPurchase, logReview } from '../src/payments/fulfil.ts';
import type { PaymentEffect, Processor } from '../src/payments/processor.ts';
import { getReceipt } from '../src/payments/receipts.ts';
import { reconcilePurchases } from '../src/payments/reconcile.ts';
import { approvePurchase, rejectPurchase } from '../src/payments/review.ts';
import { makeSandbox } from '../src/payments/sandbox.ts';
import { makeStripe } from '../src/payments/stripe.ts';
import { systemClock } from '../src/platform/clock.ts';
import { transaction } from '../src/platform/data/db.ts';
import { newId } from '../src/platform/ids.ts';
import { createLog } from '../src/platform/log.ts';
import { paymentOf, startStripe } from './companies.ts';
import { makeDatabase } from './database.ts';

/** The effect of a payment company's message after it is parsed, called directly. */

const NOW = new Date('2027-03-04T05:06:07.000Z');
const sandbox = makeSandbox('whsec_of-nobody');
const stripeAt = (apiUrl: string) =>
  makeStripe({ secretKey: 'sk_test_of-the-test', apiUrl, webhookSecrets: ['whsec_a'], prices: {} }, systemClock);
/** A company that is unreachable: every request to it throws. */
const unreachable = stripeAt('http://127.0.0.1:9');

let database: Awaited<ReturnType<typeof makeDatabase>>;
let options: FulfilOptions;
beforeAll(async () => {
  database = await makeDatabase();
  const seller = { name: 'Plinth', address: null, taxId: null, email: null };
  options = { db: database.db, clock: { now: () => NOW }, seller };
});
afterAll(() => database.drop());

let userId: string;
let purchaseId: string;
let paymentId: string;
beforeEach(async () => {
  const email = `${newId('usr')}@example.com`;
  const account = { email, passwordHash: null, emailVerified: false, welcomeCredits: 0 };
  userId = await transaction(database.db, (tx) => makeAccount(tx, systemClock, account));
  purchaseId = await makePurchase('sandbox');
  paymentId = paymentOf(purchaseId);
});

async function makePurchase(processor: Processor['name']): Promise<string> {
  const id = newId('pur');
  await sql`insert into purchases (id, user_id, package, credits, price_cents, currency, processor, created_at)
    values (${id}, ${userId}, 'standard', 20, 1500, 'USD', ${processor}, ${NOW})`.execute(database.db);
  return id;
}

type Paid = Extract<PaymentEffect, { kind: 'paid' }>;
const paid = (more: Partial<Paid> = {}): Paid => ({
  kind: 'paid',
  purchaseId,
  paymentId,
  amountCents: 1500,
  currency: 'USD',
  taxCents: 240,
  mayAddTax: false,
  products: null,
  receiptUrl: null,
  ...more,
});
const takenBack = (cents: number | null, more: { paymentId?: string; purchaseId?: string } = { purchaseId }) =>
  ({ kind: 'taken_back', reversalId: 're_1', cents, ...more }) as const;

let messages = 0;
function deliver(effect: PaymentEffect | null, eventId = `evt_${(messages += 1)}`, processor = sandbox) {
  return fulfilPurchase(options, processor, { eventId, type: 'told', effect });
}

/** The state of the purchase, its owner's credits and its receipt. */
async function readState() {
  const { rows } = await sql<{
    status: PurchaseStatus;
    completedAt: Date | null;
    paymentId: string | null;
    reason: string | null;
    receipt: string | null;
  }>`
    select status, completed_at as "completedAt", payment_id as "paymentId", review_reason as reason,
      (select number from receipts where purchase_id = p.id) as receipt
    from purchases p where id = ${purchaseId}`.execute(database.db);
  return { ...rows[0], credits: await readCredits(database.db, userId) };
}

async function readOutcomes(eventId: string) {
  const { rows } = await sql`
    select sender, type, purchase_id as "purchaseId", payment_id as "paymentId", outcome
    from webhook_events where event_id = ${eventId}`.execute(database.db);
  return rows;
}

const entries = async () =>
  (await listLedger(database.db, userId, { limit: 100, after: null })).items
    .map(({ reason, delta }) => [reason, delta])
    .toReversed();

/** The events about the purchase on the owner's streams. */
async function listStatuses(): Promise<unknown[]> {
  const { rows } = await sql<{ body: unknown }>`
    select body from user_events where user_id = ${userId} and name = 'purchase' order by seq`.execute(database.db);
  return rows.map(({ body }) => body);
}

describe('a payment', () => {
  it('makes its purchase paid, gives its credits, and has a receipt', async () => {
    expect(await deliver(paid(), 'evt_paid')).toBe('processed');
    expect(await readState()).toEqual({
      status: 'paid',
      completedAt: NOW,
      paymentId,
      reason: null,
      receipt: expect.stringMatching(/^TEST-\d{6}$/) as string,
      credits: 20,
    });
    expect(await entries()).toEqual([['purchase', 20]]);
    expect(await listStatuses()).toEqual([{ id: purchaseId, status: 'paid' }]);
    const known = { sender: 'sandbox', type: 'told', purchaseId, paymentId, outcome: 'processed' };
    expect(await readOutcomes('evt_paid')).toEqual([known]);
  });

  it('has the millionth receipt, too', async () => {
    const count = async (last: number) => {
      const set = sql`update receipt_series set last = ${last} where series = 'TEST'`;
      await set.execute(database.db);
    };
    await count(999_999);
    expect(await deliver(paid(), 'evt_millionth')).toBe('processed');
    expect(await readState()).toMatchObject({ receipt: 'TEST-1000000' });
    await count(1000);
  });

  it('told again changes nothing: by the same message, by another, or at once', async () => {
    const outcomes = await Promise.all([deliver(paid(), 'evt_same'), deliver(paid(), 'evt_same'), deliver(paid())]);
    expect(outcomes.toSorted()).toEqual(['processed', 'repeated', 'repeated']);
    expect(await deliver(paid(), 'evt_same')).toBe('repeated');
    expect(await entries()).toEqual([['purchase', 20]]);
    expect(await listStatuses()).toHaveLength(1);
  });

  it('whose message was known as something else changes nothing', async () => {
    expect(await deliver(null, 'evt_known')).toBe('ignored');
    expect(await deliver(paid(), 'evt_known')).toBe('repeated');
    expect(await readState()).toMatchObject({ status: 'pending', credits: 0 });
    expect(await readOutcomes('evt_known')).toEqual([
      { sender: 'sandbox', type: 'told', purchaseId: null, paymentId: null, outcome: 'ignored' },
    ]);
  });

  it('of another sum is looked at, and gives nothing', async () => {
    expect(await deliver(paid({ amountCents: 1499 }))).toBe('review');
    const reason = 'paid 1499 cents, the price is 1500';
    expect(await readState()).toMatchObject({ status: 'review', paymentId, reason, credits: 0, receipt: null });
    expect(await listStatuses()).toEqual([{ id: purchaseId, status: 'review' }]);
  });

  it('for an account that was deleted meanwhile is looked at: its money has to be given back', async () => {
    await transaction(database.db, (tx) => anonymiseAccount(tx, systemClock, userId));
    expect(await deliver(paid())).toBe('review');
    const reason = 'the account is deleted: give the money back at the payment company, then reject';
    expect(await readState()).toMatchObject({ status: 'review', paymentId, reason, receipt: null });
    expect(await entries()).toEqual([]);
    expect(await rejectPurchase(options, purchaseId)).toBe('rejected');
  });

  it('that comes second for one order gives nothing more', async () => {
    await deliver(paid());
    expect(await deliver(paid({ paymentId: `${paymentId}_B` }))).toBe('paid_twice');
    expect(await readState()).toMatchObject({ status: 'paid', paymentId, credits: 20 });
  });

  it('of a purchase of another company, or of none, is remembered and nothing else', async () => {
    purchaseId = await makePurchase('stripe');
    expect(await deliver(paid(), 'evt_stripes')).toBe('unknown_purchase');
    expect(await deliver(paid({ purchaseId: 'pur_nothing' }))).toBe('unknown_purchase');
    expect(await readState()).toMatchObject({ status: 'pending', credits: 0 });
    expect(await readOutcomes('evt_stripes')).toMatchObject([{ purchaseId: null, outcome: 'unknown_purchase' }]);
  });

  it('that gets no receipt gives nothing, and is not remembered', async () => {
    await sql`update receipt_series set series = 'GONE' where series = 'TEST'`.execute(database.db);
    await expect(deliver(paid(), 'evt_no_receipt')).rejects.toThrow('a paid purchase got no receipt');
    await sql`update receipt_series set series = 'TEST' where series = 'GONE'`.execute(database.db);
    expect(await readOutcomes('evt_no_receipt')).toEqual([]);
    expect(await readState()).toMatchObject({ status: 'pending', credits: 0 });
    expect(await deliver(paid(), 'evt_no_receipt')).toBe('processed');
  });
});

describe('a purchase that is not paid yet', () => {
  it('knows the payment that is on its way', async () => {
    expect(await deliver({ kind: 'started', purchaseId, paymentId })).toBe('processed');
    expect(await readState()).toMatchObject({ status: 'pending', completedAt: null, paymentId, credits: 0 });
  });

  it.each(['failed', 'canceled', 'expired'] as const)(
    'ends %s, and is paid where money comes after all',
    async (kind) => {
      expect(await deliver({ kind, purchaseId }, `evt_${kind}`)).toBe('processed');
      expect(await readState()).toMatchObject({ status: kind, completedAt: NOW, credits: 0 });
      expect(await readOutcomes(`evt_${kind}`)).toMatchObject([{ purchaseId, paymentId: null }]);
      expect(await deliver({ kind: 'expired', purchaseId })).toBe('repeated');
      expect(await deliver(paid())).toBe('processed');
      expect(await deliver({ kind, purchaseId })).toBe('repeated');
      expect(await readState()).toMatchObject({ status: 'paid', credits: 20 });
    },
  );
});

describe('money that is taken back', () => {
  it('takes its share of the credits, and no more than are left', async () => {
    await deliver(paid());
    expect(await deliver(takenBack(500), 'evt_back')).toBe('processed');
    expect(await readState()).toMatchObject({ status: 'paid', credits: 14 });
    expect(await readOutcomes('evt_back')).toMatchObject([{ purchaseId, paymentId: null, outcome: 'processed' }]);
    await transaction(database.db, (tx) => adjustCredits(tx, { userId, credits: -10, note: 'spent' }));
    await deliver(takenBack(null));
    expect(await readState()).toMatchObject({ status: 'paid', credits: 0 });
    expect((await entries()).slice(-1)).toEqual([['reversal', -4]]);
  });

  it.each([null, 2000])('stands on the receipt up to the price where nobody could read the sum: %j', async (cents) => {
    await deliver(paid({ amountCents: -1 }));
    await approvePurchase(options, purchaseId);
    await deliver(takenBack(cents));
    const { grossCents, takenBackCents } = await getReceipt(database.db, [], userId, purchaseId);
    expect([grossCents, takenBackCents]).toEqual([1500, 1500]);
  });

  it('before the payment is heard of is taken with it', async () => {
    expect(await deliver(takenBack(500))).toBe('processed');
    expect(await readState()).toMatchObject({ status: 'pending', credits: 0 });
    await deliver(paid());
    expect(await entries()).toEqual([
      ['purchase', 20],
      ['reversal', -6],
    ]);
  });

  it('of another payment takes nothing', async () => {
    await deliver(paid());
    expect(await deliver(takenBack(null, { purchaseId, paymentId: `${paymentId}_B` }))).toBe('other_payment');
    expect(await readState()).toMatchObject({ credits: 20 });
    expect((await sql`select from purchase_reversals where purchase_id = ${purchaseId}`.execute(database.db)).rows)
      // The list for operators shows it.
      .toHaveLength(1);
  });

  it('of a payment that we know is that purchase’s, and of its own company alone', async () => {
    await deliver(paid());
    await expect(deliver(takenBack(null, { paymentId }), undefined, unreachable)).rejects.toThrow();
    expect(await deliver(takenBack(null, { paymentId }))).toBe('processed');
    expect(await readState()).toMatchObject({ credits: 0 });
  });

  it.each([undefined, ''])('of a payment that is named %j is nobody’s, and nobody is asked', async (unnamed) => {
    await deliver(paid({ paymentId: '' }));
    const more = unnamed === undefined ? {} : { paymentId: unnamed };
    for (const processor of [sandbox, unreachable])
      expect(await deliver(takenBack(null, more), undefined, processor)).toBe('unknown_purchase');
    expect(await readState()).toMatchObject({ credits: 20 });
  });

  it('of a payment that we do not know is asked about at its company', async () => {
    const company = await startStripe();
    try {
      const stripe = stripeAt(company.settings().STRIPE_API_URL ?? '');
      purchaseId = await makePurchase('stripe');
      company.sessions.push({ id: 'cs_1', purchaseId, returnUrl: '', parameters: {} });
      const effect = takenBack(500, { paymentId: paymentOf(purchaseId) });
      expect(await deliver(effect, undefined, stripe)).toBe('processed');
      expect(company.questions).toBe(1);
      await deliver(paid({ paymentId: paymentOf(purchaseId) }), undefined, stripe);
      expect(await readState()).toMatchObject({ status: 'paid', credits: 14 });
      // Now it is known; a message that names the purchase itself never needed it.
      await deliver(takenBack(600, { paymentId: paymentOf(purchaseId) }), undefined, stripe);
      await deliver(takenBack(700), undefined, stripe);
      expect(company.questions).toBe(1);
    } finally {
      company.close();
    }
  });
});

describe('an operator decides', () => {
  it('for it: it is paid like any other, once', async () => {
    await deliver(paid({ amountCents: 1499 }));
    expect(await approvePurchase(options, purchaseId)).toBe('approved');
    expect(await readState()).toMatchObject({ status: 'paid', completedAt: NOW, credits: 20 });
    expect(await approvePurchase(options, purchaseId)).toBe('not_in_review');
    expect(await entries()).toEqual([['purchase', 20]]);
  });

  it('against it: it has failed and gives nothing, once', async () => {
    await deliver(paid({ amountCents: 1499 }));
    expect(await rejectPurchase(options, purchaseId)).toBe('rejected');
    expect(await readState()).toMatchObject({ status: 'failed', credits: 0, receipt: null });
    expect(await rejectPurchase(options, purchaseId)).toBe('not_in_review');
  });

  it('against a sum that cannot be read: asking the company does not open the decision again', async () => {
    const unreadable = paid({ amountCents: -1 });
    await sql`
      update purchases set checkout_id = 'cs_unreadable', created_at = created_at - interval '1 hour'
      where id = ${purchaseId}`.execute(database.db);
    await deliver(unreadable);
    expect(await rejectPurchase(options, purchaseId)).toBe('rejected');
    const asked = { ...sandbox, findOutcome: async () => unreadable };
    expect(await reconcilePurchases({ ...options, log: createLog('silent') }, [asked])).toEqual([]);
    expect(await readState()).toMatchObject({ status: 'failed', credits: 0 });
  });

  it('about nothing that does not wait for it, or is not there', async () => {
    for (const id of [purchaseId, 'pur_nothing'])
      for (const decide of [approvePurchase, rejectPurchase]) expect(await decide(options, id)).toBe('not_in_review');
    expect(await readState()).toMatchObject({ status: 'pending', credits: 0 });
  });
});

describe('the operator', () => {
  it.each(['review', 'paid_twice', 'other_payment', 'in_doubt'] as const)('is told of %s', (outcome) => {
    const lines: string[] = [];
    const log = createLog('error', 'all', { write: (line: string) => void lines.push(line) });
    expect(logReview(log, { sender: 'stripe', outcome })).toBe(true);
    expect(lines.map((line) => JSON.parse(line) as unknown)).toMatchObject([
      { event: 'purchase_in_review', sender: 'stripe', outcome, msg: 'a payment has to be looked at' },
    ]);
  });

  it.each(['processed', 'repeated', 'ignored', 'unknown_purchase'] as const)('is not told of %s', (outcome) => {
    const lines: string[] = [];
    const log = createLog('error', 'all', { write: (line: string) => void lines.push(line) });
    expect(logReview(log, { sender: 'stripe', outcome })).toBe(false);
    expect(lines).toEqual([]);
  });
});
