import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { findTraceId } from '../src/platform/trace.ts';
import { startTestApp, type TestApp } from './app.ts';
import { makePurchase, makeUser, postJson, type TestUser, until } from './makers.ts';
import { sendWebhook } from './sandbox-webhook.ts';

/** Most of what an answer costs is the way to the database and back: here stands how often it is gone. */

let app: TestApp;
let user: TestUser;
beforeAll(async () => {
  app = await startTestApp();
  user = await makeUser(app, { credits: 5 });
  // From then on the network is one that the person is known to come from.
  await signIn();
});
afterAll(() => app.close());

const signIn = () => postJson(`${app.url}/api/v1/auth/sign-in`, { email: user.email, password: user.password });

const FLUSH = 'pg_logical_emit_message';

/** Statements in the order in which they were asked, by the trace of the request that asked. */
const asked = new Map<string, string[]>();
/** What a flush waits for before it is asked. */
let disk: () => Promise<void>;
beforeEach(() => {
  asked.clear();
  disk = () => Promise.resolve();
  const query = Reflect.get(pg.Client.prototype, 'query') as (...parameters: unknown[]) => unknown;
  const listen = function (this: pg.Client, ...parameters: unknown[]): unknown {
    const [trace, question] = [findTraceId(), parameters[0] as string | { text: string }];
    const text = typeof question === 'string' ? question : question.text;
    if (trace !== undefined) asked.set(trace, [...(asked.get(trace) ?? []), text.trim().slice(0, 60)]);
    if (!text.includes(FLUSH)) return Reflect.apply(query, this, parameters);
    return disk().then(() => Reflect.apply(query, this, parameters));
  };
  vi.spyOn(pg.Client.prototype, 'query').mockImplementation(listen);
});
afterEach(() => void vi.restoreAllMocks());

/** How the only request since then asked. */
function readAsked(): string[] {
  const [first = [], ...more] = asked.values();
  expect(more).toEqual([]);
  return first;
}

describe('the database is asked', () => {
  it('five times by a sign-in', async () => {
    const answer = await signIn();
    expect([answer.status, readAsked()]).toMatchObject([200, { length: 5 }]);
  });

  it('twice by a webhook that pays, and once more by all that pay at a time, for the disk', async () => {
    const { answer } = await pay();
    expect([(await answer).status, readAsked()]).toMatchObject([200, { length: 3 }]);
    expect(readAsked()[2]).toContain(FLUSH);
    expect(await user.credits()).toBe(25);
  });
});

describe('a payment that is not on the disk yet', () => {
  it('is not answered', async () => {
    const before = await user.credits();
    const held = Promise.withResolvers<void>();
    disk = () => held.promise;
    const { answer } = await pay();
    const isAnswered = vi.fn();
    void answer.then(isAnswered);
    await until(user.credits, (credits) => credits === before + 20);
    await sleep(200);
    expect(isAnswered).not.toHaveBeenCalled();
    held.resolve();
    expect((await answer).status).toBe(200);
  });

  it('is refused where the disk says nothing, and paid once when its message comes again', async () => {
    const before = await user.credits();
    disk = () => Promise.reject(new Error('Connection terminated'));
    const { answer, again } = await pay();
    expect((await answer).status).toBe(503);
    disk = () => Promise.resolve();
    expect((await again()).status).toBe(200);
    expect(await user.credits()).toBe(before + 20);
  });
});

/** Sends that a new purchase was paid. */
async function pay(): Promise<{ answer: Promise<Response>; again: () => Promise<Response> }> {
  const { id: purchaseId } = await makePurchase(user);
  asked.clear();
  const data = { purchaseId, paymentId: `pay_${randomUUID()}`, amount: 1500, currency: 'USD' };
  const id = `msg_${randomUUID()}`;
  const again = () => sendWebhook(app, JSON.stringify({ type: 'payment.succeeded', data }), { id });
  return { answer: again(), again };
}
