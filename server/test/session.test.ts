import type { Session, SessionEntry } from '@plinth/contract/auth';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { findOrMakeVerifiedAccount } from '../src/auth/accounts.ts';
import { renewToken } from '../src/auth/sessions.ts';
import { systemClock } from '../src/platform/clock.ts';
import { transaction } from '../src/platform/data/db.ts';
import { startTestApp, type TestApp } from './app.ts';
import { makeKey, makePicture, makeUser, postJson, readCookie, signedIn, type TestUser, waitUntil } from './makers.ts';
import { expectProblem, listen, makeManualClock, type ManualClock, sendRaw } from './wire.ts';

let app: TestApp;
beforeAll(async () => {
  app = await startTestApp({ SIGNUP_CREDITS: '3' });
});
afterAll(() => app.close());

const AUTH = '/api/v1/auth';
const SESSION = '/api/v1/session';
let addresses = 0;
const newEmail = () => `person${(addresses += 1)}@example.com`;
const signUp = (email: unknown, password: unknown, at = app) =>
  postJson(`${at.url}${AUTH}/sign-up`, { email, password });
const signIn = (email: unknown, password: unknown, headers = {}, at = app) =>
  postJson(`${at.url}${AUTH}/sign-in`, { email, password }, headers);
const statusOf = async (user: TestUser) => (await user.fetch(SESSION)).status;
const cleared = /^session=; Max-Age=0; Path=\//;

/** The same user in another browser. */
async function anotherBrowser(user: TestUser, at = app): Promise<TestUser> {
  const answer = await signIn(user.email, user.password, { 'user-agent': 'another browser' }, at);
  expect(answer.status).toBe(200);
  return signedIn(at, { ...user, cookie: readCookie(answer) });
}

const post = (user: TestUser, path: string, body?: object) =>
  user.fetch(`${AUTH}/${path}`, {
    method: 'POST',
    ...(body && { headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) }),
  });

describe('signing up', () => {
  it('is open to a browser that does not say what it is', async () => {
    const body = JSON.stringify({ email: newEmail(), password: 's3cret-enough' });
    const head = `POST ${AUTH}/sign-up HTTP/1.1\r\nHost: ${new URL(app.url).host}\r\nContent-Type: application/json`;
    const length = `Content-Length: ${body.length}\r\nConnection: close`;
    const answer = await sendRaw(app, [`${head}\r\n${length}\r\n\r\n${body}`]);
    expect(answer.status).toBe(201);
    const { user } = JSON.parse(answer.body) as Session;
    const { rows } = await sql`select user_agent from sessions where user_id = ${user.id}`.execute(app.db);
    expect(rows).toEqual([{ user_agent: '' }]);
  });

  it('answers 201 with the session, a cookie, and the welcome credits in the ledger', async () => {
    const email = newEmail();
    const answer = await signUp(`  ${email.toUpperCase()}\t`, 's3cret-enough');
    expect(answer.status).toBe(201);
    const body = (await answer.json()) as Session;
    expect(body).toEqual({
      user: {
        id: expect.stringMatching(/^usr_/),
        email: email.toUpperCase(),
        displayName: email.toUpperCase().split('@')[0],
        hasPassword: true,
        providers: ['password'],
      },
      credits: 3,
      expiresAt: expect.stringMatching(/Z$/),
    });
    const user = signedIn(app, { id: body.user.id, email, password: '', cookie: readCookie(answer) });
    expect(await user.get(SESSION)).toEqual(body);
    expect(await user.ledger()).toMatchObject([
      { delta: 3, balanceAfter: 3, reason: 'signup', generationId: null, purchaseId: null },
    ]);
  });

  it('refuses an address that is taken, in any case and however it is padded', async () => {
    const email = newEmail();
    expect((await signUp(email, 's3cret-enough')).status).toBe(201);
    for (const same of [email, email.toUpperCase(), ` ${email} `]) {
      const answer = await signUp(same, 'another-one');
      expect(answer.headers.getSetCookie()).toEqual([]);
      await expectProblem(answer, 'email_in_use');
    }
    const atOnce = newEmail();
    const racing = await Promise.all(Array.from({ length: 5 }, () => signUp(atOnce, 's3cret-enough')));
    expect(racing.map((answer) => answer.status).sort()).toEqual([201, 409, 409, 409, 409]);
  });

  it('names what is missing or wrong', async () => {
    for (const [email, password] of [
      ['', 's3cret'],
      ['  ', 's3cret'],
      ['a@b.co', ''],
      [undefined, 's3cret'],
      ['a@b.co', undefined],
    ]) {
      await expectProblem(await signUp(email, password), 'credentials_required');
    }
    for (const email of ['ann', 'ann@', '@b.co', 'a b@c.de', 'ann@example', 'a@b.co\n.x', `${'a'.repeat(250)}@b.co`]) {
      await expectProblem(await signUp(email, 's3cret'), 'email_invalid');
    }
    await expectProblem(await signUp(newEmail(), '12345'), 'password_too_short');
    await expectProblem(await signUp(newEmail(), 'x'.repeat(257)), 'password_too_long');
  });

  it('is off without the setting, as the options say', async () => {
    expect(await (await fetch(`${app.url}${AUTH}/options`)).json()).toMatchObject({ emailSignUp: true, demo: null });
    const closed = await startTestApp({ AUTH_EMAIL_SIGNUP: 'false' });
    try {
      await expectProblem(await signUp('ann@example.com', 's3cret-enough', closed), 'sign_up_disabled');
      await expectProblem(await signUp('', '', closed), 'sign_up_disabled');
      const options = await (await fetch(`${closed.url}${AUTH}/options`)).json();
      expect(options).toMatchObject({ emailSignUp: false, demo: null });
      expect((await sql`select 1 from users`.execute(closed.db)).rows).toEqual([]);
    } finally {
      await closed.close();
    }
  });
});

