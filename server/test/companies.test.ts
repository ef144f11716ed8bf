import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Purchase } from '@plinth/contract/payments';
import { sql } from 'kysely';
import { auditLedger } from '../src/credits/audit.ts';
import { listReviews, rejectPurchase } from '../src/payments/review.ts';
import { makeStripe } from '../src/payments/stripe.ts';
import { systemClock } from '../src/platform/clock.ts';
import { runAdmin } from './admin.ts';
import { startTestApp, type TestApp } from './app.ts';
import {
  type Company,
  deliver,
  hesitations,
  type Message,
  paymentOf,
  type Signing,
  startDodo,
  startStripe,
} from './companies.ts';
import { makeGeneration, makePurchase, makeUser, postJson, type TestUser, waitUntil } from './makers.ts';

const matches = (line: object, wanted: object) => JSON.stringify({ ...line, ...wanted }) === JSON.stringify(line);

describe.each([
  ['stripe', startStripe],
  ['dodo', startDodo],
])('with %s', (_name, start) => {
  let app: TestApp;
  let company: Company;
  let hesitant: Promise<unknown[]>[];
  beforeAll(async () => {
    company = await start();
    app = await startTestApp({ ...company.settings(), SWEEP_INTERVAL_SECONDS: '1', SELLER_NAME: 'Łódź & Söhne' });
    // Their waits run in parallel to the other tests.
    hesitant = hesitations.map(async (hesitation) => {
      const user = await makeUser(app, { email: `${hesitation}@example.com` });
      const begun = performance.now();
      const { status } = await order(user);
      return [hesitation, status, performance.now() - begun < 20_000];
    });
  });
  afterAll(async () => {
    await Promise.allSettled(hesitant);
    await app.close();
    company.close();
  });
  beforeEach(() => {
    company.mood = 'well';
  });

  const tell = async (content: Message, signing?: Signing) => {
    const answer = await deliver(app, company, content, signing);
    expect([answer.status, await answer.json()]).toEqual([200, { received: true }]);
  };
  const read = (user: TestUser, { id }: Purchase) => user.get<Purchase>(`/api/v1/purchases/${id}`);
  const buy = async (credits = 0) => {
    const user = await makeUser(app, { credits });
    return { user, purchase: await makePurchase(user) };
  };
  const reversals = async (user: TestUser) =>
    (await user.ledger()).filter(({ reason }) => reason === 'reversal').map(({ delta }) => delta);
  const order = (user: TestUser, key: string = randomUUID()) =>
    postJson(`${app.url}/api/v1/purchases`, { package: 'standard' }, { cookie: user.cookie, 'idempotency-key': key });

  describe('a checkout', () => {
    it('carries our id, one package at its price and the way back', async () => {
      const { user, purchase } = await buy();
      expect(purchase).toMatchObject({
        status: 'pending',
        checkoutUrl: expect.stringMatching(/^https:\/\/checkout\./),
      });
      const session = company.sessions.find(({ purchaseId }) => purchaseId === purchase.id);
      expect(session?.returnUrl).toBe(`${app.url}/dashboard/credits?success=true`);
      expect(session?.parameters).toMatchObject(
        company.name === 'stripe'
          ? {
              mode: 'payment',
              client_reference_id: 'standard',
              'payment_intent_data[metadata][purchaseId]': purchase.id,
              'line_items[0][quantity]': '1',
              'line_items[0][price_data][currency]': 'usd',
              'line_items[0][price_data][unit_amount]': '1500',
              customer_email: user.email,
              'adaptive_pricing[enabled]': 'false',
              cancel_url: `${app.url}/dashboard/credits?success=false`,
              key: purchase.id,
            }
          : {
              product_cart: [{ product_id: 'pdt_standard', quantity: 1 }],
              customer: { email: user.email },
              billing_currency: 'USD',
              cancel_url: `${app.url}/dashboard/credits?success=false`,
              feature_flags: { allow_discount_code: false, allow_currency_selection: false },
            },
      );
    });

    it.each(['down', 'garbled', 'no address'] as const)('is refused with 503 and nothing pending: %s', async (mood) => {
      const user = await makeUser(app);
      company.mood = mood;
      const key = randomUUID();
      const refused = await order(user, key);
      expect([refused.status, refused.headers.get('retry-after')]).toEqual([503, '10']);
      expect(await refused.text()).not.toContain('db7');
      const { items } = await user.get<{ items: Purchase[] }>('/api/v1/purchases');
      expect(items.map(({ status }) => status)).toEqual(['failed']);
      company.mood = 'well';
      expect((await order(user, key)).status).toBe(201);
    });

    it('opens without the e-mail address where the company refuses that, and is paid like any other', async () => {
      const user = await makeUser(app, { email: `odd+${randomUUID()}@localhost` });
      company.mood = 'refuses the e-mail';
      const answer = await order(user);
      expect(answer.status).toBe(201);
      const purchase = (await answer.json()) as Purchase;
      const asked = company.sessions
        .filter(({ purchaseId }) => purchaseId === purchase.id)
        .map((one) => one.parameters);
      expect(asked.map((one) => 'customer_email' in one || 'customer' in one)).toEqual([true, false]);
      if (company.name === 'stripe') expect(new Set(asked.map(({ key }) => key)).size).toBe(2);
      company.mood = 'well';
      await tell({ kind: 'paid', purchaseId: purchase.id });
      expect(await user.credits()).toBe(20);
    });

    it('is refused where the company refuses something else, without trying for ever', async () => {
      const user = await makeUser(app);
      company.mood = 'refuses the price';
      const before = company.sessions.length;
      expect((await order(user)).status).toBe(503);
      expect(company.sessions.length - before).toBeLessThanOrEqual(2);
      const { items } = await user.get<{ items: Purchase[] }>('/api/v1/purchases');
      expect(items.map(({ status }) => status)).toEqual(['failed']);
    });

    it('opens once for many requests with one key', async () => {
      const user = await makeUser(app);
      const key = randomUUID();
      const answers = await Promise.all(Array.from({ length: 6 }, () => order(user, key)));
      const made = answers.filter(({ status }) => status === 201);
      const bodies = await Promise.all(made.map(async (one) => (await one.json()) as Purchase));
      expect(new Set(bodies.map(({ id }) => id)).size).toBe(1);
      expect(company.sessions.filter(({ purchaseId }) => purchaseId === bodies[0]?.id)).toHaveLength(1);
    });
  });

  describe('a message', () => {
    it('pays once however often and in whatever company it comes', async () => {
      const { user, purchase } = await buy();
      const id = `evt_${randomUUID()}`;
      const many = Array.from({ length: 6 }, (_, at) =>
        tell({ kind: 'paid', purchaseId: purchase.id }, at % 2 === 0 ? { id } : {}),
      );
      await Promise.all(many);
      await tell({ kind: 'unknown', purchaseId: purchase.id });
      expect(await read(user, purchase)).toMatchObject({ status: 'paid' });
      expect((await user.ledger()).map(({ delta, reason }) => [delta, reason])).toEqual([[20, 'purchase']]);
    });

    it.each([
      ['too little', { cents: 1499 }],
      ['another currency', { currency: 'EUR' }],
      ['another product', { product: 'pdt_basic' }],
    ])('with %s makes a person look', async (_what, wrong) => {
      const { user, purchase } = await buy();
      await tell({ kind: 'paid', purchaseId: purchase.id, ...wrong });
      expect(await read(user, purchase)).toMatchObject({ status: 'review', receipt: null });
      expect(await user.credits()).toBe(0);
    });

    it('that comes after the end, or before the money, changes nothing that is final', async () => {
      const { user, purchase } = await buy();
      await tell({ kind: 'unpaid', purchaseId: purchase.id });
      expect((await read(user, purchase)).status).toBe('pending');
      await tell({ kind: 'gone', purchaseId: purchase.id });
      expect((await read(user, purchase)).status).toMatch(/expired|canceled/);
      await tell({ kind: 'paid later', purchaseId: purchase.id });
      await tell({ kind: 'failed', purchaseId: purchase.id });
      expect((await read(user, purchase)).status).toBe('paid');
      expect(await user.credits()).toBe(20);
    });

    it('of a failed payment ends the purchase', async () => {
      const { user, purchase } = await buy();
      await tell({ kind: 'failed', purchaseId: purchase.id });
      expect((await read(user, purchase)).status).toBe('failed');
    });

    it('is refused without a fresh signature by one of our secrets, both of which count', async () => {
      const { user, purchase } = await buy();
      const paid: Message = { kind: 'paid', purchaseId: purchase.id };
      const foreign = `whsec_${Buffer.from('somebody else altogether').toString('base64')}`;
      const stale = [-310, 310].map((seconds) => ({ at: new Date(Date.now() + seconds * 1000) }));
      for (const signing of [...stale, { secret: foreign }]) {
        const answer = await deliver(app, company, paid, signing);
        expect([answer.status, await answer.json()]).toMatchObject([400, { code: 'webhook_signature_invalid' }]);
      }
      const { headers, body } = company.message(paid);
      const url = `${app.url}/webhooks/${company.name}`;
      const changed = await fetch(url, { method: 'POST', headers, body: body.replace('1500', '1501') });
      expect(changed.status).toBe(400);
      expect((await fetch(url, { method: 'POST', body })).status).toBe(400);
      expect((await read(user, purchase)).status).toBe('pending');
      const oldSecret = company.settings()[`${company.name.toUpperCase()}_WEBHOOK_SECRET`]?.split(',')[0] ?? '';
      await tell(paid, { secret: oldSecret, at: new Date(Date.now() - 290_000) });
      expect((await read(user, purchase)).status).toBe('paid');
    });

    it('about somebody unknown, or of the sandbox, is nobody’s business', async () => {
      await tell({ kind: 'paid', purchaseId: 'pur_nobody' });
      await tell({ kind: 'refund', purchaseId: 'pur_nobody', paymentId: 'pay_nobody' });
      expect((await fetch(`${app.url}/webhooks/sandbox`, { method: 'POST', body: '{}' })).status).toBe(404);
      expect((await fetch(`${app.url}/sandbox/checkout/x`)).status).toBe(404);
    });
  });

  describe('money taken back', () => {
    it('takes credits in proportion, each refund once', async () => {
      const { user, purchase } = await buy();
      await tell({ kind: 'paid', purchaseId: purchase.id });
      const part = { kind: 'refund', purchaseId: purchase.id, refunded: 500 } as const;
      await Promise.all([tell(part), tell(part)]);
      expect(await reversals(user)).toEqual([-6]);
      // Stripe reports the cumulated sum, Dodo each refund.
      const rest = company.name === 'stripe' ? { refunded: 1500 } : { refunded: 1000 };
      await tell({ kind: 'refund', purchaseId: purchase.id, ...rest });
      await tell({ kind: 'lost', purchaseId: purchase.id });
      expect(await user.credits()).toBe(0);
      expect(await reversals(user)).toEqual([-14, -6]);
    });

    it('takes what is left, never below zero, and nothing of what is bought later', async () => {
      const { user, purchase } = await buy();
      await tell({ kind: 'paid', purchaseId: purchase.id });
      for (let spent = 0; spent < 12; spent += 1) await makeGeneration(user);
      await tell({ kind: 'refund', purchaseId: purchase.id, refunded: 1125 });
      expect(await reversals(user)).toEqual([-8]);
      const later = await makePurchase(user);
      await tell({ kind: 'paid', purchaseId: later.id });
      await tell({ kind: 'lost', purchaseId: purchase.id });
      expect(await reversals(user)).toEqual([-8]);
      expect(await user.credits()).toBe(20);
      for (let spent = 0; spent < 3; spent += 1) await makeGeneration(user);
      await tell({ kind: 'lost', purchaseId: later.id });
      expect(await reversals(user)).toEqual([-17, -8]);
      expect(await user.credits()).toBe(0);
    });

    it('takes nothing of an older purchase, whose credits are spent first', async () => {
      const { user, purchase } = await buy();
      await tell({ kind: 'paid', purchaseId: purchase.id });
      const later = await makePurchase(user);
      await tell({ kind: 'paid', purchaseId: later.id });
      for (let spent = 0; spent < 4; spent += 1) await makeGeneration(user);
      await tell({ kind: 'lost', purchaseId: later.id });
      expect(await user.credits()).toBe(16);
      await tell({ kind: 'lost', purchaseId: purchase.id });
      expect(await reversals(user)).toEqual([-16, -20]);
      expect(await user.credits()).toBe(0);
    });

    it('is known when it comes before the money', async () => {
      const { user, purchase } = await buy(1);
      await tell({ kind: 'refund', purchaseId: purchase.id, refunded: 750 });
      await tell({ kind: 'won', purchaseId: purchase.id });
      await tell({ kind: 'paid', purchaseId: purchase.id });
      expect(await user.credits()).toBe(11);
      expect(await auditLedger(app.db)).toEqual([]);
    });

    it('is heard again later when the company cannot say whose it is', async () => {
      const { user, purchase } = await buy();
      company.mood = 'down';
      const signing = { id: `evt_${randomUUID()}` };
      const refund: Message = { kind: 'refund', purchaseId: purchase.id };
      expect((await deliver(app, company, refund, signing)).status).toBe(503);
      company.mood = 'well';
      await tell(refund, signing);
      await tell({ kind: 'paid', purchaseId: purchase.id });
      expect(await user.credits()).toBe(0);
    });
  });

  describe('a lost message', () => {
    const age = (purchase: Purchase) =>
      sql`update purchases set created_at = created_at - interval '16 minutes' where id = ${purchase.id}`.execute(
        app.db,
      );

    it.each([
      ['paid', 'paid', 20],
      ['expired', 'expired', 0],
    ] as const)('is made up for by asking: %s', async (status, expected, credits) => {
      const { user, purchase } = await buy();
      company.outcomes.set(purchase.id, { status });
      await age(purchase);
      await waitUntil(
        () => read(user, purchase),
        (one) => one.status === expected,
      );
      expect(await user.credits()).toBe(credits);
      await tell({ kind: 'paid', purchaseId: purchase.id });
      expect(await user.credits()).toBe(20);
    });

    it('is made up for when the card was refused first, and not when a person has rejected the payment', async () => {
      const [again, rejected] = [await buy(), await buy()];
      await tell({ kind: 'failed', purchaseId: again.purchase.id });
      await tell({ kind: 'paid', purchaseId: rejected.purchase.id, currency: 'EUR' });
      const options = {
        db: app.db,
        clock: systemClock,
        seller: { name: null, address: null, taxId: null, email: null },
      };
      expect(await rejectPurchase(options, rejected.purchase.id)).toBe('rejected');
      expect((await read(again.user, again.purchase)).status).toBe('failed');
      for (const { purchase } of [rejected, again]) {
        company.outcomes.set(purchase.id, { status: 'paid' });
        await age(purchase);
      }
      await waitUntil(
        () => read(again.user, again.purchase),
        (one) => one.status === 'paid',
      );
      expect(await again.user.credits()).toBe(20);
      expect((await read(rejected.user, rejected.purchase)).status).toBe('failed');
    });

    it('of a payment that does not fit is told to the operator as its webhook would be', async () => {
      const { user, purchase } = await buy();
      company.outcomes.set(purchase.id, { status: 'paid', cents: 900 });
      app.logged.length = 0;
      await age(purchase);
      await waitUntil(
        () => read(user, purchase),
        (one) => one.status === 'review',
      );
      expect(await user.credits()).toBe(0);
      const expectedLine = {
        event: 'purchase_in_review',
        level: 50,
        sender: company.name,
        msg: 'a payment has to be looked at',
      };
      await waitUntil(
        async () => app.logged.map((line) => JSON.parse(line) as object),
        (lines) => lines.some((line) => matches(line, expectedLine)),
      );
    });

    it(
      'that still says nothing leaves the purchase open, and a silent company does no harm',
      { tags: ['slow'] },
      async () => {
        const { user, purchase } = await buy();
        company.mood = 'garbled';
        const asked = company.questions;
        await age(purchase);
        await waitUntil(
          async () => company.questions,
          (now) => now > asked,
        );
        company.mood = 'well';
        await sql`update purchases set asked_at = null where id = ${purchase.id}`.execute(app.db);
        await waitUntil(
          async () => company.questions,
          (now) => now > asked + 1,
        );
        expect((await read(user, purchase)).status).toBe('pending');
      },
    );
  });

  it('lets an operator approve, reject and settle what needs a look', { tags: ['slow'] }, async () => {
    const run = async (...words: string[]) => {
      const { code, out } = await runAdmin(app, [...words, '--json']);
      return { code, said: JSON.parse(out) as { items: { id: string; reason: string }[]; decision: string } };
    };
    const [good, bad, twice] = [await buy(), await buy(), await buy()];
    await tell({ kind: 'paid', purchaseId: good.purchase.id, cents: 1400 });
    await tell({ kind: 'paid', purchaseId: bad.purchase.id, currency: 'EUR' });
    await tell({ kind: 'paid', purchaseId: twice.purchase.id });
    await sql`update purchases set payment_id = 'pay_first' where id = ${twice.purchase.id}`.execute(app.db);
    await tell({ kind: 'paid', purchaseId: twice.purchase.id });
    const ours = [good, bad, twice].map(({ purchase }) => purchase.id);
    const listed = (await run('purchases', '--review')).said.items.filter(({ id }) => ours.includes(id));
    expect(listed.map(({ id, reason }) => [id, reason])).toEqual([
      [good.purchase.id, 'paid 1400 cents, the price is 1500'],
      [bad.purchase.id, 'paid in EUR, not USD'],
      [twice.purchase.id, `paid twice: give one payment back at the payment company: ${paymentOf(twice.purchase.id)}`],
    ]);
    expect(await run('approve', good.purchase.id)).toMatchObject({ code: 0, said: { decision: 'approved' } });
    expect(await run('reject', bad.purchase.id)).toMatchObject({ code: 0, said: { decision: 'rejected' } });
    expect(await run('reject', 'pur_nobody')).toMatchObject({ code: 2, said: { decision: 'not_in_review' } });
    const options = { db: app.db, clock: systemClock, seller: { name: null, address: null, taxId: null, email: null } };
    expect(await rejectPurchase(options, twice.purchase.id)).toBe('rejected');
    expect((await listReviews(app.db)).filter(({ id }) => ours.includes(id))).toEqual([]);
    expect(await run('reconcile')).toMatchObject({ code: 0, said: { items: [] } });
    expect(await Promise.all([good, bad, twice].map(({ user }) => user.credits()))).toEqual([20, 0, 20]);
    expect((await read(good.user, good.purchase)).receipt).not.toBeNull();
    expect((await read(bad.user, bad.purchase)).status).toBe('failed');
    await tell({ kind: 'refund', purchaseId: good.purchase.id, cents: 1400, refunded: 700 });
    expect(await good.user.credits()).toBe(10);
  });

  it('refuses a checkout whose company is slow, before the buyer gives up', { timeout: 70_000 }, async () => {
    expect(await Promise.all(hesitant)).toEqual(hesitations.map((hesitation) => [hesitation, 503, true]));
  });

  it('gives a receipt to its owner only, with the company’s own one linked, numbered without gaps', async () => {
    const { user, purchase } = await buy();
    const receiptUrl = `${app.url}/api/v1/purchases/${purchase.id}/receipt`;
    expect((await fetch(receiptUrl, { headers: { cookie: user.cookie } })).status).toBe(404);
    await tell({ kind: 'paid', purchaseId: purchase.id, ...(company.name === 'dodo' && { cents: 1785 }) });
    const { receipt } = await read(user, purchase);
    expect(receipt?.number).toMatch(/^R-\d{6}$/);
    const page = await (await user.fetch(receipt?.url ?? '')).text();
    for (const part of ['Łódź &amp; Söhne', user.email, 'Standard package, 20 credits', receipt?.number ?? '?'])
      expect(page).toContain(part);
    expect(page).toContain(company.name === 'stripe' ? 'https://pay.stripe.test/' : 'https://invoices.dodo.test/1');
    const file = await user.fetch(receipt?.pdfUrl ?? '');
    expect(file.headers.get('content-type')).toBe('application/pdf');
    expect((await file.text()).startsWith('%PDF-')).toBe(true);
    const stranger = await makeUser(app);
    expect((await stranger.fetch(receipt?.url ?? '')).status).toBe(404);
    expect((await stranger.fetch(receipt?.pdfUrl ?? '')).status).toBe(404);
    expect((await fetch(receiptUrl)).status).toBe(401);
    const numbers = await sql<{ number: string }>`select number from receipts order by number`.execute(app.db);
    expect(numbers.rows.map(({ number }) => Number(number.slice(2)))).toEqual(numbers.rows.map((_, at) => at + 1));
    const paid = await sql<{ count: number }>`select count(*) as count from purchases where status = 'paid'`.execute(
      app.db,
    );
    expect(numbers.rows).toHaveLength(paid.rows[0]?.count ?? -1);
  });
});

