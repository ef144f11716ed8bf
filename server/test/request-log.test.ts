import { createHash } from 'node:crypto';
import { hostname } from 'node:os';
import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { startTestApp, type TestApp } from './app.ts';
import { makeGeneration, makeUser, postJson, readCookie, type TestUser, waitForEnd, waitUntil } from './makers.ts';
import { sendRaw } from './wire.ts';

type Line = Record<string, unknown> & { level: number; route: string };

let app: TestApp;
let user: TestUser;
beforeAll(async () => {
  app = await startTestApp({ LOG_LEVEL: 'info' });
  user = await makeUser(app, { credits: 5 });
});
afterAll(() => app.close());
beforeEach(() => void (app.logged.length = 0));

const INFO = 30;
const WARN = 40;
const linesOf = (at = app) => at.logged.map((line) => JSON.parse(line) as Line).filter(({ msg }) => msg === 'request');
/** The log line of an answer, which is written a moment after it. */
const lineOf = async (answer: { headers: Pick<Headers, 'get'> }, at = app) => {
  const id = answer.headers.get('x-request-id');
  const [line] = await waitUntil(
    async () => linesOf(at).filter(({ requestId }) => requestId === id),
    (found) => found.length > 0,
  );
  return line;
};
const hashOf = (userId: string) => createHash('sha256').update(userId).digest('hex').slice(0, 16);
const post = (path: string, body: object, headers = {}) => postJson(`${app.url}/api/v1/${path}`, body, headers);

