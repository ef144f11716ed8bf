import { randomBytes } from 'node:crypto';
import type { AddressInfo } from 'node:net';
import type { FastifyInstance } from 'fastify';
import { sql } from 'kysely';
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest';
import { addOidcRoutes } from '../src/auth/oidc.ts';
import { isLocalGoogleAllowed, listLocalEmails, makeLocalGoogle } from '../src/auth/local-google.ts';
import { findCaller, readSessionToken, type SessionSettings } from '../src/auth/sessions.ts';
import { systemClock } from '../src/platform/clock.ts';
import { makeHttp } from '../src/platform/http/http.ts';
import { openRequestLimits } from '../src/platform/http/limits.ts';
import { createLog } from '../src/platform/log.ts';
import { makeDatabase } from './database.ts';

const FAILED = '/auth/callback?error=login_failed';

let database: Awaited<ReturnType<typeof makeDatabase>>;
let http: FastifyInstance;
let port: number;
const printed = [
  vi.spyOn(console, 'info'),
  vi.spyOn(console, 'warn'),
  vi.spyOn(console, 'log'),
  vi.spyOn(console, 'error'),
  vi.spyOn(process.stdout, 'write'),
];

async function startServer(host = '127.0.0.1'): Promise<FastifyInstance> {
  const log = createLog('error');
  const server = await makeHttp({ log, trustProxyHops: 0, publicOrigin: undefined });
  const { db } = database;
  const sessions: SessionSettings = { clock: systemClock, ttlSeconds: 3600, idleSeconds: 3600, isSecure: false };
  server.addHook('onRequest', async (request) => {
    request.caller = await findCaller(db, sessions, readSessionToken(request, sessions));
  });
  server.get('/whoami', async (request) => request.caller);
  const limits = openRequestLimits(database.pool, 100);
  const client = makeLocalGoogle(server, { log, listEmails: () => listLocalEmails(db) });
  const parts = { db, clock: systemClock, limits, log, sessions, welcomeCredits: 0, publicOrigin: undefined };
  addOidcRoutes(server, { ...parts, client });
  await server.listen({ port: 0, host });
  return server;
}

const portOf = (server: FastifyInstance) => (server.server.address() as AddressInfo).port;

beforeAll(async () => {
  database = await makeDatabase();
  http = await startServer();
  port = portOf(http);
});

afterAll(async () => {
  vi.restoreAllMocks();
  await http?.close();
  await database?.drop();
});

// The provider logs through console, the rest of Node directly to the stream; Vitest itself uses neither meanwhile.
let known = 0;
afterEach(() => {
  const calls = printed.flatMap((spy) => spy.mock.calls.map(String)).filter((text) => /oidc|koa|warning/i.test(text));
  expect(calls.slice(known)).toEqual([]);
  known = calls.length;
});

/** A browser with cookies per host and path, which follows redirects as Chrome does. */
class Browser {
  readonly #cookies: { host: string; path: string; name: string; value: string }[] = [];
  address = '';

  async open(url: string, form?: Record<string, string>): Promise<Response> {
    const to = new URL(url, this.address || undefined);
    const body = form && new URLSearchParams(form);
    const headers = {
      cookie: this.#cookiesFor(to),
      ...(body && { origin: to.origin, 'sec-fetch-site': 'same-origin' }),
    };
    const init = body === undefined ? {} : { method: 'POST', body };
    const response = await fetch(to, { ...init, headers, redirect: 'manual' });
    this.address = to.href;
    for (const line of response.headers.getSetCookie()) this.#keep(to, line);
    return response;
  }

  /** Follows redirects to a page, or to the product's own screen, which this small server lacks. */
  async follow(url: string, form?: Record<string, string>): Promise<Response> {
    let response = await this.open(url, form);
    for (let steps = 0; steps < 12; steps += 1) {
      const location = response.headers.get('location');
      if (location === null || location.startsWith('/auth/callback')) return response;
      response = await this.open(location);
    }
    throw new Error('too many redirects');
  }

  async whoAmI(origin: string): Promise<{ kind: string; userId?: string }> {
    return (await (await this.open(`${origin}/whoami`)).json()) as { kind: string; userId?: string };
  }

  #cookiesFor(to: URL): string {
    const sent = this.#cookies.filter((one) => one.host === to.hostname && to.pathname.startsWith(one.path));
    return sent.map((one) => `${one.name}=${one.value}`).join('; ');
  }

  #keep(from: URL, line: string): void {
    const [name = '', value = ''] = (line.split(';')[0] ?? '').split('=');
    const path = /path=([^;]+)/i.exec(line)?.[1] ?? '/';
    const isSame = (one: { host: string; path: string; name: string }) =>
      one.host === from.hostname && one.path === path && one.name === name;
    const at = this.#cookies.findIndex(isSame);
    if (at >= 0) this.#cookies.splice(at, 1);
    if (!/max-age=0|expires=Thu, 01 Jan 1970/i.test(line))
      this.#cookies.push({ host: from.hostname, path, name, value });
  }
}

