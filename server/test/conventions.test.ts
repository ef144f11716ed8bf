import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { BEFORE_STRANGERS, startTestApp, type TestApp } from './app.ts';
import { makeGeneration, makePurchase, makeUser, postJson, readCookie, type TestUser, waitForEnd } from './makers.ts';
import { describeAnswer, expectProblem, sendRaw } from './wire.ts';

let app: TestApp;
let user: TestUser;
beforeAll(async () => {
  app = await startTestApp();
  user = await makeUser(app, { credits: 20 });
});
afterAll(() => app.close());

const API = '/api/v1';
const UNKNOWN_ID = 'gen_AAAAAAAAAAAAAAAAAAAAAA';

/** Every path of the contract on this server, with its methods. */
const PATHS: [path: string, methods: string][] = [
  [`${API}/session`, 'GET, HEAD'],
  [`${API}/auth/options`, 'GET, HEAD'],
  [`${API}/auth/sign-up`, 'POST'],
  [`${API}/auth/sign-in`, 'POST'],
  [`${API}/auth/refresh`, 'POST'],
  [`${API}/auth/sign-out`, 'POST'],
  [`${API}/auth/password`, 'POST'],
  [`${API}/auth/sessions`, 'DELETE, GET, HEAD'],
  [`${API}/account/billing`, 'GET, HEAD, PUT'],
  [`${API}/auth/sessions/ses_x`, 'DELETE'],
  [`${API}/account`, 'DELETE'],
  [`${API}/account/export`, 'GET, HEAD'],
  [`${API}/keys`, 'GET, HEAD, POST'],
  [`${API}/keys/key_x`, 'DELETE'],
  [`${API}/credits`, 'GET, HEAD'],
  [`${API}/credits/history`, 'GET, HEAD'],
  [`${API}/openapi.json`, 'GET, HEAD'],
  [`${API}/credits/statement`, 'GET, HEAD'],
  [`${API}/packages`, 'GET, HEAD'],
  [`${API}/status`, 'GET, HEAD'],
  [`${API}/purchases`, 'GET, HEAD, POST'],
  [`${API}/purchases/pur_x`, 'GET, HEAD'],
  [`${API}/tools`, 'GET, HEAD'],
  [`${API}/tools/remover/generations`, 'POST'],
  [`${API}/generations`, 'GET, HEAD'],
  [`${API}/generations/gen_x`, 'GET, HEAD'],
  [`${API}/generations/gen_x/cancel`, 'POST'],
  [`${API}/events`, 'GET, HEAD'],
  ['/mcp', 'POST'],
  [`${API}/media`, 'GET, HEAD'],
  // Could be the name of an item.
  [`${API}/media/receipts`, 'DELETE, GET, HEAD'],
  [`${API}/media/med_x`, 'DELETE, GET, HEAD'],
  [`${API}/media/med_x/preview`, 'GET, HEAD'],
  [`${API}/generations/gen_x/redo`, 'POST'],
  [`${API}/generations/gen_x/return`, 'POST'],
  [`${API}/scenes`, 'GET, HEAD'],
  [`${API}/webhook-endpoints`, 'GET, HEAD, POST'],
  [`${API}/webhook-endpoints/whe_x`, 'DELETE'],
  [`${API}/webhook-endpoints/whe_x/test`, 'POST'],
  [`${API}/webhook-endpoints/whe_x/deliveries`, 'GET, HEAD'],
  [`${API}/webhook-endpoints/whe_x/deliveries/msg_x`, 'GET, HEAD'],
  [`${API}/webhook-endpoints/whe_x/deliveries/msg_x/again`, 'POST'],
  [`${API}/media/med_x/content`, 'GET, HEAD'],
  [`${API}/media/med_x/download`, 'GET, HEAD'],
  [`${API}/sandbox/checkout/x`, 'POST'],
  ['/sandbox/checkout/x', 'GET, HEAD'],
  ['/webhooks/sandbox', 'POST'],
  ['/healthz', 'GET, HEAD'],
  ['/readyz', 'GET, HEAD'],
];

