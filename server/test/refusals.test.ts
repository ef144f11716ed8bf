import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startTestApp, type TestApp } from './app.ts';
import { file, text, writeForm } from './forms.ts';
import { makeGeneration, makePicture, makeUser, postJson, type TestUser, waitForEnd } from './makers.ts';
import { expectProblem, sendRaw, sendThenRead } from './wire.ts';

let app: TestApp;
let user: TestUser;
let limited: TestApp;
let poor: TestUser;
beforeAll(async () => {
  [app, limited] = await Promise.all([startTestApp(), startTestApp({ RATE_LIMIT_SCALE: '0.005' })]);
  user = await makeUser(app, { credits: 5 });
  poor = await makeUser(limited);
});
afterAll(async () => {
  await Promise.all([app.close(), limited.close()]);
});

const API = '/api/v1';
const CROSS = { 'sec-fetch-site': 'cross-site' };
const GENERATE = `${API}/tools/text-to-image/generations`;

async function makeForm(parts: Record<string, string | Blob>): Promise<FormData> {
  const form = new FormData();
  const jpeg = new Blob([new Uint8Array(await makePicture())], { type: 'image/jpeg' });
  for (const [name, part] of Object.entries({ image: jpeg, ...parts })) form.set(name, part);
  return form;
}

type Body = NonNullable<RequestInit['body']> | null;
const post = (who: TestUser, path: string, body: Body, headers: Record<string, string> = {}) =>
  who.fetch(path, { method: 'POST', body, headers });
const withKey = () => ({ 'idempotency-key': randomUUID() });
const gif = () => new Blob(['GIF89a'], { type: 'image/gif' });