const newEmail = () => `${randomBytes(4).toString('hex')}@example.com`;

async function signIn(browser: Browser, origin: string, email: string): Promise<Response> {
  await browser.follow(`${origin}/auth/google/start`);
  await browser.follow(browser.address, { step: 'login', email });
  return browser.follow(browser.address, { step: 'consent' });
}

async function storedEmail(userId: string | undefined): Promise<string | undefined> {
  const found = await sql<{ email: string }>`select email from users where id = ${userId}`.execute(database.db);
  return found.rows[0]?.email;
}

test.each(['localhost', '127.0.0.1'])('signs a person in who uses %s, by way of both pages', async (name) => {
  const origin = `http://${name}:${port}`;
  const browser = new Browser();
  const email = newEmail();
  const first = await browser.follow(`${origin}/auth/google/start`);
  expect(first.status).toBe(200);
  expect(new URL(browser.address).pathname).toMatch(/^\/local-google\/interaction\/[\w-]+$/);
  const page = await first.text();
  expect(page).toContain('stands in for Google. It runs on this machine only');
  expect(page).toContain('<label for="email">');
  expect(page, 'the mark').toMatch(/<svg .*Local sign-in on this machine/);
  expect(page).not.toContain('<script');
  const policy = first.headers.get('content-security-policy');
  expect(policy).toContain(`form-action 'self' ${origin}`);
  expect(policy).toContain("default-src 'none'");
  expect(policy).toMatch(/;style-src 'self' 'sha256-[\w+/=]{44}';/);
  expect(first.headers.get('cache-control')).toBe('no-store');

  const second = await browser.follow(browser.address, { step: 'login', email });
  expect(await second.text()).toContain(`<strong>${email}</strong>`);
  const done = await browser.follow(browser.address, { step: 'consent' });
  expect([done.status, done.headers.get('location')]).toEqual([302, '/auth/callback']);
  expect(browser.address.startsWith(`${origin}/auth/google/callback?`)).toBe(true);

  const me = await browser.whoAmI(origin);
  expect(me.kind).toBe('user');
  expect(await storedEmail(me.userId)).toBe(email);
});

test('signs in on an IPv6 loopback address', async () => {
  const server = await startServer('::1').catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'EADDRNOTAVAIL' && error.code !== 'EAFNOSUPPORT') throw error;
    return undefined;
  });
  if (server === undefined) return;
  try {
    const origin = `http://[::1]:${portOf(server)}`;
    const browser = new Browser();
    const first = await browser.follow(`${origin}/auth/google/start`);
    expect(first.headers.get('content-security-policy')).toContain("form-action 'self' http:");
    expect((await signIn(browser, origin, newEmail())).headers.get('location')).toBe('/auth/callback');
  } finally {
    await server.close();
  }
});

test('comes back to the development server, which has a port of its own', async () => {
  const start = await http.inject({ url: '/auth/google/start', headers: { host: 'localhost:5173' } });
  const browser = new Browser();
  await browser.follow(String(start.headers.location));
  await browser.follow(browser.address, { step: 'login', email: newEmail() });
  let location: string | null = browser.address;
  let form: Record<string, string> | undefined = { step: 'consent' };
  while (location !== null && !location.startsWith('http://localhost:5173')) {
    location = (await browser.open(location, form)).headers.get('location');
    form = undefined;
  }
  expect(location).toMatch(/^http:\/\/localhost:5173\/auth\/google\/callback\?code=/);
});

test('knows a person again, however the address is written, and lets them become another one', async () => {
  const origin = `http://localhost:${port}`;
  const browser = new Browser();
  const email = newEmail();
  await signIn(browser, origin, email);
  const first = await browser.whoAmI(origin);
  await signIn(browser, origin, email.toUpperCase());
  expect((await browser.whoAmI(origin)).userId).toBe(first.userId);
  const other = newEmail();
  await signIn(browser, origin, other);
  const second = await browser.whoAmI(origin);
  expect(second.userId).not.toBe(first.userId);
  expect(await storedEmail(second.userId)).toBe(other);
});

test('keeps accounts when the server comes back on another port', async () => {
  const email = newEmail();
  const before = new Browser();
  await signIn(before, `http://localhost:${port}`, email);
  const server = await startServer();
  try {
    const origin = `http://localhost:${portOf(server)}`;
    const after = new Browser();
    await signIn(after, origin, email);
    expect((await after.whoAmI(origin)).userId).toBe((await before.whoAmI(`http://localhost:${port}`)).userId);
  } finally {
    await server.close();
  }
});

