import { Resolver } from 'node:dns/promises';
import type { Page } from '@plinth/contract/paging';
import { WEBHOOK_RETRY_SECONDS, type WebhookEndpoint } from '@plinth/contract/webhooks';
import { sql } from 'kysely';
import { Webhook } from 'standardwebhooks';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { startApp } from '../src/app.ts';
import { readConfig } from '../src/config.ts';
import { createLog } from '../src/platform/log.ts';
import { readOrMakeSecrets } from '../src/platform/machine/secrets.ts';
import { deleteOldDeliveries } from '../src/webhooks/endpoints.ts';
import { startTestApp, type TestApp } from './app.ts';
import { makeEndpoint, makeUser, type TestUser, waitUntil } from './makers.ts';
import {
  headerOf,
  listDeliveries,
  makeReceiving,
  newPath,
  type ReceivedWebhook,
  type Receiver,
  type Receiving,
  requestTest,
  startReceiver,
} from './receiver.ts';
import { expectProblem, freePort, makeManualClock, type ManualClock } from './wire.ts';

const API = '/api/v1';
const ENDPOINTS = `${API}/webhook-endpoints`;
const clock: ManualClock = makeManualClock();
let app: TestApp;
let receiver: Receiver;
let metricsPort: number;
beforeAll(async () => {
  receiver = await startReceiver();
  metricsPort = await freePort();
  app = await startTestApp(
    { WEBHOOK_HOSTS: receiver.host, SWEEP_INTERVAL_SECONDS: '100000', METRICS_PORT: String(metricsPort) },
    clock,
  );
});
afterAll(async () => {
  await app.close();
  await receiver.close();
});

const remove = (user: TestUser, id: string) => user.fetch(`${ENDPOINTS}/${id}`, { method: 'DELETE' });

