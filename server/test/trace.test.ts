import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { startTestApp, type TestApp } from './app.ts';
import { makeGeneration, makePurchase, makeUser, type TestUser, waitForEnd, waitUntil } from './makers.ts';
import { sendWebhook } from './sandbox-webhook.ts';

type Line = { trace?: string; msg?: string; event?: string; route?: string; role: string };

let app: TestApp;
let user: TestUser;
beforeAll(async () => {
  app = await startTestApp({ LOG_LEVEL: 'info', TRUST_PROXY_HOPS: '1', PAYMENTS: 'sandbox', ALLOW_SANDBOX: '1' });
  user = await makeUser(app, { credits: 10 });
});
afterAll(() => app.close());
beforeEach(() => void (app.logged.length = 0));

const ID = '4bf92f3577b34da6a3ce929d0e0e4736';
const GIVEN = `00-${ID}-00f067aa0ba902b7-01`;
const lines = (at = app) => at.logged.map((line) => JSON.parse(line) as Line);
const lineOf = async (route: string, at = app) =>
  (await waitUntil(
    async () => lines(at).find((line) => line.route === route),
    (line) => line !== undefined,
  )) as Line;
const traced = (traceparent: string): TestUser => ({
  ...user,
  fetch: (path, init) =>
    user.fetch(path, { ...init, headers: { ...(init?.headers as Record<string, string>), traceparent } }),
});

it('goes on with the trace of the proxy: in the log, through the queue, at the provider', async () => {
  const { id } = await makeGeneration(traced(GIVEN));
  await waitForEnd(user, id);
  expect((await lineOf('/api/v1/tools/:tool/generations')).trace).toBe(ID);
  const [submit] = app.provider.submits;
  const [, trace, span] = String(submit?.headers['traceparent']).split('-');
  expect(trace).toBe(ID);
  expect(span).toMatch(/^(?!0{16})[0-9a-f]{16}$/);
  expect(span).not.toBe('00f067aa0ba902b7');
});

it('has the trace of the request in what a worker says of its failure', async () => {
  app.provider.behave({ result: () => ({ body: {} }) });
  const { id } = await makeGeneration(traced(GIVEN));
  await waitForEnd(user, id);
  app.provider.behave({});
  const failed = await waitUntil(
    async () => lines().find(({ event }) => event === 'generation_failed' || event === 'generation_refused'),
    (line) => line !== undefined,
  );
  expect(failed?.trace).toBe(ID);
});

it.each([
  ['nothing of the kind', 'hello'],
  ['another version', `01-${ID}-00f067aa0ba902b7-01`],
  ['capital letters', `00-${ID.toUpperCase()}-00f067aa0ba902b7-01`],
  ['only zeros', `00-${'0'.repeat(32)}-00f067aa0ba902b7-01`],
  ['a caller of only zeros', `00-${ID}-${'0'.repeat(16)}-01`],
  ['more than it may have', `${GIVEN}-more`],
])('begins a trace of its own where the header holds %s', async (_what, traceparent) => {
  await traced(traceparent).fetch('/api/v1/credits');
  const { trace } = await lineOf('/api/v1/credits');
  expect(trace).toMatch(/^(?!0{32})[0-9a-f]{32}$/);
  expect(trace).not.toBe(ID);
});

it('believes nobody without a proxy, and gives each request its own', async () => {
  const open = await startTestApp({ LOG_LEVEL: 'info' });
  try {
    const ask = () => fetch(`${open.url}/api/v1/packages`, { headers: { traceparent: GIVEN } });
    await ask();
    await ask();
    const traces = await waitUntil(
      async () => lines(open).filter(({ route }) => route === '/api/v1/packages'),
      (found) => found.length === 2,
    );
    expect(new Set([ID, ...traces.map(({ trace }) => trace)]).size).toBe(3);
  } finally {
    await open.close();
  }
});

/** A payment company's message about a purchase. */
function tell(type: string, purchaseId: string, amount: number): Promise<Response> {
  const body = JSON.stringify({ type, data: { purchaseId, paymentId: 'pay_1', amount, currency: 'USD' } });
  return sendWebhook(app, body);
}

it('names purchases by events of their own', async () => {
  const [paid, declined, wrong] = [
    await makePurchase(user, 'basic'),
    await makePurchase(user, 'basic'),
    await makePurchase(user, 'basic'),
  ];
  await tell('payment.succeeded', paid.id, 1000);
  await tell('refund.succeeded', paid.id, 1000);
  await tell('payment.failed', declined.id, 1000);
  await tell('payment.succeeded', wrong.id, 1);
  const events = ['purchase_paid', 'purchase_reversed', 'purchase_changed', 'purchase_in_review'];
  const logged = await waitUntil(
    async () => lines().filter(({ event = '' }) => event.startsWith('purchase_')),
    (all) => all.length === events.length,
  );
  expect(logged.map(({ event, role }) => [event, role])).toEqual(events.map((event) => [event, 'all']));
  expect(JSON.stringify(logged)).not.toMatch(/@|usr_/);
});