describe('of two faults, the answer names', () => {
  it('an unknown path or a wrong method before a foreign site', async () => {
    await expectProblem(await post(user, `${API}/unknown`, null, CROSS), 'not_found');
    await expectProblem(await user.fetch(`${API}/session`, { method: 'PUT', headers: CROSS }), 'method_not_allowed');
  });

  it('a foreign site before the missing session', async () => {
    const headers = { ...CROSS, cookie: '' };
    for (const path of [GENERATE, `${API}/purchases`, `${API}/auth/password`, `${API}/auth/refresh`]) {
      await expectProblem(await fetch(app.url + path, { method: 'POST', headers }), 'cross_site_request');
    }
  });

  it('an unknown path or a wrong method before what it brings along', async () => {
    for (const [type, body] of [
      ['application/json', '{'],
      ['application/json', `"${'x'.repeat(70_000)}"`],
      ['multipart/form-data; boundary=x', 'x'],
      ['text/plain', 'x'],
    ] as const) {
      for (const [path, code] of [
        [`${API}/unknown`, 'not_found'],
        ['/unknown', 'not_found'],
        [`${API}/credits`, 'method_not_allowed'],
        ['/auth/google/start', 'method_not_allowed'],
      ] as const)
        await expectProblem(await post(user, path, body, { 'content-type': type }), code);
    }
  });

  it('the missing session before an unknown tool or object', async () => {
    for (const path of ['tools/unknown/generations', 'generations/gen_x/cancel']) {
      const answer = await fetch(`${app.url}${API}/${path}`, { method: 'POST' });
      await expectProblem(answer, 'authentication_required');
    }
    await expectProblem(await fetch(`${app.url}${API}/media/med_x/content`), 'authentication_required');
  });

  it('the missing or ended session before a body that cannot be read, also where a session is renewed', async () => {
    const gone = await makeUser(app);
    await gone.fetch(`${API}/auth/sign-out`, { method: 'POST' });
    for (const [cookie, code] of [
      ['', 'no_active_session'],
      [gone.cookie, 'refresh_token_not_found'],
    ] as const) {
      for (const type of ['application/json', 'text/plain']) {
        const init = { method: 'POST', body: '{', headers: { cookie, 'content-type': type } };
        await expectProblem(await fetch(`${app.url}${API}/auth/refresh`, init), code);
      }
    }
  });

  it('an unknown tool before too many requests', async () => {
    expect((await post(poor, GENERATE, null)).status).toBe(400);
    await expectProblem(await post(poor, GENERATE, null, withKey()), 'rate_limited');
    for (const tool of ['unknown', '__proto__', 'constructor', 'toString', 'remover%20', 'REMOVER']) {
      await expectProblem(await post(poor, `${API}/tools/${tool}/generations`, null), 'not_found');
    }
    for (const method of ['DELETE', 'PUT', 'DELETE'])
      await expectProblem(await poor.fetch(`${API}/looks/look_x`, { method }), 'look_not_found');
  });

  it('an unknown look or message before too many requests', async () => {
    const seller = await makeUser(limited, { credits: 1 });
    const { id } = await makeGeneration(seller);
    const { result } = await waitForEnd(seller, id);
    for (const path of ['packs/etsy', 'packs/etsy/preview', 'packshot', 'packs/etsy'])
      await expectProblem(await seller.fetch(`${API}/media/${result?.mediaId}/${path}?look=look_x`), 'look_not_found');
    await sql`
      insert into webhook_endpoints (id, user_id, url, events, secret, created_at)
      values ('whe_1', ${seller.id}, 'https://example.com', '{}', 'x', now())`.execute(limited.db);
    const again = `${API}/webhook-endpoints/whe_1/deliveries/msg_x/again`;
    for (let tries = 1; tries <= 3; tries += 1)
      await expectProblem(await post(seller, again, null, withKey()), 'not_found');
  });

  it('too many requests before a missing Idempotency-Key, and says when to come back', async () => {
    const generation = await post(poor, GENERATE, null);
    await expectProblem(generation, 'rate_limited');
    const seconds = generation.headers.get('retry-after') ?? '';
    expect(seconds).toMatch(/^[1-9]\d*$/);
    expect(Number(seconds)).toBeLessThanOrEqual(60);
    await expectProblem(await post(poor, `${API}/purchases`, null), 'idempotency_key_required');
    await expectProblem(await post(poor, `${API}/purchases`, null), 'rate_limited');
    await expectProblem(await post(poor, `${API}/webhook-endpoints`, null), 'malformed_request');
    await expectProblem(await post(poor, `${API}/webhook-endpoints`, null), 'rate_limited');
    const broken = { 'content-type': 'application/json' };
    await expectProblem(await post(poor, `${API}/auth/password`, '{', broken), 'malformed_request');
    await expectProblem(await post(poor, `${API}/auth/password`, '{', broken), 'rate_limited');
  });

  it('a missing or malformed Idempotency-Key before the body', async () => {
    const text = { 'content-type': 'text/plain' };
    for (const path of [GENERATE, `${API}/purchases`]) {
      await expectProblem(await post(user, path, 'x', text), 'idempotency_key_required');
      for (const key of ['', 'a b', 'a'.repeat(256), 'kéy']) {
        const answer = await post(user, path, 'x', { ...text, 'idempotency-key': key });
        expect(['idempotency_key_invalid', 'idempotency_key_required']).toContain(
          ((await answer.json()) as { code: string }).code,
        );
        expect(answer.status).toBe(400);
      }
    }
    const most = await post(user, `${API}/purchases`, '{}', {
      'content-type': 'application/json',
      'idempotency-key': '~'.repeat(255),
    });
    await expectProblem(most, 'invalid_package');
  });

  it('a body of the wrong kind before its fields', async () => {
    await expectProblem(
      await post(user, GENERATE, '{}', { ...withKey(), 'content-type': 'application/json' }),
      'unsupported_content_type',
    );
    await expectProblem(
      await post(user, GENERATE, 'x', { ...withKey(), 'content-type': 'text/plain' }),
      'unsupported_content_type',
    );
    await expectProblem(await post(user, GENERATE, null, withKey()), 'unsupported_content_type');
    const wrongPicture = await makeForm({ image: gif(), prompt: '', other: 'x' });
    await expectProblem(await post(user, GENERATE, wrongPicture, withKey()), 'unsupported_image_type');
  });

  it('the fields, in their order, before the credits', async () => {
    const penniless = await makeUser(app);
    const form = await makeForm({ image: new Blob(['nothing'], { type: 'image/png' }), prompt: ' ' });
    const problem = await expectProblem(await post(penniless, GENERATE, form, withKey()), 'image_unreadable');
    expect(problem.fields?.map((field) => [field.field, field.code])).toEqual([
      ['image', 'image_unreadable'],
      ['prompt', 'prompt_required'],
    ]);
    const complete = await post(penniless, GENERATE, await makeForm({ prompt: 'on a table' }), withKey());
    await expectProblem(complete, 'insufficient_credits');
  });

  it('an unknown object before a broken body', async () => {
    const broken = { 'content-type': 'application/json' };
    await expectProblem(await post(user, `${API}/generations/gen_x/cancel`, '{', broken), 'not_found');
    await expectProblem(await post(user, `${API}/sandbox/checkout/x`, '{', broken), 'not_found');
    await expectProblem(
      await post(user, `${API}/sandbox/checkout/x`, 'x', { 'content-type': 'text/plain' }),
      'not_found',
    );
  });
});

