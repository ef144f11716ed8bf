import { z } from 'zod';
import { operationGroups } from './api/operations.ts';
import { type Answer, API_BASE, type Operation } from './api/operation.ts';
import { type ErrorCode, errors } from './errors.ts';
import { isForKeys } from './keys.ts';
import { IDEMPOTENCY_KEY_MAX_LENGTH } from './limits.ts';
import { named } from './named.ts';
import { packIds } from './pack-names.ts';
import { toolIds } from './tools.ts';

/** The OpenAPI 3.1 document of every route below /api/v1 (https://spec.openapis.org/oas/v3.1.1). */

/** Errors of reading the body, before it is validated. */
const BODY_CODES = ['unsupported_content_type', 'body_too_large', 'request_timeout'] as const;
const FORM_CODES = ['file_too_large', 'unsupported_image_type', 'image_unreadable', 'image_read_failed'] as const;
const PAGING_CODES = ['invalid_option', 'unknown_field'] as const;
const KEY_CODES = ['idempotency_key_invalid', 'idempotency_in_progress', 'idempotency_key_reused'] as const;

/** Returns every error code of this operation, by status. */
export function listCodes(operation: Operation): ErrorCode[] {
  const { method, path, access, idempotencyKey, json, form, fault, codes = [] } = operation;
  const takesKeys = isForKeys(API_BASE + path) || access === 'public' || access === 'all';
  const all: ErrorCode[] = [
    'malformed_request',
    'internal_error',
    'temporarily_unavailable',
    'invalid_key',
    ...codes,
    ...(fault === undefined ? [] : [fault]),
    ...(access === 'all' ? [] : ['rate_limited' as const]),
    ...(access === 'session' ? ['authentication_required' as const] : []),
    ...(takesKeys ? [] : ['session_required' as const]),
    ...(path.includes('{') ? ['not_found' as const] : []),
    ...(method === 'get' ? [] : ['cross_site_request' as const, ...BODY_CODES]),
    ...(method === 'post' || json !== undefined ? ['unknown_field' as const] : []),
    ...(form === undefined ? [] : FORM_CODES),
    ...(operation.answers[206] === undefined ? [] : ['range_not_satisfiable' as const]),
    ...(idempotencyKey === undefined ? [] : KEY_CODES),
    ...(idempotencyKey === 'required' ? ['idempotency_key_required' as const] : []),
    ...(operation.query !== undefined && 'cursor' in operation.query ? PAGING_CODES : []),
  ];
  return [...new Set(all)].toSorted((a, b) => errors[a].status - errors[b].status || (a < b ? -1 : 1));
}

const problemSchema = named('Problem', {
  type: z.literal('about:blank'),
  title: z.string(),
  status: z.int(),
  code: z.enum(Object.keys(errors) as ErrorCode[]),
  detail: z.string().describe('The sentence for the person.'),
  requestId: z.string(),
  fields: z
    .array(z.object({ field: z.string(), code: z.enum(Object.keys(errors) as ErrorCode[]), detail: z.string() }))
    .optional(),
});

/** RFC 9457 problem document: the body of every error response. */
export type Problem = z.infer<typeof problemSchema>;

type Json = Record<string, unknown>;

const IN_COMPONENTS = '#/components/schemas/';

const jsonSchemaOptions = (io: 'input' | 'output') =>
  ({
    io,
    unrepresentable: 'any',
    override: ({ jsonSchema }) => {
      // Later versions may add fields to a response.
      if (io === 'output' && jsonSchema.additionalProperties === false) delete jsonSchema.additionalProperties;
      if (jsonSchema.format === 'date-time') delete jsonSchema.pattern;
      if (jsonSchema.maximum === Number.MAX_SAFE_INTEGER) delete jsonSchema.maximum;
      if (jsonSchema.minimum === Number.MIN_SAFE_INTEGER) delete jsonSchema.minimum;
    },
  }) satisfies Parameters<typeof z.toJSONSchema>[1];

/** Converts a schema to JSON Schema with references to the document's components. */
function toSchema(schema: z.ZodType, io: 'input' | 'output'): Json {
  const { $schema: _version, $defs: _named, ...rest } = z.toJSONSchema(schema, jsonSchemaOptions(io));
  return JSON.parse(JSON.stringify(rest).replaceAll('#/$defs/', IN_COMPONENTS)) as Json;
}

