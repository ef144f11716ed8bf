import { randomUUID } from 'node:crypto';
import { listCodes } from '@plinth/contract/openapi';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { z } from 'zod';
import { startTestApp, type TestApp } from './app.ts';
import { expectDescribed, nameOf, operations } from './described.ts';
import { makeUser, type TestUser } from './makers.ts';

/** Checks routes and bodies; other tests compare their answers with the document by `expectDescribed`. */

let app: TestApp;
let user: TestUser;
let document: { paths: Record<string, object> };
beforeAll(async () => {
  app = await startTestApp();
  user = await makeUser(app);
  document = (await (await fetch(`${app.url}/api/v1/openapi.json`)).json()) as typeof document;
});
afterAll(() => app.close());

it('knows every route below /api/v1, and no other', () => {
  const routes = app.routes.filter((route) => route.includes(' /api/v1/') && !route.startsWith('HEAD'));
  const described = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.keys(methods).map((method) => `${method.toUpperCase()} ${path.replace(/\{(\w+)\}/g, ':$1')}`),
  );
  expect(described.toSorted()).toEqual(routes.toSorted());
});

const bodies = operations.filter(({ json, path }) => json !== undefined && !path.includes('{'));

it.each(bodies.map((operation) => [nameOf(operation), operation] as const))(
  'names each field that %s takes',
  async (name, { path, json }) => {
    const [method = ''] = name.split(' ');
    const schema = z.toJSONSchema(json as z.ZodType, { io: 'input', unrepresentable: 'any' });
    const send = async (field: string) => {
      const answer = await user.fetch(`/api/v1${path}`, {
        method,
        headers: { 'content-type': 'application/json', 'idempotency-key': `fields-${field}` },
        body: JSON.stringify({ [field]: null }),
      });
      return ((await answer.json()) as { code: string }).code;
    };
    expect(Object.keys(schema.properties ?? {}).length).toBeGreaterThan(0);
    for (const field of Object.keys(schema.properties ?? {}))
      expect([field, await send(field)]).not.toEqual([field, 'unknown_field']);
    expect(await send('x_unknown')).toBe('unknown_field');
  },
);

const changes = operations.filter(({ method }) => method !== 'get');

it.each(changes.map((operation) => [nameOf(operation), operation] as const))(
  'lists what %s answers to a body that it does not take',
  async (name, { method, path }) => {
    const person = await makeUser(app);
    const send = (type: string, body: string) =>
      person.fetch(`/api/v1${path.replace(/\{\w+\}/g, 'none')}`, {
        method: method.toUpperCase(),
        headers: { 'content-type': type, 'idempotency-key': randomUUID() },
        body,
      });
    await expectDescribed(name, await send('text/plain', 'x'));
    await expectDescribed(name, await send('application/json', '{"x_unknown":null}'));
    await expectDescribed(name, await send('application/json', `"${'x'.repeat(100_000)}"`));
  },
);

it('lists no refusal of keys where they are taken like nothing', async () => {
  const made = await user.fetch('/api/v1/keys', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: '{"name":"of the test"}',
  });
  const { secret } = (await made.json()) as { secret: string };
  for (const operation of operations.filter((one) => !one.path.includes('{') && one.method !== 'delete')) {
    const answer = await fetch(`${app.url}/api/v1${operation.path}`, {
      method: operation.method.toUpperCase(),
      headers: { authorization: `Bearer ${secret}`, accept: 'application/json' },
    });
    const isJson = answer.headers.get('content-type')?.includes('json') === true;
    const { code } = (isJson ? await answer.json() : {}) as { code?: string };
    const isRefused = code === 'session_required';
    if (!isJson) void answer.body?.cancel();
    expect([nameOf(operation), isRefused]).toEqual([
      nameOf(operation),
      listCodes(operation).includes('session_required'),
    ]);
  }
});
