import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { API_BASE, type Operation } from './api/operation.ts';
import { operationGroups } from './api/operations.ts';
import { type ErrorCode, errors } from './errors.ts';
import { isForKeys } from './keys.ts';
import { listCodes, makeOpenApi } from './openapi.ts';
import { packIds } from './pack-names.ts';
import { toolIds } from './tools.ts';

type Node = { [name: string]: unknown };
type Described = {
  operationId: string;
  security?: Node[];
  parameters: { name: string; in: string; required: boolean; schema: Node }[];
  requestBody?: { required: boolean; content: Record<string, { schema: Node }> };
  responses: Record<string, { description: string; content?: Record<string, { schema: Node }> }>;
};
type Document = Node & {
  paths: Record<string, Record<string, Described>>;
  components: { schemas: Record<string, Node> };
};

const document = makeOpenApi() as Document;
const operations: readonly Operation[] = operationGroups.flatMap((group) => group.operations);
const nameOf = ({ method, path }: Operation) => `${method.toUpperCase()} ${path}`;
const named = operations.map((operation) => [nameOf(operation), operation] as const);

function find(name: string): { operation: Operation; described: Described } {
  const operation = operations.find((one) => nameOf(one) === name);
  const described = operation && document.paths[API_BASE + operation.path]?.[operation.method];
  if (operation === undefined || described === undefined) throw new Error(`no operation ${name}`);
  return { operation, described };
}

/** Every object in the document. */
function* walk(node: unknown): Generator<Node> {
  if (typeof node !== 'object' || node === null) return;
  if (!Array.isArray(node)) yield node as Node;
  for (const part of Object.values(node)) yield* walk(part);
}

describe('the OpenAPI document', () => {
  it('is of version 3.1, and its references resolve', () => {
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
  });

  it('has only patterns that every language reads', () => {
    const patterns = [...walk(document)].flatMap(({ pattern }) => (typeof pattern === 'string' ? [pattern] : []));
    expect(patterns.length).toBeGreaterThan(0);
    // Not Python, for one.
    expect(patterns.filter((pattern) => /\\[pPuU]/.test(pattern))).toEqual([]);
  });

  it('knows colours in capitals, too: a pattern has no flags', () => {
    const colours = [...walk(document)].filter(
      ({ pattern }) => typeof pattern === 'string' && pattern.startsWith('^#'),
    );
    expect(colours.length).toBeGreaterThan(0);
    for (const { pattern } of colours) expect('#FFAA00').toMatch(new RegExp(pattern as string));
  });

  it('has a unique operationId for each operation, for generated clients', () => {
    const ids = operations.map((operation) => find(nameOf(operation)).described.operationId);
    expect(ids.filter((id, at) => !/^[a-z][a-zA-Z]+$/.test(id) || ids.indexOf(id) !== at)).toEqual([]);
    expect(find('POST /generations/{id}/redo').described.operationId).toBe('postGenerationsIdRedo');
  });

  it('forbids no field that a later version may add to an answer', () => {
    const closed = [...walk([document.components, operations.map((one) => find(nameOf(one)).described.responses)])];
    expect(closed.filter((node) => node['additionalProperties'] === false)).toEqual([]);
  });

  it('forbids unknown fields of a request', () => {
    const { requestBody } = find('POST /webhook-endpoints').described;
    expect(requestBody?.content['application/json']?.schema).toMatchObject({
      required: ['url', 'events'],
      additionalProperties: false,
    });
  });
});

describe.each(named)('%s', (name, operation) => {
  const { described } = find(name);

  it('has the security of its access', () => {
    const isOfSession = operation.access === 'session';
    const keys = isForKeys(API_BASE + operation.path) ? [{ key: [] }] : [];
    expect(described.security).toEqual(isOfSession ? [...keys, { session: [] }] : []);
    expect(listCodes(operation).includes('authentication_required')).toBe(isOfSession);
  });

  it('describes each part of its path', () => {
    const parts = [...operation.path.matchAll(/\{(\w+)\}/g)].map(([, part]) => part);
    const inPath = described.parameters.filter((parameter) => parameter.in === 'path');
    expect(inPath.map((parameter) => parameter.name)).toEqual(parts);
    expect(inPath.every((parameter) => parameter.required)).toBe(true);
  });

  it('names the codes of each refusal, every one with its sentence', () => {
    const said: ErrorCode[] = [];
    for (const [status, { description, content }] of Object.entries(described.responses)) {
      const problem = content?.['application/problem+json'];
      if (problem === undefined) continue;
      const { enum: codes } = (problem.schema['properties'] as { code: { enum: ErrorCode[] } }).code;
      expect(codes.map((code) => errors[code].status)).toEqual(codes.map(() => Number(status)));
      for (const code of codes) expect(description).toContain(errors[code].detail);
      said.push(...codes);
    }
    expect(said.toSorted()).toEqual(listCodes(operation).toSorted());
    // A status is either a success or an error.
    expect(Object.keys(operation.answers).filter((status) => Number(status) >= 400)).toEqual([]);
  });
});