describe('a receiver', () => {
  it('that hangs delays nobody else, hears two at a time, and is given ten seconds', { tags: ['slow'] }, async () => {
    const slow = await makeReceiving(app, receiver);
    const quick = await makeReceiving(app, receiver);
    receiver.answer(slow.path, () => undefined);
    for (let time = 0; time < 5; time += 1) await requestTest(slow.user, slow.endpoint.id);
    await receiver.hear(slow.path, 2);
    await requestTest(quick.user, quick.endpoint.id);
    await receiver.hear(quick.path, 1);
    expect(receiver.received(slow.path)).toHaveLength(2);
    const begun = receiver.received(slow.path)[0]?.at ?? 0;
    await waitUntil(
      () => listDeliveries(slow.user, slow.endpoint.id),
      (all) => all.some(({ attempts }) => attempts === 1),
    );
    expect(performance.now() - begun).toBeGreaterThan(9500);
    receiver.answer(slow.path, 204);
  });

  it('that answers 410 is never asked again', async () => {
    const { user, path, endpoint } = await makeReceiving(app, receiver);
    receiver.answer(path, 410);
    await requestTest(user, endpoint.id);
    await waitUntil(
      () => user.get<Page<WebhookEndpoint>>(ENDPOINTS),
      ({ items }) => items.length === 0,
    );
    await expectProblem(await requestTest(user, endpoint.id), 'not_found');
    expect(receiver.received(path)).toHaveLength(1);
  });

  it('that leads elsewhere is not followed, and is tried again', async () => {
    const { user, path, endpoint } = await makeReceiving(app, receiver);
    const elsewhere = newPath();
    receiver.answer(path, (response) => response.writeHead(307, { location: receiver.urlOf(elsewhere) }).end());
    await requestTest(user, endpoint.id);
    await waitUntil(
      () => listDeliveries(user, endpoint.id),
      ([newest]) => newest?.attempts === 1,
    );
    expect((await listDeliveries(user, endpoint.id))[0]).toMatchObject({ status: 'pending', event: 'test' });
    expect(receiver.received(elsewhere)).toEqual([]);
  });

  it.each([
    ['talks without end', 65_536],
    ['says one letter after the other', 1],
  ])('that says yes and then %s has its message', async (_how, bytes) => {
    const { user, path, endpoint } = await makeReceiving(app, receiver);
    receiver.answer(path, (response) => {
      response.writeHead(200);
      const talk = setInterval(() => response.write(Buffer.alloc(bytes)), 100);
      response.on('close', () => clearInterval(talk));
    });
    await requestTest(user, endpoint.id);
    const [newest] = await waitUntil(
      () => listDeliveries(user, endpoint.id),
      ([one]) => one?.attempts === 1,
      5000,
    );
    expect(newest?.status).toBe('delivered');
  });

  it('hears nothing more once its endpoint or its account is deleted', async () => {
    for (const end of [
      ({ user, endpoint }: Receiving) => remove(user, endpoint.id),
      ({ user }: Receiving) =>
        user.fetch(`${API}/account`, {
          method: 'DELETE',
          headers: { 'content-type': 'application/json' },
          body: JSON.stringify({ password: user.password }),
        }),
    ]) {
      const receiving = await makeReceiving(app, receiver);
      receiver.answer(receiving.path, 500);
      await requestTest(receiving.user, receiving.endpoint.id);
      await waitUntil(
        () => listDeliveries(receiving.user, receiving.endpoint.id),
        ([newest]) => newest?.attempts === 1,
      );
      expect((await end(receiving)).status).toBe(204);
      const left = await sql`
        select id from webhook_deliveries where endpoint_id = ${receiving.endpoint.id} union all
        select id from webhook_endpoints where id = ${receiving.endpoint.id}`.execute(app.db);
      expect(left.rows).toEqual([]);
      clock.move(6);
      // Meanwhile another endpoint's message, which is due later, is sent.
      const witness = await makeReceiving(app, receiver);
      await requestTest(witness.user, witness.endpoint.id);
      await receiver.hear(witness.path, 1);
      expect(receiver.received(receiving.path)).toHaveLength(1);
    }
  });

  it('of which a worker died before it knew the answer hears the message again', async () => {
    const { user, path, endpoint } = await makeReceiving(app, receiver);
    const taken = new Date(clock.now().getTime() + 30_000);
    await sql`
      insert into webhook_deliveries (id, endpoint_id, event, body, next_try_at, leased_until, created_at)
      values ('msg_taken', ${endpoint.id}, 'test', '{}', ${clock.now()}, ${taken}, ${clock.now()})`.execute(app.db);
    await requestTest(user, endpoint.id);
    const [first] = await receiver.hear(path, 1);
    expect(first && headerOf(first, 'webhook-id')).not.toBe('msg_taken');
    clock.move(31);
    const [, again] = await receiver.hear(path, 2);
    expect(again && headerOf(again, 'webhook-id')).toBe('msg_taken');
  });

  it('that was being told when the process stopped hears it from the next one at once', async () => {
    const { user, path, endpoint } = await makeReceiving(app, receiver);
    receiver.answer(path, () => undefined);
    await requestTest(user, endpoint.id);
    await receiver.hear(path, 1);
    receiver.answer(path, 204);
    await app.restart();
    const heard = await receiver.hear(path, 2);
    expect(new Set(heard.map((one) => headerOf(one, 'webhook-id'))).size).toBe(1);
  });
});

describe('a name server that says nothing', () => {
  it('holds up no process that stops: the next one asks again at once', async () => {
    const find = vi.spyOn(Resolver.prototype, 'resolve4').mockImplementation(async () => ['93.184.216.34']);
    vi.spyOn(Resolver.prototype, 'resolve6').mockImplementation(async () => []);
    try {
      const user = await makeUser(app);
      const { id } = await makeEndpoint(user, 'https://public.example/');
      find.mockClear();
      find.mockImplementation(() => new Promise(() => undefined));
      await requestTest(user, id);
      const asked = (times: number) =>
        waitUntil(
          async () => find.mock.calls.length,
          (calls) => calls === times,
          5000,
        );
      await asked(1);
      await app.restart();
      await asked(2);
      expect((await remove(user, id)).status).toBe(204);
    } finally {
      vi.restoreAllMocks();
    }
  });
});