describe('a password', () => {
  const passwords = [
    '  spaces  ',
    'пароль',
    '🔒🔒🔒🔒🔒🔒',
    'tab\tand\nline',
    'zero\u0000inside',
    '\\u0000\\u0000',
    'x'.repeat(256),
    'a\u0301ccents',
    '"quoted"',
  ];
  it.each(passwords)('is taken byte for byte: %j', async (password) => {
    const email = newEmail();
    expect((await signUp(email, password)).status).toBe(201);
    expect((await signIn(email, password)).status).toBe(200);
    const near = [
      password.trim(),
      password.normalize('NFC'),
      password.split('\u0000')[0] ?? '',
      `${password} `,
      password.slice(0, 72),
    ];
    for (const other of near.filter((one) => one !== password)) {
      await expectProblem(await signIn(email, other), 'invalid_credentials');
    }
  });
});

describe('signing in', () => {
  it('finds the account trimmed and without case, and gives a new cookie each time', async () => {
    const user = await makeUser(app);
    const first = await signIn(` ${user.email.toUpperCase()} `, user.password);
    expect(first.status).toBe(200);
    expect(((await first.json()) as Session).user.id).toBe(user.id);
    const second = await signIn(user.email, user.password);
    expect(new Set([user.cookie, readCookie(first), readCookie(second)]).size).toBe(3);
  });

  it('answers the same, as slowly, to an unknown address, a wrong password and a Google-only account', async () => {
    const user = await makeUser(app);
    const google = newEmail();
    await findOrMakeVerifiedAccount(
      app.db,
      systemClock,
      { issuer: 'https://accounts.example', subject: google, email: google },
      0,
    );
    const emails = { unknown: newEmail(), wrong: user.email, google };
    const times: Record<string, number[]> = { unknown: [], wrong: [], google: [] };
    const bodies = new Set<string>();
    for (let round = 0; round < 7; round += 1) {
      for (const [kind, email] of Object.entries(emails)) {
        const start = performance.now();
        const answer = await signIn(email, 'not-the-one');
        bodies.add((await answer.text()).replace(/req_[\w-]+/, ''));
        times[kind]?.push(performance.now() - start);
        expect(answer.status).toBe(401);
        expect(answer.headers.getSetCookie()).toEqual([]);
      }
    }
    expect(bodies.size).toBe(1);
    expect([...bodies][0]).toContain('Invalid email or password. Please try again.');
    // The fastest of each kind, because a busy machine only adds time. Without the dummy hash it would be a twentieth.
    const quickest = Object.values(times).map((all) => Math.min(...all));
    expect(Math.max(...quickest) / Math.min(...quickest)).toBeLessThan(4);
  });

  it('ends the session whose cookie came along, also one of somebody else', async () => {
    const [user, other] = [await makeUser(app), await makeUser(app)];
    const answer = await signIn(user.email, user.password, { cookie: user.cookie });
    expect(await statusOf(user)).toBe(401);
    expect(await statusOf(signedIn(app, { ...user, cookie: readCookie(answer) }))).toBe(200);
    await signIn(user.email, user.password, { cookie: other.cookie });
    expect(await statusOf(other)).toBe(401);
    const kept = await makeUser(app);
    await expectProblem(await signIn(kept.email, 'wrong', { cookie: kept.cookie }), 'invalid_credentials');
    expect(await statusOf(kept)).toBe(200);
  });

  it('asks for both when one is missing', async () => {
    for (const body of [
      {},
      { email: 'a@b.co' },
      { password: 'x' },
      { email: ' ', password: 'x' },
      { email: 'a', password: '' },
    ]) {
      await expectProblem(await postJson(`${app.url}${AUTH}/sign-in`, body), 'credentials_required');
    }
  });
});

