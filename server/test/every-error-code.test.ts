import { randomUUID } from 'node:crypto';
import { type ErrorCode, errors } from '@plinth/contract/errors';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startApp } from '../src/app.ts';
import { readConfig } from '../src/config.ts';
import { hashPayload } from '../src/platform/http/idempotency.ts';
import { systemClock } from '../src/platform/clock.ts';
import { createLog } from '../src/platform/log.ts';
import { readOrMakeSecrets } from '../src/platform/machine/secrets.ts';
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
import { expectCodeDescribed } from './described.ts';
import { billingCases, keyCases } from './key-errors.ts';
import { pictureCases } from './picture-errors.ts';
import { lookCases } from './look-errors.ts';
import { type Case, runCases } from './run-errors.ts';
import { webhookCases } from './webhook-errors.ts';
import { expectProblem, listen, startProxy } from './wire.ts';

let app: TestApp;
/** Sign-up is closed, and every limit is one. */
let closed: TestApp;
/** No space for a file, and a short timeout for forms. */
let full: TestApp;
let user: TestUser;
let poor: TestUser;
/** A user of the app without space. */
let hindered: TestUser;
/** Served by the built-in engine. */
let builtIn: TestApp;
let engined: TestUser;
beforeAll(async () => {
  [app, closed, full, builtIn] = await Promise.all([
    startTestApp({ MAX_INFLIGHT_PER_USER: '3' }),
    startTestApp({ AUTH_EMAIL_SIGNUP: 'false', RATE_LIMIT_SCALE: '0.1' }),
    startTestApp({ MAX_STORAGE_BYTES: '1', UPLOAD_SECONDS: '5' }),
    startTestApp({}, systemClock, 'built-in'),
  ]);
  engined = await makeUser(builtIn, { credits: 3 });
  user = await makeUser(app, { credits: 50 });
  poor = await makeUser(app);
  hindered = await makeUser(full);
});
afterAll(async () => {
  await Promise.all([app, closed, full, builtIn].map((one) => one.close()));
});

const API = '/api/v1';
const AUTH = `${API}/auth`;
const sign = (how: 'in' | 'up', email: string, password: string) =>
  postJson(`${app.url}${AUTH}/sign-${how}`, { email, password });
const changePassword = (newPassword: string, confirmPassword: string) =>
  postJson(`${app.url}${AUTH}/password`, { newPassword, confirmPassword }, { cookie: user.cookie });
const buy = (name: unknown, key: string | undefined = randomUUID()) =>
  postJson(
    `${app.url}${API}/purchases`,
    { package: name },
    { cookie: user.cookie, ...(key && { 'idempotency-key': key }) },
  );
const post = (path: string, init: RequestInit = {}) => fetch(app.url + path, { method: 'POST', ...init });
/** Sends the start of a form that never ends. */
function sendForEver(): Promise<Response> {
  const body = new ReadableStream({ start: (form) => form.enqueue(new TextEncoder().encode('--x\r\n')) });
  return hindered.fetch(`${API}/tools/remover/generations`, {
    method: 'POST',
    headers: { 'content-type': 'multipart/form-data; boundary=x', 'idempotency-key': randomUUID() },
    body,
    duplex: 'half',
  });
}

/** Sends a form with these parts to a tool. */
async function generate(
  parts: Record<string, string | Blob>,
  tool = 'text-to-image',
  person = user,
): Promise<Response> {
  const form = new FormData();
  for (const [name, part] of Object.entries(parts)) form.set(name, part);
  return person.fetch(`${API}/tools/${tool}/generations`, {
    method: 'POST',
    headers: { 'idempotency-key': randomUUID() },
    body: form,
  });
}
const picture = async (type = 'image/jpeg') => new Blob([new Uint8Array(await makePicture())], { type });
const bytes = (content: Uint8Array<ArrayBuffer>, type = 'image/png') => new Blob([content], { type });