describe("an operation's error codes follow from its input", () => {
  const bare: Operation = { method: 'get', path: '/things', says: '', access: 'all', answers: {} };
  const added = (change: Partial<Operation>) => {
    const before = listCodes(bare);
    return listCodes({ ...bare, ...change }).filter((code) => !before.includes(code));
  };

  const OF_BODIES: ErrorCode[] = ['body_too_large', 'request_timeout', 'unsupported_content_type'];
  it.each<[string, Partial<Operation>, ErrorCode[]]>([
    ['a session', { access: 'session' }, ['authentication_required', 'rate_limited', 'session_required']],
    ['a thing in its path', { path: '/things/{id}' }, ['not_found']],
    ['a deletion', { method: 'delete' }, ['cross_site_request', ...OF_BODIES]],
    ['a change', { method: 'put', json: z.strictObject({}) }, ['cross_site_request', 'unknown_field', ...OF_BODIES]],
    ['its own codes', { codes: ['too_many_endpoints'] }, ['too_many_endpoints']],
    ['a post', { method: 'post' }, ['cross_site_request', 'unknown_field', ...OF_BODIES]],
    [
      'a key that may be left out',
      { idempotencyKey: 'optional' },
      ['idempotency_key_invalid', 'idempotency_in_progress', 'idempotency_key_reused'],
    ],
  ])('%s', (_, change, codes) => {
    expect(added(change).toSorted()).toEqual(codes.toSorted());
  });

  it('a required idempotency key', () => {
    expect(added({ idempotencyKey: 'required' })).toContain('idempotency_key_required');
  });

  it('a rate limit unless the response is for all, and a session where keys are not accepted', () => {
    expect(listCodes({ ...bare, access: 'browser' })).toEqual(
      expect.arrayContaining(['rate_limited', 'session_required']),
    );
    expect(listCodes({ ...bare, path: '/media', access: 'session' })).not.toContain('session_required');
  });

  it('in the order of their statuses, without duplicates', () => {
    const codes = listCodes(find('POST /tools/{tool}/generations').operation);
    const statuses = codes.map((code) => errors[code].status);
    expect(statuses).toEqual(statuses.toSorted((a, b) => a - b));
    expect(new Set(codes).size).toBe(codes.length);
  });
});

describe('the input of an operation', () => {
  it('is a form for a generation, with the idempotency key for retries', () => {
    const { parameters, requestBody } = find('POST /tools/{tool}/generations').described;
    expect(Object.keys(requestBody?.content ?? {})).toEqual(['multipart/form-data']);
    const parameter = (name: string) => parameters.find((one) => one.name === name);
    expect(parameter('tool')?.schema).toEqual({ type: 'string', enum: toolIds });
    expect(parameter('Idempotency-Key')).toMatchObject({ in: 'header', required: true });
    expect(find('GET /packs').described.parameters).toEqual([]);
  });

  it('may be a pack by its name', () => {
    const packed = Object.values(document.paths)
      .flatMap((methods) => Object.values(methods))
      .flatMap(({ parameters }) => parameters.filter(({ name, in: place }) => name === 'pack' && place === 'path'));
    expect(packed.map(({ schema }) => schema['enum'])).toEqual(packed.map(() => packIds));
    expect(packed.length).toBeGreaterThan(0);
  });

  it('may be left out where a page begins', () => {
    const { parameters } = find('GET /webhook-endpoints').described;
    expect(parameters.map(({ name, required }) => [name, required])).toEqual([
      ['limit', false],
      ['cursor', false],
    ]);
  });
});