describe('the log', () => {
  it('has one line for each answer: the pattern of its route, its status, its time, its id, and who', async () => {
    const answer = await user.fetch('/api/v1/generations/gen_nothing?secret=1');
    expect(await lineOf(answer)).toEqual({
      level: INFO,
      time: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/) as string,
      role: 'all',
      host: hostname(),
      event: 'request',
      trace: expect.stringMatching(/^[0-9a-f]{32}$/) as string,
      msg: 'request',
      method: 'GET',
      route: '/api/v1/generations/:id',
      status: 404,
      ms: expect.any(Number) as number,
      requestId: answer.headers.get('x-request-id'),
      user: hashOf(user.id),
      code: 'not_found',
    });
    const visit = await fetch(`${app.url}/api/v1/packages?secret=1`, { headers: { cookie: user.cookie } });
    const line = await lineOf(visit);
    expect(line).toMatchObject({ route: '/api/v1/packages', status: 200 });
    expect(Object.keys(line ?? {})).not.toContain('code');
    await fetch(`${app.url}/nowhere/secret`);
    expect(linesOf()).toHaveLength(3);
    expect(linesOf().at(-1)).toMatchObject({ route: 'unknown', status: 404 });
    expect(app.logged.join('')).not.toContain('secret');
  });

  it('has the request id of every refusal, whatever refused it', async () => {
    const { port, hostname } = new URL(app.url);
    const answers = [
      await fetch(`${app.url}/api/v1/session`),
      await post('purchases', {}),
      await user.fetch('/api/v1/session', { method: 'PUT' }),
      await post('auth/sign-in', { email: 1 }),
      await sendRaw(app, [`GET /api/v1/media/%zz/content HTTP/1.1\r\nhost: ${hostname}:${port}\r\n\r\n`]),
      await sendRaw(app, ['GET /api/v1/packages HTTP/1.1\r\nhost: a.example\r\n\r\n']),
    ];
    const lines: (Line | undefined)[] = [];
    for (const answer of answers) lines.push(await lineOf({ headers: new Headers([...answer.headers]) }));
    expect(lines.map((line) => [line?.status, line?.code])).toEqual([
      [401, 'no_active_session'],
      [401, 'authentication_required'],
      [405, 'method_not_allowed'],
      [422, 'credentials_required'],
      [400, 'malformed_request'],
      [400, 'malformed_request'],
    ]);
  });

  it('has the request id of an answer of ours that failed, louder', async () => {
    await sql`alter table purchases rename to purchases_away`.execute(app.db);
    const failed = await user.fetch('/api/v1/purchases');
    await sql`alter table purchases_away rename to purchases`.execute(app.db);
    expect(failed.status).toBe(500);
    expect(await lineOf(failed)).toMatchObject({ level: WARN, status: 500, code: 'internal_error' });
    const dead = await fetch(`${app.url}/api/v1/credits`, { headers: { authorization: 'Bearer plk_dead' } });
    expect(await lineOf(dead)).toMatchObject({ level: WARN, status: 401, code: 'invalid_key' });
  });

  it('tells sign-ins and refusals apart as security events, louder where somebody seems to look for a way in', async () => {
    const { email, password, id } = user;
    const entered = await post('auth/sign-in', { email, password });
    expect(await lineOf(entered)).toMatchObject({ level: INFO, event: 'signed_in', user: hashOf(id) });
    const wrong = await post('auth/sign-in', { email, password: 'wrong' });
    const failed = { level: WARN, event: 'sign_in_failed', code: 'invalid_credentials', status: 401 };
    expect(await lineOf(wrong)).toMatchObject({ ...failed, user: hashOf(id) });
    const nobody = await lineOf(await post('auth/sign-in', { email: 'nobody@example.com', password }));
    expect(nobody).toMatchObject(failed);
    expect(Object.keys(nobody ?? {})).not.toContain('user');
    const foreign = await post('auth/sign-in', { email, password }, { 'sec-fetch-site': 'cross-site' });
    expect(await lineOf(foreign)).toMatchObject({ level: WARN, event: 'refused', code: 'cross_site_request' });
    const visitor = await fetch(`${app.url}/api/v1/credits`);
    expect(await lineOf(visitor)).toMatchObject({ level: INFO, event: 'refused', code: 'authentication_required' });
    const cookie = readCookie(entered);
    const changed = await post(
      'auth/password',
      { newPassword: 'n3w-secret', confirmPassword: 'n3w-secret' },
      { cookie },
    );
    expect(await lineOf(changed)).toMatchObject({ level: INFO, event: 'password_changed', user: hashOf(id) });
    const left = await post('auth/sign-out', {}, { cookie: readCookie(changed) });
    expect(await lineOf(left)).toMatchObject({ level: INFO, event: 'signed_out', user: hashOf(id) });
    const up = await post('auth/sign-up', { email: 'new@example.com', password });
    expect(await lineOf(up)).toMatchObject({ level: INFO, event: 'signed_up' });
  });

  it('names the end of a session elsewhere and of an account, and whose it was', async () => {
    const person = await makeUser(app);
    const { email, password, id } = person;
    const here = { cookie: readCookie(await post('auth/sign-in', { email, password })) };
    const { items } = await person.get<{ items: { id: string; current: boolean }[] }>('/api/v1/auth/sessions');
    const other = items.find(({ current }) => current)?.id ?? '';
    const away = { method: 'DELETE', headers: here };
    const ended = await lineOf(await fetch(`${app.url}/api/v1/auth/sessions/${other}`, away));
    expect(ended).toMatchObject({ level: INFO, event: 'session_ended', user: hashOf(id), status: 204 });
    const headers = { ...here, 'content-type': 'application/json' };
    const body = JSON.stringify({ password });
    const gone = await lineOf(await fetch(`${app.url}/api/v1/account`, { method: 'DELETE', headers, body }));
    expect(gone).toMatchObject({ level: INFO, event: 'account_deleted', user: hashOf(id), status: 204 });
  });

  it('never has an e-mail address, a cookie, a password, a description, a query or an id of ours', async () => {
    const person = await makeUser(app, { credits: 5, email: 'mark-mail@example.com' });
    await post('auth/sign-in', { email: person.email, password: 'mark-guess' });
    await post('auth/sign-up', { email: person.email, password: 'mark-word' });
    const { id } = await makeGeneration(person, { tool: 'text-to-image', prompt: 'mark-prompt' });
    const done = await waitForEnd(person, id);
    await person.fetch(`/api/v1/media/${done.result?.mediaId}/content?q=mark-query`);
    await person.fetch('/api/v1/session?token=mark-token', { headers: { referer: 'https://a.example/mark-referer' } });
    await person.fetch('/api/v1/tools/remover/generations', { method: 'POST', body: 'mark-body' });
    const text = app.logged.join('');
    expect(linesOf().length).toBeGreaterThan(6);
    for (const secret of ['mark-', '@', person.cookie.split('=')[1], person.id, 'gen_', 'med_', 'usr_', 'ses_'])
      expect(text).not.toContain(secret);
  });

  it('at warn has only what looks like an attack, and at error nothing of this', async () => {
    for (const [level, codes] of [
      ['warn', ['invalid_credentials', 'rate_limited']],
      ['error', []],
    ] as const) {
      const quiet = await startTestApp({ LOG_LEVEL: level, RATE_LIMIT_SCALE: '0.1' });
      try {
        const { email } = await makeUser(quiet);
        const guess = () => postJson(`${quiet.url}/api/v1/auth/sign-in`, { email, password: 'wrong' });
        expect([(await guess()).status, (await guess()).status]).toEqual([401, 429]);
        expect((await fetch(`${quiet.url}/api/v1/session`)).status).toBe(401);
        expect((await fetch(`${quiet.url}/healthz`)).status).toBe(200);
        await waitUntil(
          async () => linesOf(quiet).map(({ code }) => code),
          (found) => JSON.stringify(found) === JSON.stringify(codes),
        );
      } finally {
        await quiet.close();
      }
    }
  });
});