describe('ids, times and money', () => {
  it('carry a prefix and at least 128 random bits, and do not follow each other', async () => {
    const ids: [string, string][] = [['usr', user.id]];
    for (let round = 0; round < 3; round += 1) {
      const generation = await waitForEnd(user, (await makeGeneration(user)).id);
      ids.push(['gen', generation.id], ['med', generation.result?.mediaId ?? '']);
      ids.push(['pur', (await makePurchase(user)).id]);
    }
    for (const entry of await user.ledger()) ids.push(['txn', entry.id]);
    const sessions = await user.get<{ items: { id: string }[] }>(`${API}/auth/sessions`);
    ids.push(['ses', sessions.items[0]?.id ?? '']);
    for (const [prefix, id] of ids) expect(id).toMatch(new RegExp(`^${prefix}_[A-Za-z0-9_-]{22,}$`));
    expect(new Set(ids.map(([, id]) => id.slice(0, 12))).size).toBe(ids.length);
  });

  it('say times in UTC with milliseconds and Z, and money as whole minor units', async () => {
    const moment = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;
    const answers = [
      await user.get<object>(`${API}/session`),
      await user.get<object>(`${API}/auth/sessions`),
      await user.get<object>(`${API}/generations`),
      await user.get<object>(`${API}/media`),
      await user.get<object>(`${API}/credits/history`),
      await user.get<object>(`${API}/purchases`),
    ];
    const times = [...JSON.stringify(answers).matchAll(/"(\w+At)":("[^"]*"|null)/g)];
    expect(times.length).toBeGreaterThan(20);
    for (const [, name, value] of times)
      expect(value === 'null' || moment.test(JSON.parse(value ?? '') as string), name).toBe(true);
    expect(JSON.stringify(answers)).not.toMatch(/\d\.\d+[,}]/);
    const { items } = await user.get<{ items: { price: object }[] }>(`${API}/packages`);
    expect(items.map((item) => item.price)).toEqual([1000, 1500, 2000].map((amount) => ({ amount, currency: 'USD' })));
  });
});

describe('a list', () => {
  const LISTS = [
    'credits/history',
    'generations',
    'media',
    'media/receipts',
    'purchases',
    'auth/sessions',
    'webhook-endpoints',
    'keys',
  ];

  it.each(LISTS)('%s refuses limits outside 1 to 100, foreign parameters and unreadable cursors', async (list) => {
    for (const limit of ['0', '101', '-1', '1.5', 'x', '', '1e1', '٣']) {
      const answer = await user.fetch(`${API}/${list}?limit=${encodeURIComponent(limit)}`);
      expect((await expectProblem(answer, 'invalid_option')).fields?.[0]?.field).toBe('limit');
    }
    for (const limit of ['1', '100']) expect((await user.fetch(`${API}/${list}?limit=${limit}`)).status).toBe(200);
    await expectProblem(await user.fetch(`${API}/${list}?offset=2`), 'unknown_field');
    const written = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url');
    const now = '2026-03-04 08:00:00+00';
    const cursors = ['x', '', '%00', written([]), written(['1', 'gen_x']), written([now, '\u0000']), written({ a: 1 })];
    cursors.push(
      written([now, 'x'.repeat(90)]),
      written(['2026-13-45T00:00:00Z', 'a']),
      'a'.repeat(4000),
      written([now]),
    );
    cursors.push(
      written(['infinity', 'a']),
      written(['2026-02-31 08:00:00+00', 'a']),
      written(["2026-03-04' or 1=1 --", 'a']),
    );
    for (const cursor of cursors) {
      await expectProblem(await user.fetch(`${API}/${list}?cursor=${cursor}`), 'malformed_request');
    }
    await expectProblem(await user.fetch(`${API}/${list}?cursor=a&cursor=b`), 'malformed_request');
  });

  it('names the place in the ledger by the entry, not by how many entries everybody has', async () => {
    const page = await user.get<{ items: { id: string }[]; nextCursor: string }>(`${API}/credits/history?limit=1`);
    const [, id] = JSON.parse(Buffer.from(page.nextCursor, 'base64url').toString()) as string[];
    expect(id).toBe(page.items[0]?.id);
  });

  it('takes no cursor of another list for its own, and never fails over one', async () => {
    const cursors = new Map<string, string>();
    for (const list of ['credits/history', 'generations', 'media', 'purchases']) {
      const page = await user.get<{ nextCursor: string }>(`${API}/${list}?limit=1`);
      expect(page.nextCursor).toMatch(/^[\w-]+$/);
      cursors.set(list, page.nextCursor);
    }
    for (const list of cursors.keys()) {
      for (const cursor of cursors.values()) {
        expect((await user.fetch(`${API}/${list}?cursor=${cursor}`)).status).toBeLessThan(500);
      }
    }
  });

  it('repeats and drops nothing of what was there when page 1 was read, though more comes meanwhile', async () => {
    const reader = await makeUser(app);
    await insertGenerations(reader, 45);
    const before = await reader.get<{ items: { id: string }[] }>(`${API}/generations?limit=100`);
    const read: string[] = [];
    let cursor: string | null = '';
    while (cursor !== null) {
      const query: string = cursor === '' ? '' : `&cursor=${cursor}`;
      const page = await reader.get<{ items: { id: string }[]; nextCursor: string | null }>(
        `${API}/generations?limit=7${query}`,
      );
      expect(page.items.length).toBeLessThanOrEqual(7);
      read.push(...page.items.map((item) => item.id));
      cursor = page.nextCursor;
      await insertGenerations(reader, 3);
    }
    expect(read).toEqual(before.items.map((item) => item.id));
    expect(read).toHaveLength(45);
  });

  it('shows twenty when no limit is given, newest first, ties by id', async () => {
    const reader = await makeUser(app);
    await insertGenerations(reader, 25);
    const page = await reader.get<{ items: { id: string; createdAt: string }[] }>(`${API}/generations`);
    expect(page.items).toHaveLength(20);
    const keys = page.items.map((item) => `${item.createdAt} ${item.id}`);
    const ordered = await sql<{ id: string }>`
      select id from generations where user_id = ${reader.id} order by created_at desc, id desc limit 20`.execute(
      app.db,
    );
    expect(page.items.map((item) => item.id)).toEqual(ordered.rows.map((row) => row.id));
    expect(new Set(keys.map((key) => key.split(' ')[0])).size).toBeLessThan(20);
  });
});

/** Inserts ended generations, five per moment, directly into the database. */
async function insertGenerations(owner: TestUser, count: number): Promise<void> {
  await sql`
    insert into generations (id, user_id, tool, cost, input, status, created_at, finished_at)
    select 'gen_' || replace(gen_random_uuid()::text, '-', ''), ${owner.id}, 'remover', 1, '{}', 'succeeded',
      date_trunc('milliseconds', now()) - interval '1 millisecond' * (n / 5), now()
    from generate_series(1, ${count}::int) n`.execute(app.db);
}

describe('a cookie', () => {
  it('is called session on a loopback address, HttpOnly, Lax, and not Secure', async () => {
    const answer = await postJson(`${app.url}${API}/auth/sign-in`, { email: user.email, password: user.password });
    const cookie = answer.headers.getSetCookie();
    expect(cookie).toHaveLength(1);
    expect(cookie[0]).toMatch(/^session=[\w-]{43}; /);
    const rules = cookie[0]
      ?.split('; ')
      .slice(1)
      .map((rule) => rule.replace(/=.*GMT$/, ''));
    expect(rules?.sort()).toEqual(['Expires', 'HttpOnly', 'Path=/', 'SameSite=Lax']);
    expect(await answer.text()).not.toContain(readCookie(answer).split('=')[1]);
  });

  it('is bound to host and channel behind https, where nothing else is a session', async () => {
    const secure = await startTestApp(BEFORE_STRANGERS);
    try {
      const owner = await makeUser(secure);
      expect(owner.cookie).toMatch(/^__Host-session=/);
      const answer = await postJson(`${secure.url}${API}/auth/sign-in`, {
        email: owner.email,
        password: owner.password,
      });
      expect(answer.headers.getSetCookie()[0]).toMatch(/; Path=\/;.*; HttpOnly; Secure; SameSite=Lax$/);
      expect(answer.headers.getSetCookie()[0]).not.toMatch(/domain/i);
      const plain = { cookie: owner.cookie.replace('__Host-', '') };
      await expectProblem(await fetch(`${secure.url}${API}/session`, { headers: plain }), 'no_active_session');
      expect((await owner.fetch(`${API}/session`)).status).toBe(200);
      const dead = await fetch(`${secure.url}${API}/session`, { headers: { cookie: '__Host-session=dead' } });
      expect(dead.headers.getSetCookie()[0]).toMatch(/^__Host-session=; Max-Age=0; Path=\/; .*Secure/);
      const own = { cookie: owner.cookie, origin: 'https://shop.example' };
      expect((await fetch(`${secure.url}${API}/auth/refresh`, { method: 'POST', headers: own })).status).toBe(200);
      const foreign = { cookie: owner.cookie, origin: secure.url };
      const refused = await fetch(`${secure.url}${API}/auth/refresh`, { method: 'POST', headers: foreign });
      await expectProblem(refused, 'cross_site_request');
    } finally {
      await secure.close();
    }
  });
});

describe('the cross-site rule', () => {
  const own = () => app.url;
  const cases: [name: string, headers: () => Record<string, string>, isAllowed: boolean][] = [
    ['neither header', () => ({}), true],
    ['Sec-Fetch-Site: same-origin', () => ({ 'sec-fetch-site': 'same-origin' }), true],
    ['Sec-Fetch-Site: none', () => ({ 'sec-fetch-site': 'none' }), true],
    ['Sec-Fetch-Site: same-site', () => ({ 'sec-fetch-site': 'same-site' }), false],
    ['Sec-Fetch-Site: cross-site', () => ({ 'sec-fetch-site': 'cross-site' }), false],
    ['Sec-Fetch-Site: nonsense', () => ({ 'sec-fetch-site': 'nonsense' }), false],
    ['own Origin', () => ({ origin: own() }), true],
    ['foreign Origin', () => ({ origin: 'https://evil.example' }), false],
    ['Origin: null', () => ({ origin: 'null' }), false],
    ['own name on another port', () => ({ origin: 'http://127.0.0.1:1' }), false],
    ['own Origin over https', () => ({ origin: own().replace('http:', 'https:') }), false],
    ['cross-site with own Origin', () => ({ 'sec-fetch-site': 'cross-site', origin: own() }), false],
    ['same-origin with foreign Origin', () => ({ 'sec-fetch-site': 'same-origin', origin: 'https://a.example' }), true],
  ];
  it.each(cases)('%s', async (_name, headers, isAllowed) => {
    const sent = { method: 'POST', headers: { cookie: user.cookie, ...headers() } };
    const lines = Object.entries(sent.headers).map(([name, value]) => `${name}: ${value}\r\n`);
    const host = new URL(app.url).host;
    // fetch() would set these headers itself.
    const head = (method: string, path: string) =>
      `${method} ${path} HTTP/1.1\r\nhost: ${host}\r\ncontent-length: 0\r\n${lines.join('')}\r\n`;
    const answer = await sendRaw(app, [head('POST', `${API}/auth/refresh`)]);
    expect(answer.status).toBe(isAllowed ? 200 : 403);
    if (!isAllowed)
      expect(JSON.parse(answer.body)).toMatchObject({ code: 'cross_site_request', detail: 'Authentication failed' });
    const removed = await sendRaw(app, [head('DELETE', `${API}/media/med_unknown`)]);
    expect(removed.status).toBe(isAllowed ? 404 : 403);
    expect((await sendRaw(app, [head('GET', `${API}/session`)])).status).toBe(200);
    const webhook = await sendRaw(app, [head('POST', '/webhooks/sandbox')]);
    expect(JSON.parse(webhook.body)).toMatchObject({ code: 'webhook_signature_invalid' });
  });

  it('knows this machine by its own names only, while no public origin is set', async () => {
    const ask = (host: string) => sendRaw(app, [`GET ${API}/packages HTTP/1.1\r\nhost: ${host}\r\n\r\n`]);
    for (const host of ['localhost', 'localhost:9', '127.0.0.1', '[::1]:80'])
      expect((await ask(host)).status).toBe(200);
    for (const host of ['evil.example', 'localhost.evil.example', '10.0.0.1', '127.0.0.1.evil.example']) {
      expect(JSON.parse((await ask(host)).body)).toMatchObject({ status: 400, code: 'malformed_request' });
    }
  });

  it('sends no CORS header, whoever asks', async () => {
    for (const method of ['GET', 'OPTIONS', 'POST']) {
      const headers = { origin: 'https://evil.example', 'access-control-request-method': 'POST' };
      const answer = await fetch(`${app.url}${API}/session`, { method, headers });
      expect([...answer.headers.keys()].filter((name) => name.startsWith('access-control'))).toEqual([]);
    }
  });
});

describe('a path', () => {
  it.each(PATHS)('%s takes %s and answers every other method with 405 and Allow', async (path, allowed) => {
    const known = allowed.split(', ');
    for (const method of ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'TRACE', 'PROPFIND', 'QUERY']) {
      if (known.includes(method)) continue;
      const request = `${method} ${path} HTTP/1.1\r\nhost: localhost\r\ncontent-length: 0\r\n\r\n`;
      const answer = await sendRaw(app, [request], method === 'HEAD');
      expect([method, answer.status]).toEqual([method, 405]);
      expect(answer.headers.get('allow')).toBe(allowed);
      expect(answer.headers.get('x-request-id')).toMatch(/^req_/);
      if (method !== 'HEAD') expect(JSON.parse(answer.body)).toMatchObject({ code: 'method_not_allowed', status: 405 });
    }
  });

  it('is unknown in the same words whatever is asked of it', async () => {
    const paths = [
      '/api/v1/unknown',
      '/api/v1',
      '/api',
      '/api/v2/session',
      '/unknown',
      '/webhooks/unknown',
      '/metrics',
    ];
    paths.push('/api/v1/session/', '/api/v1/tools/remover', `/api/v1/${'x'.repeat(3000)}`, '/api/v1/Session', '//');
    for (const path of paths) {
      for (const method of ['GET', 'POST', 'DELETE', 'OPTIONS']) {
        const headers = { 'sec-fetch-site': 'cross-site', host: new URL(app.url).host };
        const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
        const answer = await sendRaw(app, [`${method} ${path} HTTP/1.1\r\n${lines.join('')}content-length: 0\r\n\r\n`]);
        expect([method, path.slice(0, 30), answer.status]).toEqual([method, path.slice(0, 30), 404]);
        expect(JSON.parse(answer.body)).toMatchObject({ code: 'not_found', detail: 'Not found.' });
      }
    }
  });

  it('answers HEAD as it answers GET, without the body', async () => {
    for (const [path, methods] of PATHS) {
      if (!methods.includes('HEAD') || path.endsWith('/events')) continue;
      const [get, head] = [await user.fetch(path), await user.fetch(path, { method: 'HEAD' })];
      expect([path, head.status]).toEqual([path, get.status]);
      for (const name of ['content-type', 'content-length'])
        expect([path, head.headers.get(name)]).toEqual([path, get.headers.get(name)]);
      expect(await head.text()).toBe('');
    }
  });

  it('with a zero character or a broken escape in it names nothing and breaks nothing', async () => {
    for (const path of ['generations/%00', 'media/med_%00/content', 'purchases/a%00b', 'media/%2500/content']) {
      await expectProblem(await user.fetch(`${API}/${path}`), 'not_found');
    }
    const cancel = await user.fetch(`${API}/generations/%00/cancel`, { method: 'POST' });
    await expectProblem(cancel, 'not_found');
    for (const path of ['generations/%E0%A4%A', 'media/%/content', 'purchases/%zz']) {
      const answer = await sendRaw(app, [
        `GET ${API}/${path} HTTP/1.1\r\nhost: localhost\r\ncookie: ${user.cookie}\r\n\r\n`,
      ]);
      expect([400, 404]).toContain(answer.status);
      expect(JSON.parse(answer.body)).toMatchObject({
        status: answer.status,
        requestId: answer.headers.get('x-request-id'),
      });
    }
    const long = await user.fetch(`${API}/generations/${'x'.repeat(5000)}`);
    await expectProblem(long, 'not_found');
  });
});