async function makeUnavailable(): Promise<Response> {
  const purchase = await makePurchase(user);
  await sql`alter table webhook_events rename to webhook_events_away`.execute(app.db);
  try {
    const token = purchase.checkoutUrl.split('/').at(-1);
    return await postJson(`${app.url}${API}/sandbox/checkout/${token}`, { action: 'pay' }, { cookie: user.cookie });
  } finally {
    await sql`alter table webhook_events_away rename to webhook_events`.execute(app.db);
  }
}

/** The same purchase while the first request is in progress. */
async function buyTwiceAtOnce(): Promise<Response> {
  const key = randomUUID();
  await sql`
    insert into idempotency_keys (user_id, route, key, payload_hash, created_at)
    values (${user.id}, 'purchases', ${key}, ${hashPayload([['body', '{"package":"basic"}']])}, now())`.execute(app.db);
  return buy('basic', key);
}

async function submitOneTooMany(): Promise<Response> {
  const busy = await makeUser(app, { credits: 4 });
  app.provider.behave({ polls: 1000 });
  const made = await Promise.all([1, 2, 3].map(() => makeGeneration(busy)));
  const answer = await submit(busy);
  app.provider.behave({});
  await Promise.all(made.map(({ id }) => waitForEnd(busy, id)));
  return answer;
}

async function breakSomething(): Promise<Response> {
  await sql`alter table purchases rename to purchases_away`.execute(app.db);
  try {
    return await user.fetch(`${API}/purchases`);
  } finally {
    await sql`alter table purchases_away rename to purchases`.execute(app.db);
  }
}

const UNCLEAR = 'The request could not be understood.';
const UNAVAILABLE = 'The service is temporarily unavailable. Please try again.';

