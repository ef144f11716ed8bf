import { errors } from '@plinth/contract/errors';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { startTestApp, type TestApp } from './app.ts';
import { makePurchase, makeUser, type TestUser } from './makers.ts';
import { expectProblem } from './wire.ts';

/** What a person sees whose browser opens an address that fails. */

let app: TestApp;
let user: TestUser;
beforeAll(async () => {
  app = await startTestApp({ RATE_LIMIT_SCALE: '0.02' });
  user = await makeUser(app);
});
afterAll(() => app.close());

/** A request as a browser sends it for a link or an address. */
const open = (path: string, headers: Record<string, string> = {}) =>
  fetch(app.url + path, {
    redirect: 'manual',
    headers: { accept: 'text/html', 'sec-fetch-mode': 'navigate', 'sec-fetch-dest': 'document', ...headers },
  });

it('too many sign-ins with Google are told as a page that leads back, and to a program as ever', async () => {
  for (let visit = 0; visit < 2; visit += 1) {
    const location = (await open('/auth/google/start')).headers.get('location');
    expect(location).toContain('/local-google/auth');
  }
  const answer = await open('/auth/google/start');
  expect([answer.status, Number(answer.headers.get('retry-after')) > 0]).toEqual([429, true]);
  const page = await answer.text();
  expect(page).toContain(`<p>${errors.rate_limited.detail}</p>`);
  expect(page).toContain('<a href="/login">Back to Plinth</a>');
  const told = await fetch(`${app.url}/auth/google/start`, { redirect: 'manual' });
  expect(told.headers.get('retry-after')).not.toBeNull();
  await expectProblem(told, 'rate_limited');
});

it.each([
  ['a checkout that does not exist', '/sandbox/checkout/unknown', {}, 'not_found'],
  [
    'a local sign-in through a proxy',
    '/local-google/interaction/x',
    { forwarded: 'for=203.0.113.1' },
    'malformed_request',
  ],
  ['a receipt after the session ended', '/api/v1/purchases/pur_x/receipt', {}, 'authentication_required'],
  ['its PDF', '/api/v1/purchases/pur_x/receipt.pdf', {}, 'authentication_required'],
] as const)('%s is told as a page, and to a program as ever', async (_what, path, headers, code) => {
  const answer = await open(path, headers);
  expect([answer.status, answer.headers.get('content-type')]).toEqual([
    errors[code].status,
    'text/html; charset=utf-8',
  ]);
  const page = await answer.text();
  expect(page).toContain(`<p>${errors[code].detail}</p>`);
  expect(page).toContain('<a href="/">Back to Plinth</a>');
  await expectProblem(await fetch(app.url + path, { headers }), code);
});

it('a receipt that is not there yet is told as a page', async () => {
  const purchase = await makePurchase(user);
  const answer = await open(`/api/v1/purchases/${purchase.id}/receipt`, { cookie: user.cookie });
  expect([answer.status, await answer.text()]).toEqual([404, expect.stringContaining('<p>Not found.</p>')]);
});

it('every other address of the API answers a browser like a program', async () => {
  await expectProblem(await open('/api/v1/credits'), 'authentication_required');
  await expectProblem(await open('/api/v1/nothing'), 'not_found');
});
