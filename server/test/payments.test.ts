import { randomUUID } from 'node:crypto';
import pg from 'pg';
import { Webhook } from 'standardwebhooks';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Purchase } from '@plinth/contract/payments';
import { sql } from 'kysely';
import { auditLedger } from '../src/credits/audit.ts';
import type { Row } from '../src/platform/data/rows.ts';
import { startTestApp, type TestApp } from './app.ts';
import { makeGeneration, makePurchase, makeUser, postJson, type TestUser, waitUntil } from './makers.ts';
import { type Envelope, sendWebhook } from './sandbox-webhook.ts';
import { listen } from './wire.ts';

let app: TestApp;
beforeAll(async () => {
  app = await startTestApp();
});
afterAll(() => app.close());

type Message = {
  type?: string;
  purchaseId: string;
  amount?: number;
  currency?: string;
  id?: string;
  at?: Date;
  secret?: string;
  credits?: number;
};

function send(message: Message): Promise<Response> {
  const { type = 'payment.succeeded', purchaseId, amount = 1500, currency = 'USD', credits } = message;
  const data = { purchaseId, paymentId: 'pay_1', amount, currency, credits };
  return sendBody(JSON.stringify({ type, data }), message);
}

const sendBody = (body: string | Buffer, envelope?: Envelope): Promise<Response> => sendWebhook(app, body, envelope);

/** Locks a purchase like a transaction in progress; counts the waiting ones. */
async function holdPurchase(id: string) {
  const client = new pg.Client({ connectionString: app.databaseUrl });
  await client.connect();
  await client.query('begin');
  await client.query('select 1 from purchases where id = $1 for update', [id]);
  return {
    countWaiting: async () => {
      const found = await sql<{ waiting: number }>`
        select count(*) as waiting from pg_stat_activity
        where datname = current_database() and wait_event_type = 'Lock'`.execute(app.db);
      return found.rows[0]?.waiting ?? 0;
    },
    release: () => client.end(),
  };
}

async function outcomesOf(purchase: Purchase): Promise<string[]> {
  const found = await sql<Row<'webhookEvents', 'outcome'>>`
    select outcome from webhook_events where purchase_id = ${purchase.id} order by outcome`.execute(app.db);
  return found.rows.map(({ outcome }) => outcome);
}

const read = (user: TestUser, purchase: Purchase) => user.get<Purchase>(`/api/v1/purchases/${purchase.id}`);

describe('a purchase', () => {
  it('is a pending row with a checkout on our origin before the browser leaves', async () => {
    const user = await makeUser(app);
    const purchase = await makePurchase(user);
    expect(purchase).toMatchObject({
      package: 'standard',
      credits: 20,
      price: { amount: 1500, currency: 'USD' },
      status: 'pending',
      completedAt: null,
    });
    expect(purchase.checkoutUrl.startsWith(`${app.url}/sandbox/checkout/`)).toBe(true);
    expect(await user.credits()).toBe(0);
  });

  it('that is asked for several times at once is one: whoever is not answered with it is asked to wait', async () => {
    const user = await makeUser(app);
    const headers = { cookie: user.cookie, 'idempotency-key': randomUUID() };
    const ask = () => postJson(`${app.url}/api/v1/purchases`, { package: 'basic' }, headers);
    const statuses = (await Promise.all([ask(), ask(), ask()])).map(({ status }) => status);
    expect(statuses).toContain(201);
    expect(statuses.filter((status) => status !== 201 && status !== 409)).toEqual([]);
    expect((await user.get<{ items: Purchase[] }>('/api/v1/purchases')).items).toHaveLength(1);
  });

  it('is made once for one key, and refuses the key for another package', async () => {
    const user = await makeUser(app);
    const key = randomUUID();
    const purchase = await makePurchase(user, 'basic', key);
    const again = await user.fetch('/api/v1/purchases', {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'idempotency-key': key },
      body: '{"package":"basic"}',
    });
    expect(again.status).toBe(201);
    expect(again.headers.get('idempotency-replayed')).toBe('true');
    expect(await again.json()).toEqual(purchase);
    const other = await postJson(
      `${app.url}/api/v1/purchases`,
      { package: 'premium' },
      { cookie: user.cookie, 'idempotency-key': key },
    );
    expect(other.status).toBe(422);
    expect((await user.get<{ items: Purchase[] }>('/api/v1/purchases')).items).toHaveLength(1);
  });

  it.each(['__proto__', 7, ['basic'], ' basic ', null, 'constructor', ''])('refuses the package %j', async (name) => {
    const user = await makeUser(app);
    const headers = { cookie: user.cookie, 'idempotency-key': randomUUID() };
    const answer = await postJson(`${app.url}/api/v1/purchases`, { package: name }, headers);
    expect(answer.status).toBe(422);
    expect(await answer.json()).toMatchObject({ code: 'invalid_package', detail: 'Invalid package type selected' });
  });

  it.each([
    ['pay', 'paid', 20, true],
    ['decline', 'failed', 0, false],
    ['cancel', 'canceled', 0, false],
  ] as const)('goes through the checkout page: %s makes it %s', async (action, status, credits, success) => {
    const user = await makeUser(app);
    const purchase = await makePurchase(user);
    const page = await fetch(purchase.checkoutUrl);
    expect(page.status).toBe(200);
    const shown = await page.text();
    expect(shown).toContain('Pay $15.00');
    expect(shown, 'the mark').toMatch(/<svg .*Sandbox checkout/);
    const token = purchase.checkoutUrl.split('/').at(-1) ?? '';
    const answer = await postJson(`${app.url}/api/v1/sandbox/checkout/${token}`, { action });
    expect(await answer.json()).toEqual({ redirectTo: `/dashboard/credits?success=${success}` });
    expect((await read(user, purchase)).status).toBe(status);
    expect(await user.credits()).toBe(credits);
    await postJson(`${app.url}/api/v1/sandbox/checkout/${token}`, { action });
    expect(await user.credits()).toBe(credits);
  });
});

