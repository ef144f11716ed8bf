import { type ApiKey, isForKeys, KEYS_PER_USER, type NewApiKey } from '@plinth/contract/keys';
import type { Page } from '@plinth/contract/paging';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startTestApp, type TestApp } from './app.ts';
import { file, writeForm } from './forms.ts';
import { makeKey, makePicture, makeUser, postJson, type TestUser, waitForEnd, waitUntil } from './makers.ts';
import { expectProblem, listen, makeManualClock, type ManualClock, sendRaw } from './wire.ts';

let app: TestApp;
let user: TestUser;
let clock: ManualClock;
beforeAll(async () => {
  clock = makeManualClock();
  app = await startTestApp({}, clock);
  user = await makeUser(app, { credits: 5 });
});
afterAll(() => app.close());

const API = '/api/v1';
const create = (body: object, headers: Record<string, string> = {}, by = user) =>
  postJson(`${app.url}${API}/keys`, body, { cookie: by.cookie, ...headers });
const listOf = async (by: TestUser) => (await by.get<Page<ApiKey>>(`${API}/keys`)).items;
const ask = (authorization: string, path = `${API}/credits`, init: RequestInit = {}) =>
  fetch(app.url + path, { ...init, headers: { authorization, ...(init.headers as Record<string, string>) } });

describe('making a key', () => {
  it('shows the secret once, keeps its hash, and lists the key without it', async () => {
    const person = await makeUser(app);
    const answer = await create({ name: '  My shop\t' }, {}, person);
    expect(answer.status).toBe(201);
    const key = (await answer.json()) as NewApiKey;
    expect(key).toEqual({
      id: expect.stringMatching(/^key_[\w-]{22}$/),
      name: 'My shop',
      prefix: key.secret?.slice(0, 8),
      secret: expect.stringMatching(/^plk_[\w-]{43}$/),
      createdAt: expect.stringMatching(/Z$/),
      lastUsedAt: null,
    });
    const { secret, ...listed } = key;
    expect(await listOf(person)).toEqual([listed]);
    const rows = await sql`select to_jsonb(k) from api_keys k where id = ${key.id}`.execute(app.db);
    expect(JSON.stringify(rows.rows)).not.toContain(secret?.slice(8));
  });

  it('answers a repeated request without the secret, and makes no second key', async () => {
    const person = await makeUser(app);
    const again = { 'idempotency-key': 'twice' };
    const first = (await (await create({ name: 'Shop' }, again, person)).json()) as NewApiKey;
    const second = await create({ name: 'Shop' }, again, person);
    expect([second.status, second.headers.get('idempotency-replayed')]).toEqual([201, 'true']);
    const { secret, ...rest } = first;
    expect(await second.json()).toEqual(rest);
    expect(await listOf(person)).toHaveLength(1);
    const kept = await sql`select body from idempotency_keys where user_id = ${person.id}`.execute(app.db);
    expect(JSON.stringify(kept.rows)).not.toContain(secret);
    await expectProblem(await create({ name: 'Other' }, again, person), 'idempotency_key_reused');
    await expectProblem(
      await create({ name: 'Other' }, { 'idempotency-key': 'a b' }, person),
      'idempotency_key_invalid',
    );
  });

  it('answers concurrent requests as one, and shows the secret to one of them', async () => {
    const person = await makeUser(app);
    const answers = await Promise.all(
      [1, 2, 3].map(() => create({ name: 'Shop' }, { 'idempotency-key': 'one' }, person)),
    );
    const keys = await Promise.all(answers.map(async (answer) => (await answer.json()) as NewApiKey));
    expect(new Set(keys.map(({ id }) => id)).size).toBe(1);
    expect(keys.filter(({ secret }) => secret !== undefined)).toHaveLength(1);
    expect(await listOf(person)).toHaveLength(1);
  });

  it('asks for a name, and for no more than that', async () => {
    for (const name of [undefined, '', ' \n', '\u200b', 7])
      await expectProblem(await create({ name }), 'name_required');
    await expectProblem(await create({ name: 'x'.repeat(101) }), 'name_too_long');
    await expectProblem(await create({ name: 'Shop', scope: 'all' }), 'unknown_field');
    expect((await create({ name: '🛒'.repeat(100) })).status).toBe(201);
  });

  it('allows twenty per user, also with concurrent requests', async () => {
    const person = await makeUser(app);
    const answers = await Promise.all(
      Array.from({ length: KEYS_PER_USER + 4 }, (_, at) => create({ name: `Key ${at}` }, {}, person)),
    );
    expect(answers.map(({ status }) => status).toSorted()).toEqual([
      ...Array<number>(KEYS_PER_USER).fill(201),
      ...Array<number>(4).fill(409),
    ]);
    const page = await person.get<Page<ApiKey>>(`${API}/keys?limit=15`);
    const rest = await person.get<Page<ApiKey>>(`${API}/keys?limit=15&cursor=${page.nextCursor}`);
    expect(new Set([...page.items, ...rest.items].map(({ id }) => id)).size).toBe(KEYS_PER_USER);
    await person.fetch(`${API}/keys/${rest.items[0]?.id}`, { method: 'DELETE' });
    expect((await create({ name: 'Again' }, {}, person)).status).toBe(201);
  });
});