/** Status and sentence of section 0.2 of the contract; the code's table is compared with it. */
const cases: Record<ErrorCode, Case> = {
  ...pictureCases({ picture, generate: (parts, tool) => generate(parts, tool, engined), of: () => ({ app, user }) }),
  malformed_request: {
    status: 400,
    detail: UNCLEAR,
    provoke: () => post(`${AUTH}/sign-in`, { body: '{', headers: { 'content-type': 'application/json' } }),
  },
  idempotency_key_required: {
    status: 400,
    detail: 'An Idempotency-Key header is required.',
    provoke: () => buy('basic', ''),
  },
  idempotency_key_invalid: {
    status: 400,
    detail: 'The Idempotency-Key header must be 1 to 255 visible ASCII characters.',
    provoke: () => buy('basic', 'a b'),
  },
  webhook_signature_invalid: {
    status: 400,
    detail: 'Invalid signature.',
    provoke: () => post('/webhooks/sandbox', { body: '{}' }),
  },
  authentication_required: {
    status: 401,
    detail: 'Authentication required',
    provoke: () => fetch(`${app.url}${API}/credits`),
  },
  ...billingCases(() => user),
  no_active_session: { status: 401, detail: 'No active session', provoke: () => fetch(`${app.url}${API}/session`) },
  refresh_token_not_found: {
    status: 401,
    detail: 'Session expired. Please log in again.',
    provoke: () => post(`${AUTH}/refresh`, { headers: { cookie: 'session=dead' } }),
  },
  invalid_credentials: {
    status: 401,
    detail: 'Invalid email or password. Please try again.',
    provoke: () => sign('in', 'nobody@example.com', 'x'),
  },
  insufficient_credits: {
    status: 402,
    detail: 'Insufficient credits. Please add more credits to continue.',
    provoke: () => submit(poor),
  },
  cross_site_request: {
    status: 403,
    detail: 'Authentication failed',
    provoke: () => post(`${AUTH}/sign-out`, { headers: { origin: 'https://evil.example' } }),
  },
  sign_in_again: {
    status: 403,
    detail: 'Please sign in again to do this.',
    provoke: async () => {
      const person = await makeUser(app);
      // As if the user had signed in with Google an hour ago.
      await sql`update users set password_hash = null where id = ${person.id}`.execute(app.db);
      await sql`update sessions set created_at = now() - interval '1 hour' where user_id = ${person.id}`.execute(
        app.db,
      );
      return person.fetch(`${API}/account`, { method: 'DELETE' });
    },
  },
  sign_up_disabled: {
    status: 403,
    detail: 'Please sign up with Google',
    provoke: () => postJson(`${closed.url}${AUTH}/sign-up`, { email: 'ann@example.com', password: 's3cret-enough' }),
  },
  not_found: { status: 404, detail: 'Not found.', provoke: () => user.fetch(`${API}/generations/gen_unknown`) },
  method_not_allowed: { status: 405, detail: 'Method not allowed.', provoke: () => post('/healthz') },
  request_timeout: {
    status: 408,
    detail: 'The upload took too long. Please try again.',
    provoke: sendForEver,
  },
  email_in_use: {
    status: 409,
    detail: 'Authentication failed',
    provoke: () => sign('up', user.email, 's3cret-enough'),
  },
  idempotency_in_progress: { status: 409, detail: 'This request is already being processed.', provoke: buyTwiceAtOnce },
  not_cancelable: {
    status: 409,
    detail: 'This generation has already finished.',
    provoke: async () => {
      const { id } = await waitForEnd(user, (await makeGeneration(user)).id);
      return user.fetch(`${API}/generations/${id}/cancel`, { method: 'POST' });
    },
  },
  redo_not_possible: {
    status: 409,
    detail: 'This result can no longer be redone for free.',
    provoke: async () => {
      const { id } = await waitForEnd(user, (await makeGeneration(user)).id);
      return user.fetch(`${API}/generations/${id}/redo`, {
        method: 'POST',
        headers: { 'idempotency-key': randomUUID() },
      });
    },
  },
  return_not_possible: {
    status: 409,
    detail: 'This result can no longer be returned.',
    provoke: async () => {
      const { id } = await waitForEnd(user, (await makeGeneration(user)).id);
      return postJson(`${app.url}${API}/generations/${id}/return`, { reason: 'edges' }, { cookie: user.cookie });
    },
  },
  ...runCases(() => ({ app, user })),
  ...lookCases(() => ({ app, user })),
  ...keyCases(() => ({ app, user })),
  ...webhookCases(() => ({ app })),
  file_too_large: {
    status: 413,
    detail: 'Image file size must be less than 12MB',
    provoke: () => generate({ image: bytes(new Uint8Array(12_582_913), 'image/jpeg') }),
  },
  body_too_large: {
    status: 413,
    detail: 'The request is too large.',
    provoke: () => sign('in', 'a@b.co', 'x'.repeat(65_537)),
  },
  unsupported_image_type: {
    status: 415,
    detail: 'Please select an image file (JPEG, PNG, or WebP)',
    provoke: async () => generate({ image: await picture('image/gif') }),
  },
  unsupported_content_type: {
    status: 415,
    detail: 'Unsupported content type.',
    provoke: () =>
      post(`${AUTH}/sign-in`, { body: 'a=b', headers: { 'content-type': 'application/x-www-form-urlencoded' } }),
  },
  range_not_satisfiable: {
    status: 416,
    detail: 'Range not satisfiable.',
    provoke: async () => {
      const { result } = await waitForEnd(user, (await makeGeneration(user)).id);
      return user.fetch(result?.contentUrl ?? '', { headers: { range: 'bytes=99999999-' } });
    },
  },
  credentials_required: {
    status: 422,
    detail: 'Please enter both email and password',
    provoke: () => sign('in', '', ''),
  },
  email_invalid: {
    status: 422,
    detail: 'Please enter a valid email address',
    provoke: () => sign('up', 'ann', 's3cret-enough'),
  },
  password_too_short: {
    status: 422,
    detail: 'Password must be at least 6 characters long',
    provoke: () => changePassword('12345', '12345'),
  },
  password_too_long: {
    status: 422,
    detail: 'Password must be at most 256 characters long',
    provoke: () => changePassword('x'.repeat(257), 'x'.repeat(257)),
  },
  passwords_do_not_match: {
    status: 422,
    detail: 'Passwords do not match',
    provoke: () => changePassword('n3w-secret', 'other-one'),
  },
  image_required: { status: 422, detail: 'Please upload an image', provoke: () => generate({ image: '' }, 'remover') },
  model_image_required: {
    status: 422,
    detail: 'Please upload a model image',
    provoke: async () => generate({ garmentImage: await picture() }, 'dress-change'),
  },
  garment_image_required: {
    status: 422,
    detail: 'Please upload a garment image',
    provoke: async () => generate({ modelImage: await picture() }, 'dress-change'),
  },
  target_model_required: {
    status: 422,
    detail: 'Please provide both face image and select a target model',
    provoke: async () => generate({ image: await picture() }, 'headshot-generator'),
  },
  prompt_required: {
    status: 422,
    detail: 'Please provide a scene description',
    provoke: async () => generate({ image: await picture() }),
  },
  prompt_too_long: {
    status: 422,
    detail: 'The description must be at most 2000 characters long',
    provoke: async () => generate({ image: await picture(), prompt: 'x'.repeat(2001) }),
  },
  image_unreadable: {
    status: 422,
    detail: 'Failed to load image. Please try another file.',
    provoke: () => generate({ image: bytes(new Uint8Array(100)) }),
  },
  image_read_failed: {
    status: 422,
    detail: 'Failed to read image file. Please try again.',
    provoke: () => generate({ image: bytes(new Uint8Array(0)) }),
  },
  invalid_option: {
    status: 422,
    detail: 'Invalid option selected',
    provoke: () => user.fetch(`${API}/generations?status=done`),
  },
  unknown_field: { status: 422, detail: UNCLEAR, provoke: () => postJson(`${app.url}${AUTH}/sign-in`, { user: 'x' }) },
  invalid_package: { status: 422, detail: 'Invalid package type selected', provoke: () => buy('huge') },
  idempotency_key_reused: {
    status: 422,
    detail: 'This Idempotency-Key was already used with a different request.',
    provoke: async () => {
      const key = randomUUID();
      expect((await buy('basic', key)).status).toBe(201);
      return buy('premium', key);
    },
  },
  rate_limited: {
    status: 429,
    detail: 'Too many requests. Please try again later.',
    retry: true,
    provoke: async () => {
      const guess = () => postJson(`${closed.url}${AUTH}/sign-in`, { email: 'a@b.co', password: 'x' });
      expect((await guess()).status).toBe(401);
      return guess();
    },
  },
  too_many_generations: {
    status: 429,
    detail: 'Too many generations are running. Please wait for one to finish.',
    retry: true,
    provoke: submitOneTooMany,
  },
  internal_error: { status: 500, detail: 'An unexpected error occurred. Please try again.', provoke: breakSomething },
  temporarily_unavailable: { status: 503, detail: UNAVAILABLE, retry: true, provoke: makeUnavailable },
  storage_full: {
    status: 507,
    detail: UNAVAILABLE,
    provoke: async () => submit(await makeUser(full, { credits: 1 })),
  },
};