test('offers the addresses used before, and no markup that hides in one', async () => {
  const origin = `http://localhost:${port}`;
  const email = newEmail();
  await signIn(new Browser(), origin, email);
  const nasty = `"<b>x"@example.com`;
  await sql`update users set email = ${nasty} where lower(email) like '%@example.com' and email <> ${email}
    and id = (select id from users where email <> ${email} limit 1)`.execute(database.db);
  const page = await (await new Browser().follow(`${origin}/auth/google/start`)).text();
  expect(page).toContain(`<button type="submit" name="email" value="${email}">${email}</button>`);
  expect(page).not.toContain('<b>x');
});

test('asks again when the address is none', async () => {
  const browser = new Browser();
  await browser.follow(`http://localhost:${port}/auth/google/start`);
  for (const email of ['', 'ann', 'ann@', `${'a'.repeat(300)}@example.com`]) {
    const answer = await browser.follow(browser.address, { step: 'login', email });
    expect([400, 422]).toContain(answer.status);
  }
  const answer = await browser.follow(browser.address, { step: 'login', email: '"><i>ann' });
  const page = await answer.text();
  expect(page).toContain('role="alert">Please enter a valid email address');
  expect(page).toContain('value="&quot;&gt;&lt;i&gt;ann"');
});

test.each(['login', 'consent'])('takes a person who cancels at the %s page back without a session', async (step) => {
  const origin = `http://localhost:${port}`;
  const browser = new Browser();
  await browser.follow(`${origin}/auth/google/start`);
  if (step === 'consent') await browser.follow(browser.address, { step: 'login', email: newEmail() });
  const done = await browser.follow(browser.address, { step: 'cancel' });
  expect(browser.address).toContain('error=access_denied');
  expect([done.status, done.headers.get('location')]).toEqual([302, FAILED]);
  expect((await browser.whoAmI(origin)).kind).toBe('visitor');
});

test('does not skip the first page, and refuses a page of another browser', async () => {
  const browser = new Browser();
  await browser.follow(`http://localhost:${port}/auth/google/start`);
  const again = await browser.follow(browser.address, { step: 'consent' });
  expect(await again.text()).toContain('<label for="email">');
  const stranger = await fetch(browser.address);
  expect(stranger.status).toBe(400);
  expect(await stranger.text()).toContain('This sign-in has ended');
  const foreign = await fetch(browser.address, {
    method: 'POST',
    headers: { 'sec-fetch-site': 'cross-site' },
    body: new URLSearchParams({ step: 'cancel' }),
  });
  expect(foreign.status).toBe(403);
});

test('asks for PKCE, the right secret and a return address on this machine', async () => {
  const at = `http://127.0.0.1:${port}`;
  const authorization = new URL((await new Browser().open(`${at}/auth/google/start`)).headers.get('location') ?? '');
  const plain = new URL(authorization);
  plain.searchParams.delete('code_challenge');
  plain.searchParams.delete('code_challenge_method');
  const refused = await fetch(plain, { redirect: 'manual' });
  expect(refused.headers.get('location')).toContain('error=invalid_request');
  for (const place of ['https://evil.example', 'http://127.0.0.1.evil.example', `http://evil@localhost:${port}`]) {
    const stolen = new URL(authorization);
    stolen.searchParams.set('redirect_uri', `${place}/auth/google/callback`);
    const answer = await fetch(stolen, { redirect: 'manual', headers: { accept: 'text/html' } });
    expect([answer.status, answer.headers.get('location')]).toEqual([400, null]);
    expect(await answer.text()).toContain('This sign-in has ended');
  }
  const form = { grant_type: 'authorization_code', code: 'x', client_id: 'plinth-local', client_secret: 'guessed' };
  const token = await fetch(`${at}/local-google/token`, { method: 'POST', body: new URLSearchParams(form) });
  expect([token.status, await token.json()]).toMatchObject([401, { error: 'invalid_client' }]);
  expect(token.headers.get('x-request-id')).toMatch(/^req_/);
});

test('publishes its public keys only', async () => {
  const { keys } = (await (await fetch(`http://127.0.0.1:${port}/local-google/jwks`)).json()) as { keys: object[] };
  expect(keys.length).toBe(1);
  expect(Object.keys(keys[0] ?? {}).sort()).toEqual(['alg', 'e', 'kid', 'kty', 'n', 'use']);
});

test('is allowed on one machine only, without a real provider and outside production', () => {
  const allowed = { isLoopback: true, OIDC_CLIENT_ID: undefined, isProduction: false };
  expect(isLocalGoogleAllowed(allowed)).toBe(true);
  expect(isLocalGoogleAllowed({ ...allowed, isLoopback: false })).toBe(false);
  expect(isLocalGoogleAllowed({ ...allowed, OIDC_CLIENT_ID: 'id' })).toBe(false);
  expect(isLocalGoogleAllowed({ ...allowed, isProduction: true })).toBe(false);
});
