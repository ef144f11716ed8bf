import { randomUUID } from 'node:crypto';
import { Resolver } from 'node:dns/promises';
import type { ServerResponse } from 'node:http';
import { type AddressInfo, createServer } from 'node:net';
import type { Generation } from '@plinth/contract/generations';
import type { Page } from '@plinth/contract/paging';
import type { Run } from '@plinth/contract/runs';
import {
  type NewWebhookEndpoint,
  newWebhookEndpointSchema,
  type WebhookDelivery,
  webhookDeliverySchema,
  type WebhookEndpoint,
  webhookEndpointSchema,
  webhookLogEntrySchema,
} from '@plinth/contract/webhooks';
import { sql } from 'kysely';
import { Webhook } from 'standardwebhooks';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { deleteOldDeliveries } from '../src/webhooks/endpoints.ts';
import { startTestApp, type TestApp } from './app.ts';
import {
  addEndpoint,
  makeEndpoint,
  makeGeneration,
  makeItem,
  makeRedo,
  makeRun,
  makeUser,
  type TestUser,
  waitForEnd,
  waitForRun,
  waitUntil,
} from './makers.ts';
import {
  headerOf,
  listDeliveries,
  makeReceiving,
  newPath,
  type ReceivedWebhook,
  type Receiver,
  requestTest,
  startReceiver,
} from './receiver.ts';
import { expectProblem } from './wire.ts';

const API = '/api/v1';
const ENDPOINTS = `${API}/webhook-endpoints`;
let app: TestApp;
let receiver: Receiver;
beforeAll(async () => {
  receiver = await startReceiver();
  const settings = { WEBHOOK_HOSTS: receiver.host, SWEEP_INTERVAL_SECONDS: '100000', FREE_REDOS: '3' };
  app = await startTestApp(settings);
});
afterAll(async () => {
  await app.close();
  await receiver.close();
});
afterEach(() => {
  app.provider.behave({});
  vi.restoreAllMocks();
});

const remove = (user: TestUser, id: string) => user.fetch(`${ENDPOINTS}/${id}`, { method: 'DELETE' });
const bodyOf = <Data>({ body }: ReceivedWebhook) => JSON.parse(body) as { type: string; timestamp: string; data: Data };