describe('the table of errors', () => {
  it('has the statuses and sentences of the contract, and nothing that is not tried here', () => {
    const contract = Object.entries(cases).map(([code, { status, detail }]) => [code, { status, detail }]);
    expect(Object.fromEntries(contract)).toEqual(errors);
  });
});

const provoked = Object.entries(cases) as [ErrorCode, Case][];

describe('over HTTP', () => {
  it.each(provoked)(
    '%s is answered as a problem document with its own status and sentence',
    async (code, { provoke, ...one }) => {
      const answer = await provoke();
      const retryAfter = answer.headers.get('retry-after');
      if (one.retry) expect(retryAfter).toMatch(/^[1-9]\d*$/);
      expect(answer.headers.get('cache-control')).toBe(answer.url.includes('/api/') ? 'no-store' : null);
      const problem = await expectProblem(answer, code, one.detail);
      expect(problem.status).toBe(one.status);
      expectCodeDescribed(answer.url, code);
      expect(JSON.stringify(problem)).not.toMatch(
        /select .* from|insert into|relation "|postgres|127\.0\.0\.1|node_modules|\.ts:/i,
      );
    },
  );

  it('a generation that finds no room keeps nothing and costs nothing', async () => {
    const owner = await makeUser(full, { credits: 1 });
    await expectProblem(await submit(owner), 'storage_full');
    expect(await owner.credits()).toBe(1);
    expect((await sql`select 1 from generations`.execute(full.db)).rows).toEqual([]);
  });
});