describe('every answer', () => {
  it('below /api/ is kept by nobody and has a request id of its own', async () => {
    const seen = new Set<string>();
    for (const [path, methods] of PATHS) {
      const method = methods.split(', ')[0] ?? 'GET';
      if (path.endsWith('/events')) continue;
      for (const answer of [await fetch(app.url + path, { method }), await user.fetch(path, { method: 'PUT' })]) {
        if (path.startsWith('/api/')) expect(answer.headers.get('cache-control'), path).toBe('no-store');
        const id = answer.headers.get('x-request-id') ?? '';
        expect(id, path).toMatch(/^req_[\w-]{22,}$/);
        seen.add(id);
        if (answer.status >= 400 && path !== '/readyz') {
          expect(await answer.json(), path).toMatchObject({ requestId: id, status: answer.status });
        }
      }
    }
    expect(seen.size).toBe((PATHS.length - 1) * 2);
    const response = await fetch(`${app.url}/healthz`, { headers: { 'x-request-id': 'mine', 'request-id': 'mine' } });
    expect(response.headers.get('x-request-id')).not.toBe('mine');
  });

  it('is the same for every spelling of an address: an absolute one, and one with letters in percent', async () => {
    const { host, origin } = new URL(app.url);
    for (const path of [`${origin}${API}/credits?x=%2F`, '/%61pi/v1/credits', '/api/%76%31/%63redits?x=%61']) {
      const ask = (method: string, cookie = user.cookie) =>
        sendRaw(app, [`${method} ${path} HTTP/1.1\r\nhost: ${host}\r\ncookie: ${cookie}\r\n\r\n`]);
      const found = await ask('GET');
      expect([found.status, found.headers.get('cache-control')], path).toEqual([200, 'no-store']);
      const wrong = await ask('DELETE');
      expect([wrong.status, wrong.headers.get('allow')], path).toEqual([405, 'GET, HEAD']);
      expect((await ask('GET', '')).status, path).toBe(401);
    }
    const broken = await sendRaw(app, [`GET /%%361pi/v1/credits HTTP/1.1\r\nhost: ${host}\r\n\r\n`]);
    expect([broken.status, broken.headers.get('cache-control')]).toEqual([400, 'no-store']);
  });

  it('says nothing of the machinery', async () => {
    const answers = [await fetch(app.url), await user.fetch(`${API}/generations/x`), await fetch(`${app.url}/healthz`)];
    for (const answer of answers) {
      expect(answer.headers.get('server')).toBeNull();
      expect(answer.headers.get('x-powered-by')).toBeNull();
      expect(answer.headers.get('x-content-type-options')).toBe('nosniff');
    }
  });
});

