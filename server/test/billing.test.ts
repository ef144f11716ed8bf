import { randomUUID } from 'node:crypto';
import type { Purchase } from '@plinth/contract/payments';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startTestApp, type TestApp } from './app.ts';
import { makeKey, makePurchase, makeUser, type TestUser } from './makers.ts';
import { sendWebhook } from './sandbox-webhook.ts';

describe('billing details', () => {
  let app: TestApp;
  beforeAll(async () => {
    app = await startTestApp();
  });
  afterAll(() => app.close());

  const BILLING = '/api/v1/account/billing';
  const NOTHING = { company: null, vatId: null, address: null };
  const put = (user: TestUser, body: unknown) =>
    user.fetch(BILLING, {
      method: 'PUT',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
  const payFor = async (user: TestUser) => {
    const purchase = await makePurchase(user);
    const data = { purchaseId: purchase.id, paymentId: `pay_${randomUUID()}`, amount: 1500, currency: 'USD' };
    await sendWebhook(app, JSON.stringify({ type: 'payment.succeeded', data }));
    const { receipt } = await user.get<Purchase>(`/api/v1/purchases/${purchase.id}`);
    const read = async () => (await user.fetch(receipt?.url ?? '')).text();
    expect((await user.fetch(receipt?.pdfUrl ?? '')).status).toBe(200);
    return read;
  };

  it('appear on later receipts only', async () => {
    const user = await makeUser(app);
    expect(await user.get(BILLING)).toEqual(NOTHING);
    const first = await payFor(user);
    const details = { company: 'Töpferei <Süd> & Söhne', vatId: 'DE123456789', address: 'Hauptstr. 1\n10115 Berlin' };
    expect(await (await put(user, details)).json()).toEqual(details);
    const second = await payFor(user);
    expect(await (await put(user, { company: '  Other Ltd  ', vatId: '' })).json()).toEqual({
      ...NOTHING,
      company: 'Other Ltd',
    });
    expect(await user.get(BILLING)).toEqual({ ...NOTHING, company: 'Other Ltd' });
    const third = await payFor(user);
    for (const part of ['Töpferei &lt;Süd&gt; &amp; Söhne', 'DE123456789', 'Hauptstr. 1, 10115 Berlin']) {
      expect(await first()).not.toContain(part);
      expect(await second()).toContain(part);
      expect(await third()).not.toContain(part);
    }
    expect(await third()).toContain('Other Ltd');
    expect(await (await put(user, await user.get<object>(BILLING))).json()).toMatchObject({ company: 'Other Ltd' });
  });

  it.each([
    [{ company: 'x'.repeat(201) }, ['company']],
    [{ company: '😀'.repeat(201), address: '😀'.repeat(200) }, ['company']],
    [{ vatId: 'DE-1' }, ['vatId']],
    [{ vatId: 'ß' }, ['vatId']],
    [{ vatId: 7, address: {} }, ['vatId', 'address']],
    [{ company: 'a\u0000b', address: 'a\u0007' }, ['company', 'address']],
    [{ company: 'a\nb' }, ['company']],
  ])('are refused as %j, and nothing is kept', async (body, fields) => {
    const user = await makeUser(app);
    const answer = await put(user, body);
    expect([answer.status, await answer.json()]).toMatchObject([
      422,
      { code: 'billing_invalid', fields: fields.map((field) => ({ field, code: 'billing_invalid' })) },
    ]);
    expect(await user.get(BILLING)).toEqual(NOTHING);
  });

  it('are rejected if malformed, with unknown fields, without a session, and with a key', async () => {
    const user = await makeUser(app);
    for (const body of [[], 'x', 7]) expect((await put(user, body)).status).toBe(400);
    expect(await (await put(user, { company: 'A', phone: '1' })).json()).toMatchObject({ code: 'unknown_field' });
    expect((await fetch(app.url + BILLING)).status).toBe(401);
    expect((await (await makeKey(app, user)).fetch(BILLING)).status).toBe(403);
  });
});