describe('while the database is away', () => {
  it(
    'everything that needs it is 503 with Retry-After within seconds, and the process goes on serving',
    { tags: ['slow'] },
    async () => {
      const door = await startProxy(new URL(app.databaseUrl));
      const url = new URL(app.databaseUrl);
      url.port = String(door.port);
      const config = readConfig({ ...app.environment, DATABASE_URL: url.href, ROLE: 'web' });
      const log = createLog('fatal');
      const secrets = readOrMakeSecrets(app.dataDir);
      const rest = {
        engineUrl: undefined,
        getEngineUrl: () => Promise.reject(new Error('there is none')),
        isEngineUp: () => true,
        pagesDir: app.dataDir,
        checkpoint: async () => undefined,
      };
      const away = await startApp({ config, secrets, databaseUrl: url.href, clock: systemClock, log, ...rest });
      try {
        const at = `http://127.0.0.1:${away.port}`;
        expect((await fetch(`${at}${API}/session`, { headers: { cookie: user.cookie } })).status).toBe(200);
        door.shut();
        for (const path of [`${API}/session`, `${API}/credits`, `${API}/media`, `${API}/events`]) {
          const answer = await fetch(at + path, { headers: { cookie: user.cookie } });
          expect(answer.headers.get('retry-after')).toMatch(/^[1-9]\d*$/);
          await expectProblem(answer, 'temporarily_unavailable');
        }
        const signIn = await postJson(`${at}${AUTH}/sign-in`, { email: user.email, password: user.password });
        await expectProblem(signIn, 'temporarily_unavailable');
        for (const path of ['/healthz', `${API}/packages`, `${API}/tools`]) {
          for (const headers of [{}, { cookie: user.cookie }]) {
            expect([path, (await fetch(at + path, { headers })).status]).toEqual([path, 200]);
          }
        }
        expect((await fetch(`${at}/no-such-page`, { headers: { cookie: user.cookie } })).status).toBe(404);
        const start = performance.now();
        const ready = await fetch(`${at}/readyz`, { headers: { cookie: user.cookie } });
        expect(performance.now() - start).toBeLessThan(2000);
        expect(ready.status).toBe(503);
        expect(await ready.json()).toMatchObject({
          status: 'unready',
          checks: { database: 'failed', storage: 'ok', queue: 'failed' },
        });
        door.reopen();
        await waitUntil(
          () => fetch(`${at}/readyz`),
          (one) => one.status === 200,
        );
        const stream = await listen({ url: at }, user.cookie);
        await stream.waitForEvent('hello');
        expect((await fetch(`${at}${API}/credits`, { headers: { cookie: user.cookie } })).status).toBe(200);
        await makePurchase(user);
        const { id } = await makeGeneration(user);
        await stream.waitForEvent('generation', (body) => body.id === id);
        stream.close();
        await waitForEnd(user, id);
      } finally {
        door.close();
        await away.stop().catch(() => undefined);
      }
    },
  );
});