function listComponents(): Record<string, Json> {
  const { schemas } = z.toJSONSchema(z.globalRegistry, {
    ...jsonSchemaOptions('output'),
    uri: (id) => IN_COMPONENTS + id,
  });
  return Object.fromEntries(
    Object.entries(schemas).map(([name, { $schema: _version, $id: _id, id: _name, ...schema }]) => [name, schema]),
  );
}

/** Allowed values of path parameters. */
const PATH_VALUES: Record<string, readonly string[]> = { tool: toolIds, pack: packIds };

function listParameters({ path, query = {}, idempotencyKey }: Operation): Json[] {
  const inPath = [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => ({
    name,
    in: 'path',
    required: true,
    schema: { type: 'string', ...(PATH_VALUES[name] && { enum: PATH_VALUES[name] }) },
  }));
  const inQuery = Object.entries(query).map(([name, schema]) => ({
    name,
    in: 'query',
    required: !schema.safeParse(undefined).success,
    schema: toSchema(schema, 'input'),
  }));
  const key = {
    name: 'Idempotency-Key',
    in: 'header',
    required: idempotencyKey === 'required',
    description: 'The same key again gets the first answer again, and nothing is done twice.',
    schema: { type: 'string', minLength: 1, maxLength: IDEMPOTENCY_KEY_MAX_LENGTH },
  };
  return [...inPath, ...inQuery, ...(idempotencyKey === undefined ? [] : [key])];
}

/** Reason phrases of RFC 9110. */
const PHRASES: Record<string, string> = { 200: 'OK', 201: 'Created', 202: 'Accepted', 204: 'No Content' };

function toAnswer(status: string, { says = PHRASES[status] ?? '', json, bytes = [] }: Answer): Json {
  const content = {
    ...(json !== undefined && { 'application/json': { schema: toSchema(json, 'output') } }),
    ...Object.fromEntries(bytes.map((type) => [type, {}])),
  };
  return { description: says, ...(Object.keys(content).length > 0 && { content }) };
}

function toRefusals(codes: readonly ErrorCode[]): Json {
  const statuses = [...new Set(codes.map((code) => errors[code].status))];
  return Object.fromEntries(
    statuses.map((status) => {
      const own = codes.filter((code) => errors[code].status === status);
      const schema = { allOf: [{ $ref: '#/components/schemas/Problem' }], properties: { code: { enum: own } } };
      const description = own.map((code) => `${code}: ${errors[code].detail}`).join(' ');
      return [status, { description, content: { 'application/problem+json': { schema } } }];
    }),
  );
}

function toOperation(operation: Operation, tag: string): Json {
  const { method, path, says, access, json, form, answers } = operation;
  const [type, body] = json === undefined ? ['multipart/form-data', form] : ['application/json', json];
  const canHaveKey = isForKeys(API_BASE + path);
  return {
    operationId: `${method}${path.replace(/[^a-zA-Z]+(\w)/g, (_all, letter: string) => letter.toUpperCase()).replace(/\W/g, '')}`,
    summary: says,
    tags: [tag],
    // An empty list states that no authentication is needed. Omitting it would leave that open.
    security: access !== 'session' ? [] : canHaveKey ? [{ key: [] }, { session: [] }] : [{ session: [] }],
    parameters: listParameters(operation),
    ...(body && {
      requestBody: {
        required: !body.safeParse(undefined).success,
        content: { [type]: { schema: toSchema(body, 'input') } },
      },
    }),
    responses: {
      ...Object.fromEntries(Object.entries(answers).map(([status, one]) => [status, toAnswer(status, one)])),
      ...toRefusals(listCodes(operation)),
    },
  };
}

/** Builds the whole document. */
export function makeOpenApi(): Json {
  const paths: Record<string, Json> = {};
  for (const { title, operations } of operationGroups)
    for (const operation of operations)
      (paths[API_BASE + operation.path] ??= {})[operation.method] = toOperation(operation, title);
  return {
    openapi: '3.1.0',
    info: {
      title: 'Plinth',
      version: '1',
      description:
        'Product pictures and videos from plain photos. Problems come as RFC 9457 documents; decide by `code`.',
    },
    servers: [{ url: '/' }],
    tags: operationGroups.map(({ title }) => ({ name: title })),
    paths,
    components: {
      schemas: listComponents(),
      securitySchemes: {
        key: { type: 'http', scheme: 'bearer', description: 'An API key, plk_…' },
        session: { type: 'apiKey', in: 'cookie', name: 'session', description: 'The cookie of a signed-in browser.' },
      },
    },
  };
}
