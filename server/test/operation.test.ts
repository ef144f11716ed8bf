import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import type { IncomingMessage } from 'node:http';
import { existsSync, mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { approvePurchase, rejectPurchase } from '../src/payments/review.ts';
import { systemClock } from '../src/platform/clock.ts';
import { runAdmin, startAdmin } from './admin.ts';
import { startTestApp, type TestApp } from './app.ts';
import {
  makeGeneration,
  makePicture,
  makePurchase,
  makeUser,
  postJson,
  submit,
  type TestUser,
  waitForEnd,
  waitUntil,
} from './makers.ts';
import { sendWebhook } from './sandbox-webhook.ts';
import { freePort, listen, openSocket } from './wire.ts';

let app: TestApp;
let user: TestUser;
let metricsPort: number;
beforeAll(async () => {
  metricsPort = await freePort();
  app = await startTestApp({ METRICS_PORT: String(metricsPort) });
  user = await makeUser(app, { credits: 5 });
});
afterAll(() => app.close());

const readMetrics = async () => (await fetch(`http://127.0.0.1:${metricsPort}/metrics`)).text();
/** The value of a series, by its full name; undefined if it is missing. */
async function valueOf(series: string): Promise<number | undefined> {
  const line = (await readMetrics()).split('\n').find((one) => one.startsWith(`${series} `));
  return line === undefined ? undefined : Number(line.split(' ').at(-1));
}

describe('/healthz', () => {
  it('reports that the process serves, whatever else is broken', async () => {
    const answer = await fetch(`${app.url}/healthz`);
    expect([answer.status, await answer.json()]).toEqual([200, { status: 'ok' }]);
    expect((await fetch(`${app.url}/healthz`, { headers: { cookie: 'session=dead' } })).status).toBe(200);
  });
});

/** Resolves once this many requests for this path have reached a server of this process. */
function awaitRequests(path: string, count: number): Promise<void> {
  return new Promise((resolve) => {
    let left = count;
    const note = (message: unknown) => {
      if ((message as { request: IncomingMessage }).request.url !== path) return;
      left -= 1;
      if (left > 0) return;
      unsubscribe('http.server.request.start', note);
      resolve();
    };
    subscribe('http.server.request.start', note);
  });
}

describe('a server that is told to stop', () => {
  it(
    'answers what was asked before, also an upload that is half here, and then is gone',
    { tags: ['slow'] },
    async () => {
      const leaving = await startTestApp();
      try {
        const owner = await makeUser(leaving, { credits: 1 });
        const form = new FormData();
        form.set('image', new Blob([new Uint8Array(await makePicture())], { type: 'image/jpeg' }), 'a.jpg');
        const request = new Request(leaving.url, { method: 'POST', body: form });
        const body = Buffer.from(await request.arrayBuffer());
        const upload = openSocket(leaving);
        let answer = '';
        upload.setEncoding('latin1').on('data', (text: string) => (answer += text));
        const closed = new Promise((resolve) => upload.once('close', resolve));
        // If the server has closed it, `closed` and `answer` report that; an unhandled error would end this process.
        upload.on('error', () => undefined);
        upload.write(
          `POST /api/v1/tools/remover/generations HTTP/1.1\r\nhost: localhost\r\ncookie: ${owner.cookie}\r\n` +
            `idempotency-key: k\r\ncontent-type: ${request.headers.get('content-type')}\r\n` +
            `content-length: ${body.byteLength}\r\n\r\n`,
        );
        upload.write(body.subarray(0, 100));
        const idle = openSocket(leaving);
        idle.on('error', () => undefined);
        const stream = await listen(leaving, owner.cookie);
        await stream.waitForEvent('hello');
        const arrival = awaitRequests('/api/v1/auth/sign-up', 6);
        const requests = Array.from({ length: 6 }, (_, at) =>
          postJson(`${leaving.url}/api/v1/auth/sign-up`, { email: `late${at}@example.com`, password: 's3cret-enough' }),
        );
        await arrival;
        const port = Number(new URL(leaving.url).port);
        const startedAt = performance.now();
        const gone = leaving.restart();
        setTimeout(() => upload.write(body.subarray(100)), 400);
        expect((await Promise.all(requests)).map(({ status }) => status)).toEqual(Array(6).fill(201));
        await closed;
        expect(answer).toMatch(/^HTTP\/1.1 202 /);
        await gone;
        expect(performance.now() - startedAt).toBeLessThan(9000);
        const door = connect(port, '127.0.0.1');
        expect(await new Promise((resolve) => door.once('error', resolve))).toMatchObject({ code: 'ECONNREFUSED' });
        await waitForEnd(owner, (JSON.parse(answer.split('\r\n\r\n')[1] ?? '') as { id: string }).id);
      } finally {
        await leaving.close();
      }
    },
  );

  it('waits only a limited time for an endless request', { tags: ['slow'] }, async () => {
    const leaving = await startTestApp();
    const slow = openSocket(leaving);
    const closed = new Promise((resolve) => slow.once('close', resolve));
    slow.on('error', () => undefined);
    slow.write('POST /api/v1/auth/sign-in HTTP/1.1\r\nhost: localhost\r\ncontent-length: 20\r\n');
    slow.write('content-type: application/json\r\n\r\n{');
    await new Promise((resolve) => setTimeout(resolve, 50));
    const startedAt = performance.now();
    await leaving.close();
    await closed;
    expect(performance.now() - startedAt).toBeGreaterThan(2000);
    expect(performance.now() - startedAt).toBeLessThan(9000);
  });
});

describe('an operator command', () => {
  it.each([
    [['check', '--foo'], 64],
    [['check', 'more'], 64],
    [['check', '--email', 'a@example.com'], 64],
    [['delete-user'], 64],
    [['delete-user', '--email'], 64],
    [['launch'], 64],
    [[], 64],
    [['--help'], 0],
    [['delete-user', '--email', 'nobody@example.com', '--json'], 2],
    [['check', '--json'], 0],
  ])('%j ends with %i', async (words, wanted) => {
    const { code, out, err } = await runAdmin(app, words);
    expect(code, err).toBe(wanted);
    expect(err).not.toMatch(/^ +at /m);
    if (code === 64) expect([out, err]).toEqual(['', expect.stringContaining('npm run admin -- check')]);
    if (code === 0) expect(out).not.toBe('');
  });

  it.each([['check', '--foo'], ['check', '--json'], ['--help']])(
    '%s %s does the same as a process',
    { tags: ['slow'] },
    async (...words) => {
      expect(await startAdmin(app, words)).toEqual(await runAdmin(app, words));
    },
  );

  it('says in one line that there is no data folder, and makes none', async () => {
    const settings = { DATA_DIR: `${app.dataDir}/not-there`, DATABASE_URL: '' };
    const { code, err } = await runAdmin(app, ['check'], settings);
    expect([code, err.trim().split('\n').length]).toEqual([70, 1]);
    expect(existsSync(`${app.dataDir}/not-there`)).toBe(false);
  });
});

describe('/readyz', () => {
  const read = async () => {
    const start = performance.now();
    const answer = await fetch(`${app.url}/readyz`);
    return { status: answer.status, body: (await answer.json()) as object, ms: performance.now() - start };
  };

  it('says that everything is there', async () => {
    const { status, body } = await read();
    expect(status).toBe(200);
    expect(body).toEqual({ status: 'ready', checks: { database: 'ok', storage: 'ok', queue: 'ok' } });
  });

  it('names a storage that cannot be used within 2 s, without details, and comes back by itself', async () => {
    const folder = join(app.dataDir, 'files');
    mkdirSync(folder, { recursive: true });
    renameSync(folder, `${folder}.away`);
    writeFileSync(folder, 'not a folder');
    const unready = await read();
    expect(unready.status).toBe(503);
    expect(unready.ms).toBeLessThan(2000);
    expect(unready.body).toEqual({
      status: 'unready',
      checks: { database: 'ok', storage: expect.any(String), queue: 'ok' },
    });
    expect(JSON.stringify(unready.body)).not.toMatch(/"storage":"ok"|ENOTDIR|EEXIST|\//);
    expect((await fetch(`${app.url}/healthz`)).status).toBe(200);
    rmSync(folder);
    renameSync(`${folder}.away`, folder);
    expect((await read()).status).toBe(200);
  });
});

describe('/readyz with a clock that is wrong', () => {
  it.each([
    [-3600, 503, { clock: 'failed' }],
    [3600, 503, { clock: 'failed' }],
    [30, 200, {}],
  ])('by %d s answers %d', { tags: ['slow'] }, async (seconds, status, more) => {
    const wrong = await startTestApp({}, { now: () => new Date(Date.now() + seconds * 1000) });
    const answer = await fetch(`${wrong.url}/readyz`);
    expect([answer.status, await answer.json()]).toMatchObject([
      status,
      { checks: { database: 'ok', storage: 'ok', queue: 'ok', ...more } },
    ]);
    await wrong.close();
  });
});

it('a worker answers for its health on a port of its own, and for nothing else', async () => {
  const port = await freePort();
  const worker = await startTestApp({ ROLE: 'worker', HEALTH_PORT: String(port), METRICS_HOST: '127.0.0.2' });
  const ask = (path: string) => fetch(`http://127.0.0.2:${port}${path}`);
  expect(await (await ask('/healthz')).json()).toEqual({ status: 'ok' });
  expect((await ask('/readyz')).status).toBe(200);
  expect((await ask('/api/v1/packages')).status).toBe(404);
  await expect(fetch(`http://127.0.0.1:${port}/healthz`)).rejects.toThrow();
  await worker.close();
  await expect(ask('/healthz')).rejects.toThrow();
});

describe('/metrics', () => {
  const REQUIRED: [name: string, type: string, labels: string[]][] = [
    ['http_requests_total', 'counter', ['method', 'route', 'status']],
    ['http_request_duration_seconds', 'histogram', ['method', 'route']],
    ['sse_clients', 'gauge', []],
    ['generations', 'gauge', ['status']],
    ['queue_depth', 'gauge', []],
    ['queue_oldest_seconds', 'gauge', []],
    ['provider_requests_total', 'counter', ['operation', 'outcome', 'provider']],
    ['webhooks_total', 'counter', ['outcome', 'sender']],
    ['payments_in_review', 'gauge', []],
    ['credits_ledger_sum', 'gauge', []],
    ['credits_balance_sum', 'gauge', []],
    ['ledger_violations', 'gauge', []],
    ['ledger_last_walk_timestamp_seconds', 'gauge', []],
    ['storage_objects', 'gauge', ['kind']],
    ['storage_bytes', 'gauge', ['kind']],
    ['storage_orphans', 'gauge', []],
    ['retention_last_success_timestamp_seconds', 'gauge', []],
    ['retention_oldest_object_seconds', 'gauge', []],
    ['process_resident_memory_bytes', 'gauge', []],
    ['nodejs_eventloop_lag_p99_seconds', 'gauge', []],
  ];

  beforeAll(async () => {
    await waitForEnd(user, (await makeGeneration(user, { tool: 'text-to-image', prompt: 'SECRET-PROMPT' })).id);
    const purchase = await makePurchase(user, 'basic');
    const token = purchase.checkoutUrl.split('/').at(-1);
    await postJson(`${app.url}/api/v1/sandbox/checkout/${token}`, { action: 'pay' }, { cookie: user.cookie });
    await user.fetch('/api/v1/generations/gen_unknown');
    await user.fetch('/api/v1/SECRET-PATH?email=a@example.com');
  });

  it.each(REQUIRED)('has %s as a %s with the labels %j', async (name, type, labels) => {
    const lines = (await readMetrics()).split('\n');
    expect(lines).toContain(`# TYPE ${name} ${type}`);
    const series = lines.filter((line) => new RegExp(`^${name}(_count)?(\\{| )`).test(line));
    expect(series.length).toBeGreaterThan(0);
    for (const line of series) {
      const found = [...line.matchAll(/(\w+)="/g)].map((match) => match[1] ?? '');
      expect(found.sort()).toEqual(labels);
      expect(Number.isFinite(Number(line.split(' ').at(-1)))).toBe(true);
    }
  });

  it('counts what happened', async () => {
    expect(await valueOf('generations{status="succeeded"}')).toBe(1);
    expect(await valueOf('generations{status="queued"}')).toBe(0);
    expect(await valueOf('storage_objects{kind="upload"}')).toBe(1);
    expect(await valueOf('storage_objects{kind="result"}')).toBe(1);
    expect(await valueOf('storage_bytes{kind="result"}')).toBeGreaterThan(100);
    const { credits } = await user.get<{ credits: number }>('/api/v1/credits');
    expect(credits).toBe(14);
    expect(await valueOf('credits_ledger_sum')).toBe(credits);
    expect(await valueOf('credits_balance_sum')).toBe(credits);
    expect(await valueOf('ledger_violations')).toBe(0);
    expect(await valueOf('webhooks_total{sender="sandbox",outcome="processed"}')).toBe(1);
    expect(await valueOf('retention_last_success_timestamp_seconds')).toBeGreaterThan(Date.now() / 1000 - 120);
    expect(await valueOf('retention_oldest_object_seconds')).toBeLessThan(120);
    await sql`insert into return_counts (tool, reason, count) values ('remover', 'edges', 2)`.execute(app.db);
    expect(await valueOf('returns{tool="remover",reason="edges"}')).toBe(2);
    const stream = await listen(app, user.cookie);
    await stream.waitForEvent('hello');
    expect(await valueOf('sse_clients')).toBe(1);
    stream.close();
    app.provider.behave({ polls: 10_000 });
    const { id } = await makeGeneration(user);
    await waitUntil(
      () => valueOf('generations{status="running"}'),
      (count) => count === 1,
    );
    await user.fetch(`/api/v1/generations/${id}/cancel`, { method: 'POST' });
    app.provider.behave({});
    await waitForEnd(user, id);
    expect(await valueOf('generations{status="canceled"}')).toBe(1);
  });

  it('reports how many payments await review', async () => {
    const pay = (purchaseId: string, amount: number, paymentId: string) =>
      sendWebhook(
        app,
        JSON.stringify({ type: 'payment.succeeded', data: { purchaseId, paymentId, amount, currency: 'USD' } }),
      );
    expect(await valueOf('payments_in_review')).toBe(0);
    const [wrong, twice] = [await makePurchase(user, 'basic'), await makePurchase(user, 'basic')];
    await pay(wrong.id, 1, 'pay_wrong');
    expect(await valueOf('payments_in_review')).toBe(1);
    for (const payment of ['pay_first', 'pay_second', 'pay_third']) await pay(twice.id, twice.price.amount, payment);
    expect(await valueOf('payments_in_review')).toBe(2);
    const options = { db: app.db, clock: systemClock, seller: { name: null, address: null, taxId: null, email: null } };
    expect(await rejectPurchase(options, twice.id)).toBe('rejected');
    expect(await approvePurchase(options, wrong.id)).toBe('approved');
    expect(await valueOf('payments_in_review')).toBe(0);
  });

  it('has routes, never addresses, and nothing of anybody', async () => {
    await submit(user, { tool: 'SECRET-TOOL' });
    await fetch(`${app.url}/SECRET-PAGE`, { method: 'PROPFIND' });
    const text = await readMetrics();
    expect(text).toContain('route="/api/v1/generations/:id"');
    for (const secret of ['SECRET', user.id, user.email, '@', 'gen_', 'med_', 'usr_', 'pur_', 'ses_'])
      expect(text).not.toContain(secret);
  });

  it('is on its own port alone, and only there', async () => {
    expect((await fetch(`${app.url}/metrics`)).status).toBe(404);
    const answer = await fetch(`http://127.0.0.1:${metricsPort}/metrics`);
    expect(answer.headers.get('content-type')).toMatch(/^text\/plain; version=0\.0\.4/);
    for (const path of ['/', '/api/v1/session', '/metrics/x']) {
      expect((await fetch(`http://127.0.0.1:${metricsPort}${path}`)).status).toBe(404);
    }
    expect((await fetch(`http://127.0.0.1:${metricsPort}/metrics`, { method: 'POST' })).status).toBe(404);
  });
});
