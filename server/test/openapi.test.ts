import { afterAll, beforeAll, expect, it } from 'vitest';
import { z } from 'zod';
import { startTestApp, type TestApp } from './app.ts';
import { nameOf, operations } from './described.ts';
import { makeUser, type TestUser } from './makers.ts';

/** What other tests meet is compared with the document by `expectDescribed`; here is the document itself. */

let app: TestApp;
let user: TestUser;
let document: Document;
beforeAll(async () => {
  app = await startTestApp();
  user = await makeUser(app);
  document = (await (await fetch(`${app.url}/api/v1/openapi.json`)).json()) as Document;
});
afterAll(() => app.close());

type Node = { [name: string]: unknown };
type Document = Node & { paths: Record<string, Record<string, { operationId: string }>> };

/** Every object of the document. */
function* walk(node: unknown): Generator<Node> {
  if (typeof node !== 'object' || node === null) return;
  if (!Array.isArray(node)) yield node as Node;
  for (const part of Object.values(node)) yield* walk(part);
}

it('knows every route below /api/v1, and no other', () => {
  const routes = app.routes.filter((route) => route.includes(' /api/v1/') && !route.startsWith('HEAD'));
  const described = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.keys(methods).map((method) => `${method.toUpperCase()} ${path.replace(/\{(\w+)\}/g, ':$1')}`),
  );
  expect(described.toSorted()).toEqual(routes.toSorted());
});

it('is OpenAPI 3.1 whose references lead somewhere, with a name for each operation', () => {
  expect(document).toMatchObject({ openapi: '3.1.0', info: { title: 'Plinth', version: '1' } });
  const references = [...walk(document)].flatMap(({ $ref }) => (typeof $ref === 'string' ? [$ref] : []));
  expect(references.length).toBeGreaterThan(100);
  for (const reference of new Set(references)) {
    const found = reference
      .slice(2)
      .split('/')
      .reduce<unknown>((node, name) => (node as Node)[name], document);
    expect(found, reference).toBeTypeOf('object');
  }
  const names = Object.values(document.paths).flatMap((methods) =>
    Object.values(methods).map(({ operationId }) => operationId),
  );
  expect(names.filter((name, at) => !/^[a-z][a-zA-Z]+$/.test(name) || names.indexOf(name) !== at)).toEqual([]);
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