describe('a key', () => {
  it('makes a picture and reads it, with the scheme in any case and whatever a browser would say', async () => {
    const key = await makeKey(app, user);
    const form = new FormData();
    form.set('image', new Blob([new Uint8Array(await makePicture())], { type: 'image/jpeg' }), 'bag.jpg');
    const made = await ask(`bEaReR   ${key.secret}`, `${API}/tools/remover/generations`, {
      method: 'POST',
      headers: { 'idempotency-key': 'by-key', origin: 'https://elsewhere.example', 'sec-fetch-site': 'cross-site' },
      body: form,
    });
    expect(made.status).toBe(202);
    const { id } = (await made.json()) as { id: string };
    const done = await waitForEnd(user, id);
    expect(done.status).toBe('succeeded');
    const content = await key.fetch(done.result?.contentUrl ?? '');
    expect([content.status, content.headers.get('content-type')]).toEqual([200, 'image/png']);
    expect(await (await key.fetch(`${API}/tools`)).json()).toHaveProperty('returnsLeft');
  });

  it('takes precedence over a cookie', async () => {
    const other = await makeUser(app, { credits: 77 });
    const key = await makeKey(app, user);
    const both = await key.fetch(`${API}/credits`, { headers: { cookie: other.cookie } });
    expect(await both.json()).toEqual({ credits: await user.credits() });
    const wrong = await ask('Bearer plk_wrong', `${API}/credits`, { headers: { cookie: other.cookie } });
    await expectProblem(wrong, 'invalid_key');
  });

  it('is refused where it is wrong or malformed, and a scheme of somebody else is none', async () => {
    const { secret } = await makeKey(app, user);
    for (const authorization of [
      'Bearer',
      'Bearer ',
      `Bearer ${secret}x`,
      `Bearer ${secret.slice(0, -1)}`,
      'bearer plk_ü',
    ]) {
      const answer = await ask(Buffer.from(authorization, 'latin1').toString('latin1'));
      expect(answer.headers.get('www-authenticate')).toBe('Bearer');
      await expectProblem(answer, 'invalid_key');
    }
    await expectProblem(await ask('Bearer plk_wrong', `${API}/packages`), 'invalid_key');
    await expectProblem(await ask('Bearer plk_wrong', `${API}/nowhere`), 'not_found');
    const basic = await ask('Basic dXNlcjpwYXNz', `${API}/credits`, { headers: { cookie: user.cookie } });
    expect(basic.status).toBe(200);
    await expectProblem(await ask(secret), 'authentication_required');
  });

  it('stands for the session where it may, and is asked for a session everywhere else', async () => {
    const key = await makeKey(app, await makeUser(app));
    const publicRoutes = [
      'packs',
      'packages',
      'tools',
      'scenes',
      'auth/options',
      'openapi.json',
      'status',
      'signers',
    ].map((path) => `GET ${API}/${path}`);
    publicRoutes.push(`POST ${API}/verify`);
    const answers: Record<string, string> = {};
    for (const route of app.routes.filter((one) => one.includes(' /api/') && !one.startsWith('HEAD'))) {
      const [method = '', url = ''] = route.split(' ');
      const answer = await key.fetch(url.replace(/:\w+/g, 'x_unknown'), { method });
      const { code = '' } = answer.status === 403 ? ((await answer.json()) as { code: string }) : {};
      if (answer.status !== 403) await answer.body?.cancel();
      expect([route, answer.status === 401]).toEqual([route, false]);
      answers[route] = code === 'session_required' ? 'refused' : 'open';
    }
    const open = (route: string) => isForKeys(route.split(' ')[1] ?? '') || publicRoutes.includes(route);
    expect(answers).toEqual(
      Object.fromEntries(Object.keys(answers).map((route) => [route, open(route) ? 'open' : 'refused'])),
    );
    for (const route of [
      'GET /api/v1/session',
      'POST /api/v1/keys',
      'POST /api/v1/purchases',
      'DELETE /api/v1/account',
    ])
      expect(answers[route]).toBe('refused');
  });

  it('says when it was last used, to the minute', async () => {
    const person = await makeUser(app);
    const key = await makeKey(app, person);
    await key.fetch(`${API}/credits`);
    const first = (await listOf(person))[0]?.lastUsedAt;
    expect(first).toMatch(/Z$/);
    await key.fetch(`${API}/credits`);
    expect((await listOf(person))[0]?.lastUsedAt).toBe(first);
    clock.move(61);
    await key.fetch(`${API}/credits`);
    expect((await listOf(person))[0]?.lastUsedAt).not.toBe(first);
  });
});