describe('Stripe', () => {
  it('sells a price of its own where one is set, and believes no test message with a live key', async () => {
    const company = await startStripe();
    const { STRIPE_API_URL: apiUrl = '', STRIPE_WEBHOOK_SECRET = '' } = company.settings();
    const webhookSecrets = STRIPE_WEBHOOK_SECRET.split(',');
    const settings = { secretKey: 'sk_live_x', apiUrl, webhookSecrets, prices: { standard: 'price_7' } };
    const stripe = makeStripe(settings, systemClock);
    const order = {
      purchaseId: 'pur_7',
      email: 'ann@example.com',
      returnUrl: 'https://shop.example/dashboard/credits',
    };
    await stripe.openCheckout({ ...order, packageKey: 'standard' });
    await stripe.openCheckout({ ...order, packageKey: 'basic' });
    expect(company.sessions[0]?.parameters).toMatchObject({ 'line_items[0][price]': 'price_7' });
    expect(company.sessions[1]?.parameters).toHaveProperty('line_items[0][price_data][currency]', 'usd');
    const { headers, body } = company.message({ kind: 'paid', purchaseId: 'pur_7' });
    expect(stripe.readWebhook(Buffer.from(body), headers).effect).toBeNull();
    const live = { ...JSON.parse(body), livemode: true } as object;
    const signed = company.sign(JSON.stringify(live));
    expect(stripe.readWebhook(Buffer.from(signed.body), signed.headers).effect).toMatchObject({
      kind: 'paid',
    });
    company.close();
  });

  it.each(['t=,v1=', 't=1,v1=', 't=NOW,v1=', 't=NOW,v1=aa,v1=', 't=NOW,v1=é', 'v1=aa', 't=NOW', ''])(
    'finds no signature in "%s"',
    (pattern) => {
      const now = new Date();
      const header = pattern.replace('NOW', String(Math.floor(now.getTime() / 1000)));
      const settings = {
        secretKey: 'sk_test_x',
        apiUrl: 'http://127.0.0.1:1',
        webhookSecrets: ['whsec_x'],
        prices: {},
      };
      const stripe = makeStripe(settings, { now: () => now });
      const read = () => stripe.readWebhook(Buffer.from('{}'), { 'stripe-signature': header });
      expect(read).toThrow(expect.objectContaining({ code: 'webhook_signature_invalid' }));
    },
  );
});