describe('a JSON route', () => {
  const credentials = { email: 'ann@example.com', password: 's3cret-enough' };
  const bodies: [path: string, body: object, headers?: Record<string, string>][] = [
    ['auth/sign-up', credentials],
    ['auth/sign-in', credentials],
    ['auth/password', { newPassword: 'n3w-secret', confirmPassword: 'n3w-secret' }],
    ['purchases', { package: 'basic' }, { 'idempotency-key': 'k' }],
    ['auth/refresh', {}],
  ];

  it.each(bodies)('%s refuses unknown fields by name, and keeps nothing', async (path, body, headers = {}) => {
    for (const name of ['extra', 'constructor', '', 'PASSWORD']) {
      const answer = await postJson(
        `${app.url}${API}/${path}`,
        { ...body, [name]: 1 },
        { cookie: user.cookie, ...headers },
      );
      const problem = await expectProblem(answer, 'unknown_field');
      expect(problem.fields).toEqual([
        { field: name, code: 'unknown_field', detail: 'The request could not be understood.' },
      ]);
    }
    const text = JSON.stringify({ ...body, extra: 1 }).replace('"extra"', '"__proto__"');
    const answer = await post(user, `${API}/${path}`, text, { 'content-type': 'application/json', ...headers });
    expect([400, 422]).toContain(answer.status);
    expect((await user.fetch(`${API}/session`)).status).toBe(200);
    const made = await sql`select 1 from users where email = ${credentials.email}`.execute(app.db);
    expect(made.rows).toEqual([]);
  });

  it('refuses a cancelling that carries fields, and takes an empty object or nothing', async () => {
    const { id } = await waitForEnd(user, (await makeGeneration(user)).id);
    const cancel = (body: string) =>
      post(user, `${API}/generations/${id}/cancel`, body, { 'content-type': 'application/json' });
    await expectProblem(await cancel('{"force":true}'), 'unknown_field');
    await expectProblem(await cancel('[]'), 'malformed_request');
    await expectProblem(await cancel('{}'), 'not_cancelable');
    await expectProblem(await cancel(''), 'not_cancelable');
  });

  it.each(bodies.slice(0, 4))('%s refuses what is no object', async (path, _body, headers = {}) => {
    const send = (body: Body, type = 'application/json') =>
      post(user, `${API}/${path}`, body, { 'content-type': type, ...headers });
    const texts = ['', '{', 'null', '[]', '1', '"x"', 'true', '{"a":1}}', "{'a':1}", '[{}]', '\u0000', '{"a":NaN}'];
    texts.push('['.repeat(30_000), '{"a":'.repeat(10_000));
    for (const text of texts) await expectProblem(await send(text), 'malformed_request');
    const invalid = Buffer.concat([
      Buffer.from('{"email":"a@b.c","password":"'),
      Buffer.from([0xc3, 0x28]),
      Buffer.from('"}'),
    ]);
    await expectProblem(await send(new Uint8Array(invalid)), 'malformed_request');
    for (const type of [
      'text/plain',
      'application/x-www-form-urlencoded',
      'application/xml',
      'x',
      'multipart/form-data; boundary=x',
    ]) {
      await expectProblem(await send('{}', type), 'unsupported_content_type');
    }
  });

  it('survives deep, huge, odd and empty values', async () => {
    const values: unknown[] = [null, 1, true, [], {}, 1e308, ['a@b.c'], { $ne: 1 }];
    for (const value of values) {
      for (const path of ['auth/sign-in', 'auth/sign-up']) {
        const answer = await postJson(`${app.url}${API}/${path}`, { email: value, password: value });
        await expectProblem(answer, 'credentials_required');
      }
      const bought = await postJson(
        `${app.url}${API}/purchases`,
        { package: value },
        { cookie: user.cookie, ...withKey() },
      );
      await expectProblem(bought, 'invalid_package');
      const changed = await postJson(
        `${app.url}${API}/auth/password`,
        { newPassword: value, confirmPassword: value },
        { cookie: user.cookie },
      );
      await expectProblem(changed, 'password_too_short');
    }
    const deep = `{"package":${'['.repeat(30_000)}${']'.repeat(30_000)}}`;
    const type = { 'content-type': 'application/json' };
    await expectProblem(await post(user, `${API}/purchases`, deep, { ...type, ...withKey() }), 'invalid_package');
    await expectProblem(await post(user, `${API}/auth/sign-in`, deep, type), 'unknown_field');
    for (const name of ['__proto__', 'constructor', 'toString', ' basic ', 'BASIC', '', 'basic\u0000', '0']) {
      const bought = await postJson(
        `${app.url}${API}/purchases`,
        { package: name },
        { cookie: user.cookie, ...withKey() },
      );
      await expectProblem(bought, 'invalid_package');
    }
    const random = Array.from({ length: 4000 }, () => randomUUID())
      .join('')
      .slice(0, 60_000);
    for (const email of [random, 'a\u0000@example.com', '\ud800', '%', "' or 1=1 --"]) {
      const answer = await postJson(`${app.url}${API}/auth/sign-in`, { email, password: 'x' });
      await expectProblem(answer, 'invalid_credentials');
      const made = await postJson(`${app.url}${API}/auth/sign-up`, { email, password: 'long-enough' });
      await expectProblem(made, 'email_invalid');
    }
  });
});