describe('a session', () => {
  it('is missing without a cookie and over with a dead one, which is cleared', async () => {
    for (const [path, method] of [
      [SESSION, 'GET'],
      [`${AUTH}/refresh`, 'POST'],
    ] as const) {
      const none = await fetch(app.url + path, { method });
      expect(none.headers.getSetCookie()).toEqual([]);
      await expectProblem(none, 'no_active_session');
      const dead = await fetch(app.url + path, { method, headers: { cookie: 'session=dead' } });
      expect(dead.headers.getSetCookie()[0]).toMatch(cleared);
      await expectProblem(dead, 'refresh_token_not_found');
    }
    await expectProblem(
      await fetch(`${app.url}/api/v1/credits`, { headers: { cookie: 'session=dead' } }),
      'authentication_required',
    );
  });

  it('ends later after a refresh, and two tabs may refresh at once', async () => {
    const user = await makeUser(app);
    let { expiresAt } = await user.get<Session>(SESSION);
    for (let round = 0; round < 3; round += 1) {
      const answers = await Promise.all([post(user, 'refresh'), post(user, 'refresh', {})]);
      for (const answer of answers) {
        expect(answer.status).toBe(200);
        const body = (await answer.json()) as Session;
        expect(body.expiresAt > expiresAt).toBe(true);
        expect(await statusOf(signedIn(app, { ...user, cookie: readCookie(answer) }))).toBe(200);
      }
      expiresAt = (await user.get<Session>(SESSION)).expiresAt;
    }
    expect(await statusOf(user)).toBe(200);
  });

  it('is dead on the server at once after signing out, its streams close, the browser forgets', async () => {
    const user = await makeUser(app);
    const elsewhere = await anotherBrowser(user);
    const stream = await listen(app, user.cookie);
    await stream.waitForEvent('hello');
    const answer = await post(user, 'sign-out');
    expect(answer.status).toBe(204);
    expect(answer.headers.get('clear-site-data')).toBe('"storage"');
    expect(answer.headers.getSetCookie()[0]).toMatch(cleared);
    await expectProblem(await user.fetch(SESSION), 'refresh_token_not_found');
    await waitUntil(async () => stream.isClosed(), Boolean, 5000);
    expect(stream.events.at(-1)).toMatchObject({ name: 'session', body: { state: 'ended' } });
    expect(await statusOf(elsewhere)).toBe(200);
  });

  it('is signed out with 204 whatever comes along', async () => {
    const user = await makeUser(app);
    const json = { 'content-type': 'application/json' };
    const requests: RequestInit[] = [
      {},
      { headers: { cookie: 'session=dead' } },
      { headers: json, body: '{' },
      { headers: json },
    ];
    requests.push({ headers: { 'content-type': 'text/plain' }, body: 'bye' }, { headers: json, body: '{"a":1}' });
    requests.push({ headers: { ...json, cookie: user.cookie }, body: 'x'.repeat(100_000) });
    for (const request of requests) {
      const answer = await fetch(`${app.url}${AUTH}/sign-out`, { method: 'POST', ...request });
      expect(answer.status).toBe(204);
      expect(answer.headers.get('clear-site-data')).toBe('"storage"');
      expect(await answer.text()).toBe('');
    }
    expect(await statusOf(user)).toBe(401);
  });
});

