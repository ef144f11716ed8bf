import { randomBytes } from 'node:crypto';
import type { AddressInfo } from 'node:net';
import type { FastifyInstance } from 'fastify';
import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { NewApiKey } from '@plinth/contract/keys';
import { lockAccess } from '../src/auth/access.ts';
import { createKey, getKeyCaller } from '../src/auth/keys.ts';
import { addOidcRoutes, type OidcClient } from '../src/auth/oidc.ts';
import { addAuthRoutes } from '../src/auth/routes.ts';
import { addAuthentication } from '../src/callers.ts';
import { readConfig } from '../src/config.ts';
import type { SessionSettings } from '../src/auth/sessions.ts';
import { makeHttp } from '../src/platform/http/http.ts';
import { openRequestLimits } from '../src/platform/http/limits.ts';
import { createLog } from '../src/platform/log.ts';
import { createEndpoint } from '../src/webhooks/endpoints.ts';
import { makeDatabase } from './database.ts';
import { Browser, type Claims, CLIENT_SECRET, FakeIssuer, HONEST, type Lies } from './fake-issuer.ts';

const FAILED = '/auth/callback?error=login_failed';
const issuer = new FakeIssuer();
const clock = { offsetMs: 0, now: () => new Date(Date.now() + clock.offsetMs) };
let database: Awaited<ReturnType<typeof makeDatabase>>;
let http: FastifyInstance;
let origin: string;

async function startServer(options: { publicOrigin?: string; client?: () => OidcClient } = {}) {
  const { publicOrigin } = options;
  const log = createLog('error');
  log.level = 'silent';
  const limits = openRequestLimits(database.pool, 100);
  const isSecure = publicOrigin?.startsWith('https:') === true;
  const sessions: SessionSettings = { clock, ttlSeconds: 3600, idleSeconds: 3600, isSecure };
  const server = await makeHttp({ log, trustProxyHops: 0, publicOrigin });
  addAuthentication(server, database.db, sessions);
  const parts = { db: database.db, limits, sessions, welcomeCredits: 3 };
  const signInOptions = { emailSignUp: true, google: 'google', demo: null, signUpCredits: 3 } as const;
  addAuthRoutes(server, { ...parts, signInOptions });
  const client = () => ({
    issuer: issuer.url,
    clientId: 'client-1',
    clientSecret: CLIENT_SECRET,
    identityIssuer: issuer.url,
  });
  addOidcRoutes(server, { ...parts, clock, log, publicOrigin, client: options.client ?? client });
  await server.listen({ port: 0, host: '127.0.0.1' });
  return { server, url: `http://127.0.0.1:${(server.server.address() as AddressInfo).port}` };
}

beforeAll(async () => {
  database = await makeDatabase();
  await issuer.listen();
  const started = await startServer();
  http = started.server;
  origin = started.url;
});

afterAll(async () => {
  await http?.close();
  issuer.close();
  await database?.drop();
});

beforeEach(() => {
  clock.offsetMs = 0;
  issuer.lies = HONEST;
  issuer.person = {
    sub: `sub-${randomBytes(4).toString('hex')}`,
    email: `${randomBytes(4).toString('hex')}@example.com`,
  };
});

async function start(browser: Browser, at = origin): Promise<URL> {
  const response = await browser.go(`${at}/auth/google/start`);
  expect(response.status).toBe(302);
  return new URL(response.headers.get('location') ?? '', at);
}

async function signIn(browser: Browser): Promise<Response> {
  return browser.go(issuer.agree(await start(browser)));
}

async function readSession(browser: Browser) {
  const response = await browser.go(`${origin}/api/v1/session`);
  expect(response.status).toBe(200);
  return (await response.json()) as {
    user: { id: string; email: string; hasPassword: boolean; providers: string[] };
    credits: number;
  };
}

function expectRefused(response: Response, browser: Browser): void {
  expect(response.status).toBe(302);
  expect(response.headers.get('location')).toBe(FAILED);
  expect(response.headers.getSetCookie().filter((cookie) => /^(__Host-)?session=/.test(cookie))).toEqual([]);
  expect(browser.cookies.has('session')).toBe(false);
}

const countUsers = async () =>
  (
    await sql<{ count: number }>`select count(*) as count from users where email = ${issuer.person.email}`.execute(
      database.db,
    )
  ).rows[0]?.count;