describe('two workers', () => {
  it('send each message once', async () => {
    const config = readConfig({ ...app.environment, ROLE: 'worker', METRICS_PORT: '' });
    const other = await startApp({
      config,
      secrets: readOrMakeSecrets(app.dataDir),
      databaseUrl: app.databaseUrl,
      clock,
      log: createLog('error'),
      engineUrl: undefined,
      getEngineUrl: () => Promise.reject(new Error('there is none')),
      isEngineUp: () => true,
      pagesDir: '',
      checkpoint: async () => undefined,
    });
    try {
      const { user, path, endpoint } = await makeReceiving(app, receiver);
      await Promise.all(Array.from({ length: 40 }, () => requestTest(user, endpoint.id)));
      await waitUntil(
        async () => receiver.received(path),
        (heard) => heard.length >= 40,
      );
      await waitUntil(
        () => listDeliveries(user, endpoint.id),
        (all) => all.every(({ status }) => status === 'delivered'),
      );
      const ids = receiver.received(path).map((one) => headerOf(one, 'webhook-id'));
      expect(ids).toHaveLength(40);
      expect(new Set(ids).size).toBe(40);
    } finally {
      await other.stop();
    }
  });
});

describe('a message that is not taken', () => {
  it('comes again with the same id and bytes at the times of the contract, then has failed, and is forgotten', async () => {
    const { user, path, endpoint } = await makeReceiving(app, receiver);
    receiver.answer(path, 503);
    await requestTest(user, endpoint.id);
    for (const [index, seconds] of WEBHOOK_RETRY_SECONDS.entries()) {
      const [newest] = await waitUntil(
        () => listDeliveries(user, endpoint.id),
        ([one]) => one?.attempts === index + 1,
      );
      const waitMs = Date.parse(newest?.nextTryAt ?? '') - clock.now().getTime();
      expect(waitMs).toBeGreaterThan(seconds * 1000 - 2500);
      expect(waitMs).toBeLessThanOrEqual(seconds * 1000);
      expect(receiver.received(path)).toHaveLength(index + 1);
      clock.move(seconds);
    }
    const [last] = await waitUntil(
      () => listDeliveries(user, endpoint.id),
      ([one]) => one?.status !== 'pending',
    );
    expect(last).toMatchObject({ status: 'failed', attempts: 10, nextTryAt: null });
    const readMetrics = async () => (await fetch(`http://127.0.0.1:${metricsPort}/metrics`)).text();
    await waitUntil(
      async () => /^webhook_deliveries_total\{outcome="failed"\} [1-9]/m.test(await readMetrics()),
      Boolean,
    );
    const heard = receiver.received(path);
    expect(heard).toHaveLength(10);
    for (const part of [(one: ReceivedWebhook) => one.body, (one: ReceivedWebhook) => headerOf(one, 'webhook-id')])
      expect(new Set(heard.map(part)).size).toBe(1);
    const times = heard.map((one) => Number(headerOf(one, 'webhook-timestamp')));
    expect(
      times.slice(1).map((time, index) => time - (times[index] ?? 0) >= (WEBHOOK_RETRY_SECONDS[index] ?? 0)),
    ).toEqual(Array(9).fill(true));
    for (const one of heard) {
      const at = new Date(Number(headerOf(one, 'webhook-timestamp')) * 1000);
      const signature = new Webhook(endpoint.secret).sign(headerOf(one, 'webhook-id'), at, one.body);
      expect(headerOf(one, 'webhook-signature')).toBe(signature);
    }
    clock.move(7 * 86_400 - 60);
    await deleteOldDeliveries(app.db, clock.now(), clock.now());
    expect(await listDeliveries(user, endpoint.id)).toHaveLength(1);
    clock.move(120);
    await deleteOldDeliveries(app.db, clock.now(), clock.now());
    expect(await listDeliveries(user, endpoint.id)).toEqual([]);
  });

  it('is forgotten after a week whose turn never comes, because its receiver hangs and others are before it', async () => {
    const { user, path, endpoint } = await makeReceiving(app, receiver);
    receiver.answer(path, () => undefined);
    for (let one = 0; one < 3; one += 1) await requestTest(user, endpoint.id);
    await receiver.hear(path, 2);
    const inDays = (days: number) => new Date(clock.now().getTime() + days * 86_400_000);
    await deleteOldDeliveries(app.db, inDays(6), clock.now());
    expect((await listDeliveries(user, endpoint.id)).map(({ status }) => status)).toEqual(Array(3).fill('pending'));
    await deleteOldDeliveries(app.db, inDays(8), clock.now());
    expect(await listDeliveries(user, endpoint.id)).toEqual([]);
  });
});