describe('a payment webhook', () => {
  it('grants once however often it comes: parallel, after a restart, with another event id', async () => {
    const user = await makeUser(app);
    const purchase = await makePurchase(user);
    const id = `msg_${randomUUID()}`;
    const same = Array.from({ length: 8 }, () => send({ purchaseId: purchase.id, id }));
    const others = Array.from({ length: 8 }, () => send({ purchaseId: purchase.id }));
    for (const answer of await Promise.all([...same, ...others])) {
      expect(answer.status).toBe(200);
      expect(await answer.json()).toEqual({ received: true });
    }
    await app.restart();
    expect((await send({ purchaseId: purchase.id, id })).status).toBe(200);
    expect((await send({ purchaseId: purchase.id })).status).toBe(200);
    expect(await user.credits()).toBe(20);
    expect((await user.ledger()).map((entry) => entry.reason)).toEqual(['purchase']);
    expect(await auditLedger(app.db)).toEqual([]);
  });

  it.each([
    ['an amount', { amount: 1499 }],
    ['a currency', { currency: 'EUR' }],
    ['a number of credits', { credits: 2000 }],
  ])('puts %s that does not match the order under review and grants nothing', async (_what, wrong) => {
    const user = await makeUser(app);
    const purchase = await makePurchase(user);
    expect((await send({ purchaseId: purchase.id, ...wrong })).status).toBe(200);
    expect((await read(user, purchase)).status).toBe('review');
    expect(await user.credits()).toBe(0);
  });

  it('takes a payment that names the credits of the order', async () => {
    const user = await makeUser(app);
    const purchase = await makePurchase(user);
    await send({ purchaseId: purchase.id, credits: 20 });
    expect([(await read(user, purchase)).status, await user.credits()]).toEqual(['paid', 20]);
  });

  it('lets confirmed money win over order of arrival, and keeps paid final', async () => {
    const user = await makeUser(app);
    const purchase = await makePurchase(user);
    await send({ purchaseId: purchase.id, type: 'payment.failed' });
    expect((await read(user, purchase)).status).toBe('failed');
    await send({ purchaseId: purchase.id });
    expect((await read(user, purchase)).status).toBe('paid');
    await send({ purchaseId: purchase.id, type: 'payment.cancelled' });
    expect((await read(user, purchase)).status).toBe('paid');
    expect(await user.credits()).toBe(20);
  });

  it('takes back at most what is left, never below zero, once, also when it comes before the payment', async () => {
    const user = await makeUser(app);
    const purchase = await makePurchase(user, 'basic');
    await send({ purchaseId: purchase.id, amount: 1000 });
    await makeGeneration(user);
    await Promise.all([1, 2, 3].map(() => send({ purchaseId: purchase.id, type: 'refund.succeeded' })));
    expect(await user.credits()).toBe(0);
    expect((await user.ledger()).filter((entry) => entry.reason === 'reversal').map((entry) => entry.delta)).toEqual([
      -9,
    ]);
    const early = await makePurchase(user, 'basic');
    await send({ purchaseId: early.id, type: 'dispute.lost' });
    await send({ purchaseId: early.id, amount: 1000 });
    expect((await read(user, early)).status).toBe('paid');
    const balance = await user.credits();
    expect(balance).toBeLessThanOrEqual(1);
    expect(await auditLedger(app.db)).toEqual([]);
  });

  it('does not overlook what is taken back while it is on its way', async () => {
    const user = await makeUser(app);
    const purchase = await makePurchase(user);
    const held = await holdPurchase(purchase.id);
    const answers: Promise<Response>[] = [];
    // Both wait for the purchase, the refund first: when the payment was read, there was no refund.
    for (const type of ['refund.succeeded', 'payment.succeeded']) {
      answers.push(send({ purchaseId: purchase.id, type }));
      await waitUntil(held.countWaiting, (count) => count === answers.length);
    }
    await held.release();
    expect((await Promise.all(answers)).map(({ status }) => status)).toEqual([200, 200]);
    expect((await read(user, purchase)).status).toBe('paid');
    expect((await user.ledger()).map(({ reason, delta }) => [reason, delta])).toEqual([
      ['reversal', -20],
      ['purchase', 20],
    ]);
  });

  it('pays once where the same and another message wait at the purchase together', async () => {
    const user = await makeUser(app);
    const purchase = await makePurchase(user);
    const held = await holdPurchase(purchase.id);
    const id = `msg_${randomUUID()}`;
    const answers = [id, id, undefined].map((one) => send({ purchaseId: purchase.id, ...(one && { id: one }) }));
    await waitUntil(held.countWaiting, (count) => count === 3);
    await held.release();
    expect((await Promise.all(answers)).map(({ status }) => status)).toEqual([200, 200, 200]);
    expect((await user.ledger()).map(({ reason }) => reason)).toEqual(['purchase']);
    expect(await outcomesOf(purchase)).toEqual(['processed', 'repeated']);
  });

  it('changes nothing where its message was known for something else', async () => {
    const user = await makeUser(app);
    const [first, second] = [await makePurchase(user), await makePurchase(user)];
    const id = `msg_${randomUUID()}`;
    await send({ purchaseId: first.id, id });
    await send({ purchaseId: second.id, id });
    expect((await read(user, second)).status).toBe('pending');
    expect(await user.credits()).toBe(20);
  });

  it('grants nothing where no receipt can be given, and works when it comes again', async () => {
    const user = await makeUser(app);
    const purchase = await makePurchase(user);
    const taken = await sql<Row<'receiptSeries', 'last'>>`
      delete from receipt_series where series = 'TEST' returning last`.execute(app.db);
    expect((await send({ purchaseId: purchase.id })).status).toBe(503);
    expect([await user.credits(), (await read(user, purchase)).status]).toEqual([0, 'pending']);
    await sql`insert into receipt_series (series, last) values ('TEST', ${taken.rows[0]?.last})`.execute(app.db);
    expect((await send({ purchaseId: purchase.id })).status).toBe(200);
    expect([await user.credits(), (await read(user, purchase)).status]).toEqual([20, 'paid']);
  });

  it('is refused without a right and fresh signature over the very bytes', async () => {
    const user = await makeUser(app);
    const purchase = await makePurchase(user);
    // For a message dated ahead, the tolerance of 300 s starts while a busy machine gets to it.
    const stale = [new Date(Date.now() - 301_000), new Date(Date.now() + 360_000)];
    const answers = await Promise.all([
      ...stale.map((at) => send({ purchaseId: purchase.id, at })),
      send({ purchaseId: purchase.id, secret: 'whsec_c29tZWJvZHkgZWxzZSBhbHRvZ2V0aGVy' }),
      fetch(`${app.url}/webhooks/sandbox`, {
        method: 'POST',
        body: '{}',
        headers: { 'content-type': 'application/json' },
      }),
      fetch(`${app.url}/webhooks/sandbox`, {
        method: 'POST',
        body: 'not json',
        headers: { 'content-type': 'text/plain' },
      }),
      fetch(`${app.url}/webhooks/sandbox`, { method: 'POST' }),
    ]);
    for (const answer of answers) {
      expect(answer.status).toBe(400);
      expect(await answer.json()).toMatchObject({ code: 'webhook_signature_invalid', detail: 'Invalid signature.' });
    }
    expect(await user.credits()).toBe(0);
  });

  it('is acknowledged when its type or purchase is unknown', async () => {
    expect((await send({ purchaseId: 'pur_nobody' })).status).toBe(200);
    expect((await send({ purchaseId: 'pur_nobody', type: 'payment.processing' })).status).toBe(200);
    for (const body of ['{}', '[]', '5', '"paid"', 'null', '{"type":5}', '{"type":"payment.succeeded","data":[]}']) {
      const answer = await sendBody(body);
      expect([body, answer.status, await answer.json()]).toEqual([body, 200, { received: true }]);
    }
  });

  it('is acknowledged without effect where its words hold a character that no name of ours can hold', async () => {
    const user = await makeUser(app);
    const purchase = await makePurchase(user);
    const paid = { purchaseId: purchase.id, amount: 1500, currency: 'USD', paymentId: 'pay_1' };
    for (const message of [
      { type: 'payment\0.succeeded', data: paid },
      { type: 'payment.succeeded', data: { ...paid, purchaseId: `${purchase.id}\0` } },
    ]) {
      expect((await sendBody(JSON.stringify(message))).status).toBe(200);
      expect((await read(user, purchase)).status).toBe('pending');
    }
    const body = JSON.stringify({ type: 'payment.succeeded', data: { ...paid, paymentId: 'pay\0' } });
    expect((await sendBody(body)).status).toBe(200);
    expect((await read(user, purchase)).status).toBe('paid');
  });

  it.each(['', ' ', 'not json', Buffer.from([0x22, 0xff, 0x22])])(
    'signed but no JSON is refused: "%s"',
    async (body) => {
      const answer = await sendBody(body);
      expect([answer.status, await answer.json()]).toMatchObject([400, { code: 'webhook_signature_invalid' }]);
    },
  );

  it('puts a payment whose sum cannot be read under review, as one of another sum', async () => {
    const user = await makeUser(app);
    const usd = (amount: unknown) => ({ amount, currency: 'USD' });
    for (const data of [usd('1500'), usd(1500.5), usd(3e9), { currency: 5 }]) {
      const purchase = await makePurchase(user);
      const body = JSON.stringify({ type: 'payment.succeeded', data: { purchaseId: purchase.id, ...data } });
      expect((await sendBody(body)).status).toBe(200);
      expect((await read(user, purchase)).status).toBe('review');
    }
    expect(await user.credits()).toBe(0);
  });

  it('accepts one right signature among several', async () => {
    const user = await makeUser(app);
    const purchase = await makePurchase(user);
    const body = JSON.stringify({
      type: 'payment.succeeded',
      data: { purchaseId: purchase.id, amount: 1500, currency: 'USD' },
    });
    const at = new Date();
    const signature = `v1,AAAA ${new Webhook(app.sandboxSecret).sign('msg_x', at, body)}`;
    const headers = {
      'webhook-id': 'msg_x',
      'webhook-timestamp': String(Math.floor(at.getTime() / 1000)),
      'webhook-signature': signature,
    };
    expect((await fetch(`${app.url}/webhooks/sandbox`, { method: 'POST', headers, body })).status).toBe(200);
    expect(await user.credits()).toBe(20);
  });

  it('answers 503 when the effect cannot be stored, and works when it comes again', async () => {
    const user = await makeUser(app);
    const purchase = await makePurchase(user);
    await sql`alter table webhook_events rename to webhook_events_away`.execute(app.db);
    expect((await send({ purchaseId: purchase.id, id: 'msg_again' })).status).toBe(503);
    expect(await user.credits()).toBe(0);
    await sql`alter table webhook_events_away rename to webhook_events`.execute(app.db);
    expect((await send({ purchaseId: purchase.id, id: 'msg_again' })).status).toBe(200);
    expect(await user.credits()).toBe(20);
  });
});

describe('an abandoned checkout', () => {
  it('expires after a day, and the open streams are told', async () => {
    const short = await startTestApp({ SWEEP_INTERVAL_SECONDS: '1' });
    try {
      const user = await makeUser(short);
      const purchase = await makePurchase(user);
      const stream = await listen(short, user.cookie);
      await stream.waitForEvent('hello');
      await sql`update purchases set created_at = created_at - interval '25 hours'`.execute(short.db);
      expect((await stream.waitForEvent('purchase')).body).toEqual({ id: purchase.id, status: 'expired' });
      expect(await read(user, purchase)).toMatchObject({ status: 'expired' });
      stream.close();
    } finally {
      await short.close();
    }
  });
});