describe('start', () => {
  test('leads to the issuer with everything the contract names', async () => {
    const browser = new Browser();
    const response = await browser.go(`${origin}/auth/google/start`);
    const location = new URL(response.headers.get('location') ?? '');
    expect(`${location.origin}${location.pathname}`).toBe(`${issuer.url}/authorize`);
    const { state, nonce, code_challenge: challenge, ...rest } = Object.fromEntries(location.searchParams);
    expect(rest).toEqual({
      client_id: 'client-1',
      response_type: 'code',
      scope: 'openid email',
      redirect_uri: `${origin}/auth/google/callback`,
      code_challenge_method: 'S256',
      access_type: 'offline',
      prompt: 'consent',
    });
    for (const secret of [state, nonce, challenge]) expect(secret).toMatch(/^[\w-]{43}$/);
    const [cookie = ''] = response.headers.getSetCookie();
    expect(cookie).toBe(`sign-in-${state}=begun; Max-Age=600; Path=/auth/google; HttpOnly; SameSite=Lax`);
    expect(response.headers.get('cache-control')).toBe('no-store');
  });

  test('keeps only a hash of the state', async () => {
    const state = (await start(new Browser())).searchParams.get('state');
    const rows = await sql<{ row: string }>`select sign_in_states::text as row from sign_in_states`.execute(
      database.db,
    );
    expect(rows.rows.length).toBeGreaterThan(0);
    for (const { row } of rows.rows) expect(row).not.toContain(state);
  });

  test('behind https comes back to the public origin with a cookie of the host alone', async () => {
    const { server, url } = await startServer({ publicOrigin: 'https://shop.example' });
    try {
      const response = await fetch(`${url}/auth/google/start`, { redirect: 'manual' });
      const location = new URL(response.headers.get('location') ?? '');
      expect(location.searchParams.get('redirect_uri')).toBe('https://shop.example/auth/google/callback');
      expect(response.headers.getSetCookie()[0]).toMatch(
        /^__Host-sign-in-[\w-]{43}=begun; Max-Age=600; Path=\/; HttpOnly; Secure; SameSite=Lax$/,
      );
    } finally {
      await server.close();
    }
  });

  test('asks a failing issuer again at the next visit, and only once when it answers', async () => {
    const { server, url } = await startServer();
    try {
      issuer.lies = { ...HONEST, down: true };
      const browser = new Browser();
      expectRefused(await browser.go(`${url}/auth/google/start`), browser);
      issuer.lies = HONEST;
      const before = issuer.discoveries;
      for (let visit = 0; visit < 3; visit += 1) expect((await start(browser, url)).origin).toBe(issuer.url);
      expect(issuer.discoveries - before).toBe(1);
    } finally {
      await server.close();
    }
  });

  test.each<Partial<Lies>>([{ down: true }, { discovery: 'page' }, { discovery: 'foreign' }])(
    'sends the person back to the door while discovery answers %j, and works again without a restart',
    async (lie) => {
      const { server, url } = await startServer();
      try {
        issuer.lies = { ...HONEST, ...lie };
        const browser = new Browser();
        const refused = await browser.go(`${url}/auth/google/start`);
        expectRefused(refused, browser);
        expect(refused.headers.get('x-request-id')).toMatch(/^req_/);
        issuer.lies = HONEST;
        const done = await browser.go(issuer.agree(await start(browser, url)));
        expect(done.headers.get('location')).toBe('/auth/callback');
      } finally {
        await server.close();
      }
    },
  );

  test.each(['http://issuer.example', 'http://127.0.0.1.issuer.example', 'not an address'])(
    'refuses the issuer %s',
    async (address) => {
      const client = () => ({
        issuer: address,
        clientId: 'client-1',
        clientSecret: CLIENT_SECRET,
        identityIssuer: address,
      });
      const { server, url } = await startServer({ client });
      try {
        const browser = new Browser();
        expectRefused(await browser.go(`${url}/auth/google/start`), browser);
      } finally {
        await server.close();
      }
    },
  );

  test.each([
    ['/application/o/plinth', '/application/o/plinth'],
    ['/application/o/plinth', '/application/o/plinth/'],
    ['/application/o/plinth/', '/application/o/plinth'],
    ['/application/o/plinth/', '/application/o/plinth/'],
    ['', '/'],
    ['/', ''],
  ])('goes to an issuer that is set as %j and names itself %j, and lets in whom it names', async (set, path) => {
    issuer.lies = { ...HONEST, path };
    const client = { clientId: 'client-1', clientSecret: CLIENT_SECRET, identityIssuer: issuer.url };
    const { OIDC_ISSUER } = readConfig({ OIDC_ISSUER: issuer.url + set });
    const other = await startServer({ client: () => ({ ...client, issuer: OIDC_ISSUER }) });
    const browser = new Browser();
    const answer = await browser.go(issuer.agree(await start(browser, other.url)));
    expect(answer.headers.get('location')).toBe('/auth/callback');
    await other.server.close();
  });

  test.each([
    ['a foreign Host header', 'evil.example'],
    ['one that is no address', '[::1'],
  ])('does not let %s choose where to come back to', async (_, host) => {
    const answer = await http.inject({ url: '/auth/google/start', headers: { host } });
    expect([answer.statusCode, answer.headers.location]).toEqual([400, undefined]);
  });
});