describe('an object of somebody else', () => {
  it('answers exactly like one that never was', async () => {
    const stranger = await makeUser(app);
    const generation = await waitForEnd(user, (await makeGeneration(user)).id);
    const mediaId = generation.result?.mediaId ?? '';
    const { id: purchaseId } = await makePurchase(user);
    const sessions = await user.get<{ items: { id: string }[] }>(`${API}/auth/sessions`);
    const lookups: [method: string, path: (id: string) => string, id: string][] = [
      ['GET', (id) => `generations/${id}`, generation.id],
      ['POST', (id) => `generations/${id}/cancel`, generation.id],
      ['GET', (id) => `purchases/${id}`, purchaseId],
      ['GET', (id) => `media/${id}/content`, mediaId],
      ['GET', (id) => `media/${id}/download`, mediaId],
      ['HEAD', (id) => `media/${id}/content`, mediaId],
      ['DELETE', (id) => `media/${id}`, mediaId],
      ['DELETE', (id) => `auth/sessions/${id}`, sessions.items[0]?.id ?? ''],
    ];
    for (const [method, path, id] of lookups) {
      const foreign = await describeAnswer(await stranger.fetch(`${API}/${path(id)}`, { method }));
      const unknown = await describeAnswer(await stranger.fetch(`${API}/${path(UNKNOWN_ID)}`, { method }));
      expect(foreign).toEqual(unknown);
      expect(foreign).toMatchObject({ status: 404 });
    }
    expect((await user.fetch(`${API}/media/${mediaId}/content`)).status).toBe(200);
    expect((await user.fetch(`${API}/session`)).status).toBe(200);
    expect(await stranger.get(`${API}/generations`)).toEqual({ items: [], nextCursor: null });
  });

  it('may have the same Idempotency-Key without any influence', async () => {
    const key = randomUUID();
    const other = await makeUser(app);
    const [first, second] = [await makePurchase(user, 'basic', key), await makePurchase(other, 'premium', key)];
    expect(second.id).not.toBe(first.id);
    expect(second.package).toBe('premium');
  });
});
