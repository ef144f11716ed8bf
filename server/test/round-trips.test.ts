import { randomUUID } from 'node:crypto';
import pg from 'pg';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { findTraceId } from '../src/platform/trace.ts';
import { startTestApp, type TestApp } from './app.ts';
import { makePurchase, makeUser, postJson, type TestUser } from './makers.ts';
import { sendWebhook } from './sandbox-webhook.ts';

/** Most of an answer's time is spent on round trips to the database, which are counted here. */

let app: TestApp;
let user: TestUser;
beforeAll(async () => {
  app = await startTestApp();
  user = await makeUser(app, { credits: 5 });
  // From then on the network counts as known for this user.
  await signIn();
});
afterAll(() => app.close());

const signIn = () => postJson(`${app.url}/api/v1/auth/sign-in`, { email: user.email, password: user.password });

/** Statements in order, by the trace id of their request. */
const statements = new Map<string, string[]>();
beforeEach(() => {
  statements.clear();
  const query = Reflect.get(pg.Client.prototype, 'query') as (...parameters: unknown[]) => unknown;
  const listen = function (this: pg.Client, ...parameters: unknown[]): unknown {
    const [trace, question] = [findTraceId(), parameters[0] as string | { text: string }];
    const text = typeof question === 'string' ? question : question.text;
    if (trace !== undefined) statements.set(trace, [...(statements.get(trace) ?? []), text.trim().slice(0, 60)]);
    return Reflect.apply(query, this, parameters);
  };
  vi.spyOn(pg.Client.prototype, 'query').mockImplementation(listen);
});
afterEach(() => void vi.restoreAllMocks());

/** The statements of the only request since then. */
function readStatements(): string[] {
  const [first = [], ...more] = statements.values();
  expect(more).toEqual([]);
  return first;
}

describe('the database is asked', () => {
  it('seven times by a sign-in', async () => {
    const answer = await signIn();
    expect([answer.status, readStatements()]).toMatchObject([200, { length: 7 }]);
  });

  it('ten times by a webhook that pays', async () => {
    const answer = await pay();
    expect([answer.status, readStatements()]).toMatchObject([200, { length: 10 }]);
    expect(await user.credits()).toBe(25);
  });
});

/** Sends the message that a new purchase was paid. */
async function pay(): Promise<Response> {
  const { id: purchaseId } = await makePurchase(user);
  statements.clear();
  const data = { purchaseId, paymentId: `pay_${randomUUID()}`, amount: 1500, currency: 'USD' };
  return sendWebhook(app, JSON.stringify({ type: 'payment.succeeded', data }));
}