describe('changing the password', () => {
  it('ends every other session within a second and keeps this browser with a new cookie and its stream', async () => {
    const user = await makeUser(app);
    const others = [await anotherBrowser(user), await anotherBrowser(user)];
    const own = await listen(app, user.cookie);
    const streams = await Promise.all(others.map((other) => listen(app, other.cookie)));
    await Promise.all([own, ...streams].map((stream) => stream.waitForEvent('hello')));
    const answer = await post(user, 'password', { newPassword: ' n3w-secret ', confirmPassword: ' n3w-secret ' });
    expect(answer.status).toBe(200);
    expect(await answer.json()).toEqual({ updated: true });
    const here = signedIn(app, { ...user, cookie: readCookie(answer) });
    for (const other of others)
      await waitUntil(
        () => statusOf(other),
        (status) => status === 401,
        1000,
      );
    await waitUntil(async () => streams.every((stream) => stream.isClosed()), Boolean, 5000);
    expect(await statusOf(here)).toBe(200);
    expect(await statusOf(user)).toBe(401);
    expect((await here.get<{ items: SessionEntry[] }>(`${AUTH}/sessions`)).items).toHaveLength(1);
    expect(own.isClosed()).toBe(false);
    own.close();
    await expectProblem(await signIn(user.email, user.password), 'invalid_credentials');
    await expectProblem(await signIn(user.email, 'n3w-secret'), 'invalid_credentials');
    expect((await signIn(user.email, ' n3w-secret ')).status).toBe(200);
  });

  it('keeps its new cookie where another tab refreshes at the same moment', async () => {
    const user = await makeUser(app);
    const [session] = (await user.get<{ items: SessionEntry[] }>(`${AUTH}/sessions`)).items;
    let refreshing: Promise<Response> | undefined;
    await transaction(app.db, async (tx) => {
      await renewToken(tx, app.sessions, session?.id ?? '');
      refreshing = post(user, 'refresh');
      await waitUntil(
        () =>
          sql`select from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database()`.execute(
            app.db,
          ),
        ({ rows }) => rows.length > 0,
      );
    });
    const answer = await refreshing;
    expect([answer?.status, answer?.headers.getSetCookie()]).toEqual([200, []]);
  });

  it('checks the length first, then that both are the same, and changes nothing when refused', async () => {
    const user = await makeUser(app);
    await expectProblem(
      await post(user, 'password', { newPassword: 'short', confirmPassword: 'other' }),
      'password_too_short',
    );
    await expectProblem(await post(user, 'password', {}), 'password_too_short');
    await expectProblem(
      await post(user, 'password', { newPassword: 'x'.repeat(257), confirmPassword: '' }),
      'password_too_long',
    );
    for (const confirmPassword of ['n3w-secreT', 'n3w-secret ', '', undefined]) {
      const answer = await post(user, 'password', { newPassword: 'n3w-secret', confirmPassword });
      await expectProblem(answer, 'passwords_do_not_match');
    }
    const visitor = await postJson(`${app.url}${AUTH}/password`, {
      newPassword: 'n3w-secret',
      confirmPassword: 'n3w-secret',
    });
    await expectProblem(visitor, 'authentication_required');
    expect(await statusOf(user)).toBe(200);
    expect((await signIn(user.email, user.password)).status).toBe(200);
  });
});

describe('the session list', () => {
  it('shows the own live sessions, newest first, and ends one of them', async () => {
    const user = await makeUser(app);
    const other = await anotherBrowser(user);
    const stranger = await makeUser(app);
    const { items } = await user.get<{ items: SessionEntry[] }>(`${AUTH}/sessions`);
    expect(items.map((item) => [item.current, item.userAgent])).toEqual([
      [false, 'another browser'],
      [true, 'node'],
    ]);
    expect(Object.keys(items[0] ?? {}).sort()).toEqual(['createdAt', 'current', 'id', 'lastSeenAt', 'userAgent']);
    const path = `${AUTH}/sessions/${items[0]?.id}`;
    await expectProblem(await stranger.fetch(path, { method: 'DELETE' }), 'not_found');
    const stream = await listen(app, other.cookie);
    expect((await user.fetch(path, { method: 'DELETE' })).status).toBe(204);
    expect(await statusOf(other)).toBe(401);
    await waitUntil(async () => stream.isClosed(), Boolean, 5000);
    await expectProblem(await user.fetch(path, { method: 'DELETE' }), 'not_found');
    expect((await user.get<{ items: SessionEntry[] }>(`${AUTH}/sessions`)).items).toHaveLength(1);
  });
});