describe('a deleted key', () => {
  it('gives no access any more and its stream ends; others stay open', async () => {
    const [gone, stays] = [await makeKey(app, user), await makeKey(app, user)];
    const streams = await Promise.all(
      [gone, stays].map(({ secret }) => listen(app, '', { authorization: `Bearer ${secret}` })),
    );
    await Promise.all(streams.map((stream) => stream.waitForEvent('hello')));
    expect((await user.fetch(`${API}/keys/${gone.id}`, { method: 'DELETE' })).status).toBe(204);
    await expectProblem(await gone.fetch(`${API}/credits`), 'invalid_key');
    await waitUntil(
      async () => streams[0]?.isClosed(),
      (isClosed) => isClosed === true,
    );
    expect(streams[0]?.events.at(-1)).toMatchObject({
      name: 'session',
      body: { state: 'ended', reason: 'signed_out' },
    });
    expect(streams[1]?.isClosed()).toBe(false);
    streams[1]?.close();
    expect((await stays.fetch(`${API}/credits`)).status).toBe(200);
    await expectProblem(await user.fetch(`${API}/keys/${gone.id}`, { method: 'DELETE' }), 'not_found');
  });

  it('is refused for a form that it began before it was deleted, and so is a session that was signed out', async () => {
    const person = await makeUser(app, { credits: 1 });
    const key = await makeKey(app, person);
    const body = writeForm([file(await makePicture(300, 300))]);
    const head = (access: string) =>
      `POST /api/v1/tools/remover/generations HTTP/1.1\r\nhost: localhost\r\n${access}\r\nidempotency-key: k\r\n` +
      `content-type: multipart/form-data; boundary=x\r\ncontent-length: ${body.byteLength}\r\n\r\n`;
    const sendAround = (access: string, end: () => Promise<Response>) =>
      sendRaw(app, [head(access), body.subarray(0, 300), async () => void (await end()), body.subarray(300)]);
    const deleteKey = () => person.fetch(`/api/v1/keys/${key.id}`, { method: 'DELETE' });
    const lost = await sendAround(`authorization: Bearer ${key.secret}`, deleteKey);
    expect(JSON.parse(lost.body)).toMatchObject({ status: 401, code: 'invalid_key' });
    expect(await person.credits()).toBe(1);
    const signOut = () => person.fetch('/api/v1/auth/sign-out', { method: 'POST' });
    const left = await sendAround(`cookie: ${person.cookie}`, signOut);
    expect(JSON.parse(left.body)).toMatchObject({ status: 401, code: 'authentication_required' });
    expect((await sql`select from generations where user_id = ${person.id}`.execute(app.db)).rows).toEqual([]);
  });

  it('is noticed by a stream that missed the notification', async () => {
    const key = await makeKey(app, user);
    const stream = await listen(app, '', { authorization: `Bearer ${key.secret}` });
    await stream.waitForEvent('hello');
    await sql`delete from api_keys where id = ${key.id}`.execute(app.db);
    expect(await stream.waitForEvent('session', () => true, 5000)).toMatchObject({ body: { state: 'ended' } });
  });

  it('includes all keys of a deleted account', async () => {
    const person = await makeUser(app);
    const key = await makeKey(app, person);
    const body = JSON.stringify({ password: person.password });
    const headers = { 'content-type': 'application/json' };
    expect((await person.fetch(`${API}/account`, { method: 'DELETE', headers, body })).status).toBe(204);
    await expectProblem(await key.fetch(`${API}/credits`), 'invalid_key');
    const left = await sql`select from api_keys where user_id = ${person.id}`.execute(app.db);
    expect(left.rows).toEqual([]);
  });
});

describe('limits', () => {
  it('are counted for each key by itself', async () => {
    const few = await startTestApp({ RATE_LIMIT_SCALE: '0.05' });
    try {
      const person = await makeUser(few);
      const [one, two] = [await makeKey(few, person), await makeKey(few, person)];
      const checks = async (by: typeof one) => (await by.fetch(`${API}/checks`, { method: 'POST' })).status;
      for (let at = 0; at < 3; at += 1) expect(await checks(one)).not.toBe(429);
      expect(await checks(one)).toBe(429);
      expect(await checks(two)).not.toBe(429);
    } finally {
      await few.close();
    }
  });
});