describe('a body', () => {
  const LIMIT = 64 * 1024;
  const jsonOf = (bytes: number) => {
    const body = JSON.stringify({ email: 'a@example.com', password: '' });
    return body.replace('""', `"${'x'.repeat(bytes - body.length)}"`);
  };

  it('of 64 KiB is read, one byte more is refused readably, announced or in chunks', async () => {
    const headers = { 'content-type': 'application/json' };
    const url = `${app.url}${API}/auth/sign-in`;
    const most = await fetch(url, { method: 'POST', headers, body: jsonOf(LIMIT) });
    await expectProblem(most, 'invalid_credentials');
    await expectProblem(await fetch(url, { method: 'POST', headers, body: jsonOf(LIMIT + 1) }), 'body_too_large');
    const chunked = new ReadableStream({
      start: (stream) => void (stream.enqueue(Buffer.from(jsonOf(LIMIT + 1))), stream.close()),
    });
    const init = { method: 'POST', headers, body: chunked, duplex: 'half' } as RequestInit;
    await expectProblem(await fetch(url, init), 'body_too_large');
  });

  it('that is far too large gets its whole answer before the connection goes', async () => {
    for (const framing of ['content-length: 8388608', 'transfer-encoding: chunked']) {
      const head = `POST ${API}/auth/sign-in HTTP/1.1\r\nhost: localhost\r\ncontent-type: application/json\r\n${framing}\r\n\r\n`;
      const piece = Buffer.alloc(65_536, 97);
      const pieces = Array.from({ length: 128 }, () =>
        framing.startsWith('content') ? piece : Buffer.concat([Buffer.from('10000\r\n'), piece, Buffer.from('\r\n')]),
      );
      const answer = await sendRaw(app, [head, ...pieces]);
      expect(answer.status).toBe(413);
      expect(JSON.parse(answer.body)).toMatchObject({ code: 'body_too_large', detail: 'The request is too large.' });
    }
  });

  it('that is refused with a picture on its way leaves the connection to the next request', async () => {
    const form = writeForm([text('prompt', 'x'.repeat(20_000)), file(Buffer.alloc(1_048_576))]);
    const head =
      `POST ${API}/tools/remover/generations HTTP/1.1\r\nhost: localhost\r\ncookie: ${user.cookie}\r\n` +
      `idempotency-key: k\r\ncontent-type: multipart/form-data; boundary=x\r\ncontent-length: ${form.byteLength}\r\n\r\n`;
    const next = 'GET /healthz HTTP/1.1\r\nhost: localhost\r\nconnection: close\r\n\r\n';
    const answers = await sendThenRead(app, [head, form, next]);
    expect(answers).toMatch(/^HTTP\/1.1 413 /);
    expect(answers).toContain('{"status":"ok"}');
  });

  it('of a webhook may have 256 KiB and not one byte more', async () => {
    const send = (bytes: number) =>
      fetch(`${app.url}/webhooks/sandbox`, {
        method: 'POST',
        body: 'x'.repeat(bytes),
        headers: { 'content-type': 'application/json' },
      });
    await expectProblem(await send(256 * 1024), 'webhook_signature_invalid');
    await expectProblem(await send(256 * 1024 + 1), 'body_too_large');
    for (const type of ['text/plain', 'multipart/form-data; boundary=x']) {
      const odd = await fetch(`${app.url}/webhooks/sandbox`, {
        method: 'POST',
        body: 'x',
        headers: { 'content-type': type },
      });
      await expectProblem(odd, 'webhook_signature_invalid');
    }
  });

  it('is not needed to refuse a request head beyond 16 KiB', async () => {
    const large = await sendRaw(app, [
      `GET /healthz HTTP/1.1\r\nhost: localhost\r\nx-long: ${'a'.repeat(17_000)}\r\n\r\n`,
    ]);
    expect(large.status).toBe(431);
    const fits = await sendRaw(app, [
      `GET /healthz HTTP/1.1\r\nhost: localhost\r\nx-long: ${'a'.repeat(15_000)}\r\n\r\n`,
    ]);
    expect(fits.status).toBe(200);
    const line = await sendRaw(app, [`GET /${'a'.repeat(17_000)} HTTP/1.1\r\nhost: localhost\r\n\r\n`]);
    expect(line.status).toBe(414);
    expect((await sendRaw(app, ['NONSENSE\r\n\r\n'])).status).toBe(400);
  });
});