describe('a session with short settings', () => {
  let short: TestApp;
  let clock: ManualClock;
  beforeAll(async () => {
    clock = makeManualClock();
    short = await startTestApp({ SESSION_TTL_SECONDS: '3600', SESSION_IDLE_SECONDS: '600' }, clock);
  });
  afterAll(() => short.close());

  it('ends after its idle time, and lives on when it is used in between', async () => {
    const [idle, busy] = [await makeUser(short), await makeUser(short)];
    for (let round = 0; round < 3; round += 1) {
      clock.move(400);
      expect(await statusOf(busy)).toBe(200);
    }
    await expectProblem(await idle.fetch(SESSION), 'refresh_token_not_found');
    await expectProblem(await post(idle, 'refresh'), 'refresh_token_not_found');
  });

  it('names the end that comes if nobody uses it, so that an open page refreshes in time', async () => {
    const user = await makeUser(short);
    const secondsLeft = async (answer: Response) => {
      const { expiresAt } = (await answer.json()) as Session;
      return Math.round((Date.parse(expiresAt) - clock.now().getTime()) / 10_000) * 10;
    };
    expect(await secondsLeft(await user.fetch(SESSION))).toBe(600);
    clock.move(500);
    expect(await secondsLeft(await post(user, 'refresh'))).toBe(600);
    clock.move(500);
    expect(await statusOf(user)).toBe(200);
  });

  it('ends after its life however much it is used, unless it is refreshed', async () => {
    const [plain, refreshed] = [await makeUser(short), await makeUser(short)];
    for (let round = 0; round < 8; round += 1) {
      clock.move(500);
      expect(await statusOf(plain)).toBe(round < 7 ? 200 : 401);
      expect((await post(refreshed, 'refresh')).status).toBe(200);
    }
  });

  it('leaves the list and closes its streams when it ends by itself', async () => {
    const user = await makeUser(short);
    const other = await anotherBrowser(user, short);
    const stream = await listen(short, other.cookie);
    await stream.waitForEvent('hello');
    clock.move(400);
    expect(await statusOf(user)).toBe(200);
    clock.move(300);
    await waitUntil(async () => stream.isClosed(), Boolean, 5000);
    expect(stream.events.at(-1)).toMatchObject({ name: 'session', body: { state: 'ended' } });
    const { items } = await user.get<{ items: SessionEntry[] }>(`${AUTH}/sessions`);
    expect(items.map((item) => item.current)).toEqual([true]);
  });
});

it('a page that shows somebody else acts for nobody, spends nothing and keeps the session', async () => {
  const [shown, other] = [await makeUser(app, { credits: 1 }), await makeUser(app, { credits: 1 })];
  const asPage = (id: string, path: string, init: RequestInit = {}) =>
    other.fetch(`/api/v1/${path}`, { ...init, headers: { ...init.headers, 'plinth-shown-user': id } });
  for (const path of ['credits', 'media', 'generations', 'account/export'])
    await expectProblem(await asPage(shown.id, path), 'authentication_required');
  const form = new FormData();
  form.set('image', new Blob([await makePicture()], { type: 'image/png' }), 'a.png');
  const send = (id: string) =>
    asPage(id, 'tools/remover/generations', { method: 'POST', body: form, headers: { 'idempotency-key': 'k' } });
  const before = await other.credits();
  await expectProblem(await send(shown.id), 'authentication_required');
  expect(await other.credits()).toBe(before);
  expect((await send(other.id)).status).toBe(202);
  expect(await other.credits()).toBe(before - 1);
  // Signing out there ends the session: none survives whose cookie is gone.
  expect((await asPage(shown.id, 'auth/sign-out', { method: 'POST' })).status).toBe(204);
  expect(await statusOf(other)).toBe(401);
});

it("ends all other sessions of oneself at once, and nobody else's; no key may", async () => {
  const [user, stranger] = [await makeUser(app), await makeUser(app)];
  const others = [await anotherBrowser(user), await anotherBrowser(user)];
  const key = await makeKey(app, user);
  await expectProblem(await key.fetch(`${AUTH}/sessions`, { method: 'DELETE' }), 'session_required');
  expect(await Promise.all(others.map(statusOf))).toEqual([200, 200]);
  for (const _time of [1, 2]) {
    const answer = await user.fetch(`${AUTH}/sessions`, { method: 'DELETE' });
    expect([answer.status, await answer.text()]).toEqual([204, '']);
  }
  expect(await Promise.all([...others, user, stranger].map(statusOf))).toEqual([401, 401, 200, 200]);
  expect((await key.fetch('/api/v1/credits')).status).toBe(200);
});
