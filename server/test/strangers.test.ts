import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { SignInOptions } from '@plinth/contract/auth';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { DEMO_EMAIL } from '../src/commands/seed.ts';
import { BEFORE_STRANGERS, startTestApp, type TestApp } from './app.ts';
import { makeUser, postJson } from './makers.ts';
import { expectProblem } from './wire.ts';

const AUTH = '/api/v1/auth';
const readOptions = async (app: TestApp, headers = {}) =>
  (await (await fetch(`${app.url}${AUTH}/options`, { headers })).json()) as SignInOptions;

/** The headers that proxies add. */
const PROXIES: Record<string, string>[] = [
  { forwarded: 'for=203.0.113.7' },
  { via: '1.1 proxy.example' },
  { 'x-forwarded-for': '203.0.113.7' },
  { 'X-Forwarded-Proto': 'https' },
  { 'x-forwarded-host': 'shop.example' },
  { 'x-forwarded-port': '443' },
];

describe('on one machine of its own', () => {
  let app: TestApp;
  let code: string;
  beforeAll(async () => {
    // Without the setting, the embedded database is assumed.
    app = await startTestApp({ DATABASE_URL: '' });
    code = (JSON.parse(readFileSync(join(app.dataDir, 'secrets.json'), 'utf8')) as { demoPassword: string })
      .demoPassword;
  });
  afterAll(() => app.close());

  it('the demo account is named and its code is not: only the terminal says it', async () => {
    const answer = await fetch(`${app.url}${AUTH}/options`);
    const text = await answer.text();
    expect(JSON.parse(text)).toEqual({
      emailSignUp: true,
      google: 'local',
      demo: { email: DEMO_EMAIL },
      signUpCredits: 0,
    });
    expect(text).not.toContain(code);
    const guessed = await postJson(`${app.url}${AUTH}/sign-in`, { email: DEMO_EMAIL, password: 'try-' });
    await expectProblem(guessed, 'invalid_credentials');
    const entered = await postJson(`${app.url}${AUTH}/sign-in`, { email: DEMO_EMAIL, password: code });
    expect([entered.status, await entered.json()]).toEqual([200, expect.objectContaining({ credits: 20 })]);
  });

  it.each(PROXIES)('what a proxy adds is ignored, and lets nobody into the local sign-in: %j', async (headers) => {
    const start = await fetch(`${app.url}/auth/google/start`, { headers, redirect: 'manual' });
    expect([start.status, start.headers.get('location')]).toEqual([
      302,
      expect.stringMatching(new RegExp(`^${app.url}/local-google/auth.*redirect_uri=${encodeURIComponent(app.url)}`)),
    ]);
    for (const path of ['/local-google/auth', '/local-google/interaction/x', '/local-google/jwks'])
      await expectProblem(await fetch(app.url + path, { headers, redirect: 'manual' }), 'malformed_request');
    const entering = await postJson(`${app.url}${AUTH}/sign-in`, { email: DEMO_EMAIL, password: code }, headers);
    expect([entering.status, entering.headers.getSetCookie()]).toEqual([200, [expect.stringMatching(/^session=/)]]);
  });
});

describe('before strangers', () => {
  it('there is no demo account and no local sign-in, and a proxy that is not trusted changes nothing', async () => {
    const app = await startTestApp({ ...BEFORE_STRANGERS, DATABASE_URL: '', RATE_LIMIT_SCALE: '0.5' });
    try {
      const victim = await makeUser(app);
      for (const headers of [{}, ...PROXIES])
        expect(await readOptions(app, headers)).toEqual({
          emailSignUp: true,
          google: 'off',
          demo: null,
          signUpCredits: 0,
        });
      expect((await fetch(`${app.url}/auth/google/start`)).status).toBe(404);
      for (let guess = 0; guess < 6; guess += 1) {
        const headers = { 'x-forwarded-for': `203.0.113.${guess}`, forwarded: `for=203.0.113.${guess}` };
        const answer = await postJson(`${app.url}${AUTH}/sign-in`, { email: victim.email, password: 'guess' }, headers);
        expect(answer.status).toBe(guess < 5 ? 401 : 429);
      }
    } finally {
      await app.close();
    }
  });

  it('a proxy that is trusted is let in, and takes the demo account and the local sign-in away', async () => {
    const app = await startTestApp({ DATABASE_URL: '', TRUST_PROXY_HOPS: '1' });
    try {
      for (const headers of [{}, ...PROXIES.slice(0, 4)])
        expect(await readOptions(app, headers)).toEqual({
          emailSignUp: true,
          google: 'off',
          demo: null,
          signUpCredits: 0,
        });
      await expectProblem(await fetch(app.url, { headers: { 'x-forwarded-host': 'a.example' } }), 'malformed_request');
    } finally {
      await app.close();
    }
  });
});