describe('an endpoint', () => {
  it('shows its secret once, and is listed newest first without it', async () => {
    const user = await makeUser(app);
    const answer = await addEndpoint(user, { url: receiver.urlOf('/a'), events: ['run.finished', 'run.finished'] });
    expect(answer.status).toBe(201);
    const first = newWebhookEndpointSchema.strict().parse(await answer.json());
    expect(first).toMatchObject({ url: receiver.urlOf('/a'), events: ['run.finished'] });
    expect(first.id).toMatch(/^whe_[\w-]{22}$/);
    expect(first.secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
    const second = await makeEndpoint(user, receiver.urlOf('/b'));
    const page = await user.get<Page<WebhookEndpoint>>(`${ENDPOINTS}?limit=1`);
    expect(page.items.map(({ id }) => id)).toEqual([second.id]);
    const next = await user.get<Page<WebhookEndpoint>>(`${ENDPOINTS}?cursor=${page.nextCursor}`);
    expect(next.items.map((one) => webhookEndpointSchema.strict().parse(one).id)).toEqual([first.id]);
    expect(next.nextCursor).toBeNull();
  });

  it('is made once for a key, whose repetition shows no secret', async () => {
    const user = await makeUser(app);
    const key = { 'idempotency-key': randomUUID() };
    const fields = { url: receiver.urlOf('/once'), events: ['run.finished'] };
    const answers = await Promise.all([1, 2, 3].map(() => addEndpoint(user, fields, key)));
    const bodies = (await Promise.all(answers.map((one) => one.json()))) as Partial<NewWebhookEndpoint>[];
    expect(answers.map(({ status }) => status)).toEqual([201, 201, 201]);
    expect(new Set(bodies.map(({ id }) => id)).size).toBe(1);
    expect(bodies.filter(({ secret }) => secret !== undefined)).toHaveLength(1);
    expect(answers.filter(({ headers }) => headers.get('idempotency-replayed') === 'true')).toHaveLength(2);
    expect((await user.get<Page<WebhookEndpoint>>(ENDPOINTS)).items).toHaveLength(1);
    await expectProblem(
      await addEndpoint(user, { ...fields, url: receiver.urlOf('/x') }, key),
      'idempotency_key_reused',
    );
    await expectProblem(await addEndpoint(user, fields, { 'idempotency-key': 'a b' }), 'idempotency_key_invalid');
  });

  it('is one of ten at most, however many are asked for at once', async () => {
    const user = await makeUser(app);
    const fields = { url: receiver.urlOf('/many'), events: ['run.finished'] };
    const answers = await Promise.all(Array.from({ length: 11 }, () => addEndpoint(user, fields)));
    expect(answers.map(({ status }) => status).sort()).toEqual([...Array<number>(10).fill(201), 409]);
    const refused = answers.find(({ status }) => status === 409);
    if (refused !== undefined) await expectProblem(refused, 'too_many_endpoints');
    const { items } = await user.get<Page<WebhookEndpoint>>(ENDPOINTS);
    expect((await remove(user, items[0]?.id ?? '')).status).toBe(204);
    expect((await addEndpoint(user, fields)).status).toBe(201);
  });

  it('needs events that are known, and knows no other field', async () => {
    const user = await makeUser(app);
    const url = receiver.urlOf('/a');
    for (const events of [undefined, null, [], 'run.finished', ['run.finished', 'test'], [7], {}]) {
      const problem = await expectProblem(await addEndpoint(user, { url, events }), 'invalid_option');
      expect(problem.fields?.[0]?.field).toBe('events');
    }
    await expectProblem(await addEndpoint(user, { url, events: ['run.finished'], secret: 'x' }), 'unknown_field');
    await expectProblem(await addEndpoint(user, [url]), 'malformed_request');
  });
});

describe('an address', () => {
  const refused: unknown[] = [
    undefined,
    null,
    7,
    '',
    'shop.example',
    'ftp://shop.example/',
    'http://93.184.216.34/',
    'http://127.0.0.1:1/',
    'https://user@93.184.216.34/',
    'https://:word@93.184.216.34/',
    'https://93.184.216.34/a b',
    'https://93.184.216.34/\u0000',
    `https://93.184.216.34/${'x'.repeat(2000)}`,
    ...['127.0.0.1', '127.1', '0x7f000001', '2130706433', '0.0.0.0', '10.1.2.3', '172.16.0.1', '192.168.1.1'],
    ...['169.254.169.254', '100.64.0.1', '192.0.2.1', '198.51.100.1', '203.0.113.1', '198.18.0.1', '224.0.0.1'],
    ...['240.0.0.1', '255.255.255.255', '[::]', '[::1]', '[fe80::1]', '[fc00::1]', '[ff02::1]', '[2001:db8::1]'],
    ...['[::ffff:127.0.0.1]', '[::ffff:10.0.0.1]', '[64:ff9b::7f00:1]', '[2002:7f00:1::]', '[3fff::1]'],
  ].map((host) => (typeof host === 'string' && /^[\d[]/.test(host) ? `https://${host}/hook` : host));
  it.each(refused)('%j is refused', async (url) => {
    const answer = await addEndpoint(await user(), { url, events: ['run.finished'] });
    const problem = await expectProblem(answer, 'url_not_allowed', 'Use a public https address.');
    expect(problem.fields?.[0]?.field).toBe('url');
  });
  let made: Promise<TestUser> | undefined;
  const user = () => (made ??= makeUser(app));

  const names: Record<string, string[]> = {
    'private.example': ['10.0.0.1'],
    'mixed.example': ['93.184.216.34', '127.0.0.1'],
    'public.example': ['93.184.216.34'],
  };
  /** Replaces the name resolution for this test. */
  const bookNames = () => {
    const find = async (name: string) => names[name] ?? Promise.reject(new Error('ENOTFOUND'));
    vi.spyOn(Resolver.prototype, 'resolve4').mockImplementation(find);
    vi.spyOn(Resolver.prototype, 'resolve6').mockImplementation(() => Promise.reject(new Error('ENODATA')));
  };

  it('is allowed by its name when all that the name leads to is public', async () => {
    bookNames();
    const ask = async (url: string) => addEndpoint(await user(), { url, events: ['run.finished'] });
    for (const name of ['private.example', 'mixed.example', 'nowhere.example', 'localhost'])
      await expectProblem(await ask(`https://${name}/`), 'url_not_allowed');
    for (const url of ['https://public.example/a?b=c', 'https://public.example:8443', 'https://93.184.216.34/'])
      expect(((await (await ask(url)).json()) as WebhookEndpoint).url).toBe(url);
  });

  it('is looked at again for every message: nothing private is reached by a name that has changed', async () => {
    bookNames();
    const reached = vi.fn();
    const inside = createServer((socket) => {
      reached();
      socket.destroy();
    });
    await new Promise<void>((resolve) => inside.listen(0, '127.0.0.1', resolve));
    const { port } = inside.address() as AddressInfo;
    const owner = await makeUser(app);
    const { id } = await makeEndpoint(owner, `https://public.example:${port}/`);
    try {
      names['public.example'] = ['127.0.0.1'];
      for (const url of [null, `https://127.0.0.1:${port}/`, `http://127.0.0.1:${port}/`, `https://[::1]:${port}/`]) {
        if (url !== null) await sql`update webhook_endpoints set url = ${url} where id = ${id}`.execute(app.db);
        await requestTest(owner, id);
        await waitUntil(
          () => listDeliveries(owner, id),
          ([newest]) => newest?.attempts === 1,
        );
      }
      expect(reached).not.toHaveBeenCalled();
    } finally {
      names['public.example'] = ['93.184.216.34'];
      inside.close();
    }
  });
});

describe('a message', () => {
  it('is signed as Standard Webhooks says, and listed without its content', async () => {
    const { user, path, endpoint } = await makeReceiving(app, receiver);
    const answer = await requestTest(user, endpoint.id);
    expect(answer.status).toBe(202);
    const queued = webhookDeliverySchema.strict().parse(await answer.json());
    const [message] = await receiver.hear(path, 1);
    if (message === undefined) throw new Error('nothing was heard');
    expect(new Webhook(endpoint.secret).verify(message.body, message.headers as Record<string, string>)).toEqual({
      type: 'test',
      timestamp: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
      data: { endpointId: endpoint.id },
    });
    expect(message.headers).toMatchObject({ 'content-type': 'application/json', 'webhook-id': queued.id });
    const [listed] = await waitUntil(
      () => listDeliveries(user, endpoint.id),
      ([newest]) => newest?.status === 'delivered',
    );
    expect(listed).toEqual({
      id: queued.id,
      event: 'test',
      status: 'delivered',
      attempts: 1,
      nextTryAt: null,
      createdAt: queued.createdAt,
    });
    const logged = await user.get(`/api/v1/webhook-endpoints/${endpoint.id}/deliveries/${queued.id}`);
    expect(webhookLogEntrySchema.strict().parse(logged)).toEqual({
      ...listed,
      createdAt: expect.any(String),
      body: message.body,
    });
  });

  it('is sent again with the same id and bytes while it is kept, to its owner alone, and forgotten in time', async () => {
    const { user, path, endpoint } = await makeReceiving(app, receiver);
    const { id } = (await (await requestTest(user, endpoint.id)).json()) as WebhookDelivery;
    const delivered = () =>
      waitUntil(
        () => listDeliveries(user, endpoint.id),
        ([newest]) => newest?.status === 'delivered',
      );
    await delivered();
    const log = `/api/v1/webhook-endpoints/${endpoint.id}/deliveries/${id}`;
    const other = await makeReceiving(app, receiver);
    for (const foreign of [log, log.replace(endpoint.id, other.endpoint.id)]) {
      expect((await other.user.fetch(foreign)).status).toBe(404);
      expect((await other.user.fetch(`${foreign}/again`, { method: 'POST' })).status).toBe(404);
    }
    const again = await user.fetch(`${log}/again`, { method: 'POST' });
    expect([again.status, await again.json()]).toMatchObject([202, { id, status: 'pending', attempts: 0 }]);
    const [first, second] = await receiver.hear(path, 2);
    expect([second?.body, second?.headers['webhook-id']]).toEqual([first?.body, id]);
    await delivered();

    await deleteOldDeliveries(app.db, new Date(), new Date(Date.now() + 1000));
    expect(await user.get(log)).toMatchObject({ id, status: 'delivered', body: null });
    expect((await user.fetch(`${log}/again`, { method: 'POST' })).status).toBe(404);
    expect(receiver.received(path)).toHaveLength(2);
  });

  it('is sent again at once, also while a try that will fail is on its way', async () => {
    const { user, path, endpoint } = await makeReceiving(app, receiver);
    const asked = new Promise<ServerResponse>((resolve) => receiver.answer(path, resolve));
    const { id } = (await (await requestTest(user, endpoint.id)).json()) as WebhookDelivery;
    const slow = await asked;
    receiver.answer(path, 204);
    const log = `/api/v1/webhook-endpoints/${endpoint.id}/deliveries/${id}`;
    expect((await user.fetch(`${log}/again`, { method: 'POST' })).status).toBe(202);
    slow.writeHead(500).end();
    await receiver.hear(path, 2, 3000);
    await waitUntil(
      () => listDeliveries(user, endpoint.id),
      ([newest]) => newest?.status === 'delivered',
    );
  });

  it('of a test comes once for a key', async () => {
    const { user, path, endpoint } = await makeReceiving(app, receiver);
    const key = { 'idempotency-key': randomUUID() };
    for (const isReplay of [null, 'true'])
      expect((await requestTest(user, endpoint.id, key)).headers.get('idempotency-replayed')).toBe(isReplay);
    await receiver.hear(path, 1);
    expect(await listDeliveries(user, endpoint.id)).toHaveLength(1);
  });

  it('tells how a generation ended, as the API shows it: succeeded, failed, canceled, redone', async () => {
    const { user, path } = await makeReceiving(app, receiver, { credits: 3, events: ['generation.finished'] });
    const told = async (generation: Generation, count: number) => {
      const message = (await receiver.hear(path, count))[count - 1];
      expect(message && bodyOf<Generation>(message)).toMatchObject({ type: 'generation.finished', data: generation });
    };
    const made = await waitForEnd(user, (await makeGeneration(user)).id);
    expect(made).toMatchObject({ status: 'succeeded', result: { contentUrl: expect.any(String) } });
    await told(made, 1);
    app.provider.behave({ result: () => ({ httpStatus: 500, body: {} }) });
    await told(await waitForEnd(user, (await makeGeneration(user)).id), 2);
    app.provider.behave({ polls: 1_000_000 });
    const { id } = await makeGeneration(user);
    await user.fetch(`${API}/generations/${id}/cancel`, { method: 'POST' });
    const canceled = await waitForEnd(user, id);
    expect(canceled.status).toBe('canceled');
    await told(canceled, 3);
    app.provider.behave({});
    const redone = await makeRedo(user, made.id);
    expect(redone.redoOf).toBe(made.id);
    await told(redone, 4);
    expect(receiver.received(path)).toHaveLength(4);
  });

  it('tells the end of a run once, after its items, and again when another try has ended', async () => {
    const { user, path } = await makeReceiving(app, receiver, { credits: 3 });
    const run = await makeRun(user);
    await makeItem(user, run.id);
    await waitForRun(user, run.id);
    app.provider.behave({ result: () => ({ httpStatus: 500, body: {} }) });
    await makeItem(user, run.id);
    await waitForRun(user, run.id);
    await receiver.hear(path, 2);
    await user.fetch(`${API}/runs/${run.id}/close`, { method: 'POST' });
    const first = (await receiver.hear(path, 3)).map((one) => bodyOf<Run>(one));
    expect(first.map(({ type }) => type)).toEqual(['generation.finished', 'generation.finished', 'run.finished']);
    expect(first[2]?.data).toEqual(await user.get<Run>(`${API}/runs/${run.id}`));
    expect(first[2]?.data).toMatchObject({ status: 'finished', counts: { succeeded: 1, failed: 1 } });
    app.provider.behave({});
    expect((await user.fetch(`${API}/runs/${run.id}/retry`, { method: 'POST' })).status).toBe(202);
    const all = (await receiver.hear(path, 5)).map((one) => bodyOf<Run>(one));
    expect(all.slice(3).map(({ type }) => type)).toEqual(['generation.finished', 'run.finished']);
    expect(all[4]?.data).toMatchObject({ status: 'finished', counts: { succeeded: 2, failed: 0 } });
    // A run that had finished before changes without another message.
    const item = (await user.get<Page<{ id: string }>>(`${API}/runs/${run.id}/items`)).items[0];
    await user.fetch(`${API}/runs/${run.id}/items/${item?.id}`, { method: 'DELETE' });
    await waitUntil(
      () => sql`select from runs where id = ${run.id} and is_news`.execute(app.db),
      ({ rows }) => rows.length === 0,
    );
    expect(await deliveriesOf(user.id)).toBe(5);
  });

  it('tells the end of a canceled run once the last of its items has ended', async () => {
    const { user, path } = await makeReceiving(app, receiver, { credits: 2, events: ['run.finished'] });
    app.provider.behave({ polls: 1_000_000 });
    const run = await makeRun(user);
    await makeItem(user, run.id);
    await makeItem(user, run.id);
    for (let time = 0; time < 2; time += 1) await user.fetch(`${API}/runs/${run.id}/cancel`, { method: 'POST' });
    const [message] = await receiver.hear(path, 1, 15_000);
    expect(message && bodyOf<Run>(message)).toMatchObject({
      type: 'run.finished',
      data: { id: run.id, status: 'canceled', counts: { queued: 0, running: 0, canceled: 2 } },
    });
    expect(await deliveriesOf(user.id)).toBe(1);
  });

  it('goes to every endpoint that wants it, and to no other', async () => {
    const { user, path } = await makeReceiving(app, receiver, { credits: 1, events: ['run.finished'] });
    const [one, two] = [newPath(), newPath()];
    for (const wanting of [one, two]) await makeEndpoint(user, receiver.urlOf(wanting), ['generation.finished']);
    await waitForEnd(user, (await makeGeneration(user)).id);
    const [[a], [b]] = [await receiver.hear(one, 1), await receiver.hear(two, 1)];
    expect(a?.body).toBe(b?.body);
    expect(a && headerOf(a, 'webhook-id')).not.toBe(b && headerOf(b, 'webhook-id'));
    expect(receiver.received(path)).toEqual([]);
  });
});

/** The number of messages ever written for a user. */
async function deliveriesOf(userId: string): Promise<number> {
  const found = await sql<{ count: number }>`
    select count(*) as count from webhook_deliveries d join webhook_endpoints e on e.id = d.endpoint_id
    where e.user_id = ${userId}`.execute(app.db);
  return found.rows[0]?.count ?? -1;
}