describe('callback', () => {
  test('signs a new person in, with welcome credits and no password', async () => {
    const browser = new Browser();
    const authorization = await start(browser);
    const response = await browser.go(issuer.agree(authorization));
    expect([response.status, response.headers.get('location')]).toEqual([302, '/auth/callback']);
    expect(response.headers.getSetCookie().some((cookie) => cookie.startsWith('session='))).toBe(true);
    expect([...browser.cookies.keys()]).toEqual(['session']);
    const { user, credits } = await readSession(browser);
    expect(user).toMatchObject({ email: issuer.person.email, hasPassword: false, providers: ['google'] });
    expect(credits).toBe(3);
    const sent = issuer.tokenRequests.at(-1);
    expect(sent?.get('redirect_uri')).toBe(`${origin}/auth/google/callback`);
    expect(sent?.get('code_verifier')).toMatch(/^[\w-]{43,}$/);
  });

  test('knows the same subject again, also with another address', async () => {
    const first = new Browser();
    await signIn(first);
    issuer.person.email = `new-${issuer.person.email}`;
    const second = new Browser();
    await signIn(second);
    expect((await readSession(second)).user.id).toBe((await readSession(first)).user.id);
    expect(await countUsers()).toBe(0);
  });

  test.each([
    ['the first tab comes back first', [0, 1]],
    ['the second tab comes back first', [1, 0]],
    ['only the second of three comes back', [1]],
  ])('signs in from several tabs of one browser: %s', async (_what, order) => {
    const browser = new Browser();
    const tabs = [await start(browser), await start(browser), await start(browser)];
    for (const tab of order) {
      const answer = await browser.go(issuer.agree(tabs[tab]!));
      expect(answer.headers.get('location')).toBe('/auth/callback');
      expect((await readSession(browser)).user.email).toBe(issuer.person.email);
    }
  });

  test('signs in from tabs that began at the same moment', async () => {
    const browser = new Browser();
    const tabs = await Promise.all([1, 2, 3].map(() => start(browser)));
    for (const tab of tabs)
      expect((await browser.go(issuer.agree(tab))).headers.get('location')).toBe('/auth/callback');
  });

  test('remembers the last few sign-ins that a browser began, and no more', async () => {
    const browser = new Browser();
    const tabs: URL[] = [];
    for (let tab = 0; tab < 30; tab += 1) tabs.push(await start(browser));
    expect([...browser.cookies].join('; ').length).toBeLessThan(500);
    expectRefused(await browser.go(issuer.agree(tabs[0]!)), browser);
    const answer = await browser.go(issuer.agree(tabs.at(-1)!));
    expect(answer.headers.get('location')).toBe('/auth/callback');
  });

  test.each(['a', 'A'])('gives a second subject with a known address nothing, written as %j', async (letter) => {
    const email = `${letter}-${issuer.person.email}`;
    issuer.person.email = email.toLowerCase();
    const owner = new Browser();
    await signIn(owner);
    issuer.person = { sub: 'whoever has the address today', email };
    const later = new Browser();
    expectRefused(await signIn(later), later);
    const links = await sql`select from identities where subject = ${issuer.person.sub}`.execute(database.db);
    expect(links.rows).toEqual([]);
    expect((await readSession(owner)).user.email).toBe(email.toLowerCase());
  });

  test('ends the session that the browser had before', async () => {
    const browser = new Browser();
    await signIn(browser);
    const old = browser.cookies.get('session');
    await signIn(browser);
    expect(browser.cookies.get('session')).not.toBe(old);
    const answer = await fetch(`${origin}/api/v1/session`, { headers: { cookie: `session=${old}` } });
    expect(answer.status).toBe(401);
  });

  test('gives an unverified password account to the verified owner', async () => {
    const { email } = issuer.person;
    const squatter = new Browser();
    const post = (browser: Browser, path: string) =>
      browser.go(`${origin}/api/v1/auth/${path}`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ email: email.toUpperCase(), password: 'of-the-squatter' }),
      });
    expect((await post(squatter, 'sign-up')).status).toBe(201);
    const session = await readSession(squatter);
    const owner = new Browser();
    await signIn(owner);
    expect((await readSession(owner)).user).toMatchObject({
      id: session.user.id,
      hasPassword: false,
      providers: ['google'],
    });
    expect((await squatter.go(`${origin}/api/v1/session`)).status).toBe(401);
    expect((await post(new Browser(), 'sign-in')).status).toBe(401);
  });

  test('leaves nothing to whoever had the account before: no key, no endpoint, nothing that he asks for late', async () => {
    const { email } = issuer.person;
    const squatter = new Browser();
    await squatter.go(`${origin}/api/v1/auth/sign-up`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ email, password: 'of-the-squatter' }),
    });
    const userId = (await readSession(squatter)).user.id;
    const found = await sql<{ id: string }>`select id from sessions where user_id = ${userId}`.execute(database.db);
    const { db } = database;
    const access = { userId, accessId: found.rows[0]!.id };
    const request = { userId, route: 'keys', key: undefined, payloadHash: Buffer.alloc(0), at: clock.now() };
    const endpoint = { url: 'https://squatter.example/', events: ['generation.finished' as const] };
    const addEndpoint = () => createEndpoint({ db, lockAccess }, access, request, endpoint);
    const { answer } = await createKey(db, access, request, 'left behind');
    const secret = (answer.body as NewApiKey).secret ?? expect.fail('a new key shows its secret');
    await addEndpoint();
    expect(await getKeyCaller(database.db, clock, secret)).toMatchObject({ userId });
    await signIn(new Browser());
    await expect(getKeyCaller(database.db, clock, secret)).rejects.toMatchObject({ code: 'invalid_key' });
    const left = await sql`select from webhook_endpoints where user_id = ${userId}`.execute(database.db);
    expect(left.rows).toEqual([]);
    // Requested before; its body is only read now.
    for (const late of [() => createKey(db, access, request, 'late'), addEndpoint])
      await expect(late()).rejects.toMatchObject({ code: 'authentication_required' });
  });

  const now = Math.floor(Date.now() / 1000);
  const lies: [string, Partial<Lies>][] = [
    ['another nonce', { claims: { nonce: 'other' } }],
    ['no nonce', { without: ['nonce'] }],
    ['another audience', { claims: { aud: 'client-2' } }],
    ['a second audience without saying for whom', { claims: { aud: ['client-1', 'client-2'] } }],
    ['another authorized party', { claims: { azp: 'client-2' } }],
    ['another issuer', { claims: { iss: 'https://accounts.google.com' } }],
    ['a signature by another key', { key: 'foreign' }],
    ['alg HS256', { alg: 'HS256' }],
    ['alg none', { alg: 'none' }],
    ['alg RS384', { alg: 'RS384' }],
    ['an expired token', { claims: { exp: now - 60, iat: now - 3660 } }],
    ['a token that expired just now', { claims: { exp: now - 10, iat: now - 3610 } }],
    ['a token of tomorrow', { claims: { iat: now + 86_400, exp: now + 90_000 } }],
    ['a token that is good only tomorrow', { claims: { nbf: now + 86_400, exp: now + 90_000 } }],
    ['the name of a key that nobody knows', { kid: 'unknown' }],
    ['no expiry', { without: ['exp'] }],
    ['an address that is not verified', { claims: { email_verified: false } }],
    ['an address that is verified only in words', { claims: { email_verified: 'true' } }],
    ['nothing about verification', { without: ['email_verified'] }],
    ['no address', { without: ['email'] }],
    ['an address that is none', { claims: { email: 7 } }],
    ['no subject', { without: ['sub'] }],
    ['no ID token', { noToken: true }],
    ['nothing, being down', { down: true }],
  ];
  test.each(lies)('refuses an issuer that sends %s', async (_name, lie) => {
    const browser = new Browser();
    const back = issuer.agree(await start(browser));
    issuer.lies = { ...HONEST, ...lie };
    expectRefused(await browser.go(back), browser);
    expect(await countUsers()).toBe(0);
  });

  test('trusts the key that the issuer signs with now, also one that is new since the person left', async () => {
    await signIn(new Browser());
    issuer.rotateKey();
    expect((await signIn(new Browser())).headers.get('location')).toBe('/auth/callback');
    const browser = new Browser();
    const back = issuer.agree(await start(browser));
    issuer.rotateKey();
    expect((await browser.go(back)).headers.get('location')).toBe('/auth/callback');
  });

  test.each<[string, Claims]>([
    ['four minutes ahead', { iat: now + 240, nbf: now + 240, exp: now + 240 + 3600 }],
    ['four minutes behind', { iat: now - 240, nbf: now - 240, exp: now - 240 + 3600 }],
    ['four minutes behind, with tokens of five', { iat: now - 240, exp: now + 60 }],
  ])('bears an issuer whose clock is %s', async (_name, claims) => {
    const browser = new Browser();
    const back = issuer.agree(await start(browser));
    issuer.lies = { ...HONEST, claims };
    expect((await browser.go(back)).headers.get('location')).toBe('/auth/callback');
  });

  test('refuses a state that was used', async () => {
    const browser = new Browser();
    const authorization = await start(browser);
    const before = [...browser.cookies];
    expect((await browser.go(issuer.agree(authorization))).headers.get('location')).toBe('/auth/callback');
    browser.cookies.clear();
    for (const [name, value] of before) browser.cookies.set(name, value);
    expectRefused(await browser.go(issuer.agree(authorization)), browser);
  });

  test('lets one of two simultaneous uses of a state in', async () => {
    const browser = new Browser();
    const authorization = await start(browser);
    const headers = { cookie: [...browser.cookies].map((cookie) => cookie.join('=')).join('; ') };
    const answers = await Promise.all(
      [1, 2, 3, 4].map(() => fetch(issuer.agree(authorization), { redirect: 'manual', headers })),
    );
    const good = answers.filter((answer) => answer.headers.get('location') === '/auth/callback');
    expect(good.length).toBe(1);
  });

  test('refuses the state of another browser, with or without a sign-in of its own, and leaves it to its owner', async () => {
    const owner = new Browser();
    const back = issuer.agree(await start(owner));
    const visitor = new Browser();
    expectRefused(await visitor.go(back), visitor);
    await start(visitor);
    expectRefused(await visitor.go(back), visitor);
    expect((await owner.go(back)).headers.get('location')).toBe('/auth/callback');
  });

  test('refuses a state older than ten minutes', async () => {
    const browser = new Browser();
    const back = issuer.agree(await start(browser));
    clock.offsetMs = 601_000;
    expectRefused(await browser.go(back), browser);
  });

  test('refuses a callback without state, with a forged one and with two', async () => {
    for (const change of ['none', 'forged', 'two']) {
      const browser = new Browser();
      const back = issuer.agree(await start(browser));
      const state = back.searchParams.get('state') ?? '';
      back.searchParams.delete('state');
      if (change === 'forged') {
        back.searchParams.set('state', 'forged');
        browser.cookies.set('sign-in-forged', 'begun');
      }
      if (change === 'two') back.search += `&state=${state}&state=other`;
      expectRefused(await browser.go(back), browser);
    }
  });

  test('refuses when the person declined, the code is unknown or the query is broken', async () => {
    const declined = new Browser();
    const state = (await start(declined)).searchParams.get('state') ?? '';
    expectRefused(await declined.go(`${origin}/auth/google/callback?error=access_denied&state=${state}`), declined);
    const guessing = new Browser();
    const other = (await start(guessing)).searchParams.get('state') ?? '';
    expectRefused(await guessing.go(`${origin}/auth/google/callback?code=guessed&state=${other}`), guessing);
    for (const query of ['', '?', '?state=%', '?code=1&code=2&state=a&state=b', '?state[]=1']) {
      expectRefused(await guessing.go(`${origin}/auth/google/callback${query}`), guessing);
    }
  });
});
