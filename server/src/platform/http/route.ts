import { API_BASE, type Operation } from '@plinth/contract/api/operation';
import { type BodyOf, operationGroups, type OperationName } from '@plinth/contract/api/operations';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { onlySignedIn, requireUser } from './caller.ts';
import { parseBody, parseNoBody } from './body.ts';
import { onlyWithIdempotencyKey, onlyWithValidIdempotencyKey } from './idempotency.ts';
import type { CountedRead, LimitKind, RequestLimits } from './limits.ts';

type ParamNames<Path extends string> = Path extends `${string}{${infer Name}}${infer Rest}`
  ? Name | ParamNames<Rest>
  : never;
type Params<Name extends OperationName> = { Params: Record<ParamNames<Name>, string> };
export type RequestOf<Name extends OperationName> = FastifyRequest<Params<Name>>;
type Guard = (request: FastifyRequest, reply: FastifyReply) => Promise<unknown>;

type RouteOptions<Name extends OperationName> = {
  /** Run in this order, after authentication and before the Idempotency-Key check and the body. */
  guards?: readonly ((request: RequestOf<Name>, reply: FastifyReply) => Promise<unknown>)[];
  counts?: CountedRead;
};

const operations = new Map<string, Operation>(
  operationGroups.flatMap((group) => group.operations.map((one) => [`${one.method} ${one.path}`, one])),
);

function getOperation(name: OperationName): Operation {
  const operation = operations.get(name);
  if (operation === undefined) throw new Error(`the contract has no ${name}`);
  return operation;
}

/**
 * Validates the JSON body by its operation. Handlers call it late, because a replay is answered whatever the body is.
 * @throws AppError malformed_request, unknown_field, or the code of the invalid field
 */
export function readBody<Name extends OperationName>(name: Name, { body }: FastifyRequest): BodyOf<Name> {
  const { json, fault = 'malformed_request' } = getOperation(name);
  if (json === undefined) throw new Error(`${name} takes no JSON`);
  return parseBody(json, body, fault) as BodyOf<Name>;
}

type Handler<Name extends OperationName> = (request: RequestOf<Name>, reply: FastifyReply) => unknown;

/** Binds a handler to its operation, which defines address, access, idempotency key, form and status. */
export function addRoute<Name extends OperationName>(
  http: FastifyInstance,
  name: Name,
  ...rest: [Handler<NoInfer<Name>>] | [RouteOptions<NoInfer<Name>>, Handler<NoInfer<Name>>]
): void {
  const [{ guards = [], counts }, handler]: [RouteOptions<Name>, Handler<Name>] =
    rest.length === 1 ? [{}, rest[0]] : rest;
  const operation = getOperation(name);
  const { method, path, json, form } = operation;
  const hasNoBody = method === 'post' && json === undefined && form === undefined;
  const status = Number(Object.keys(operation.answers)[0]);
  http.route<Params<Name>>({
    method,
    url: API_BASE + path.replace(/\{(\w+)\}/g, ':$1'),
    onRequest: listGuards(operation, guards as readonly Guard[]),
    config: {
      operation,
      ...(form !== undefined && { form: true }),
      ...(counts && { counts }),
    },
    handler: async (request, reply) => {
      if (hasNoBody) parseNoBody(request.body);
      reply.status(status);
      return handler(request, reply);
    },
  });
}

function listGuards({ access, idempotencyKey }: Operation, guards: readonly Guard[]) {
  return [
    ...(access === 'session' ? [onlySignedIn] : []),
    ...guards,
    ...(idempotencyKey === 'required' ? [onlyWithIdempotencyKey] : []),
    ...(idempotencyKey === 'optional' ? [onlyWithValidIdempotencyKey] : []),
  ];
}

/** Guard: counts a request of the authenticated caller. */
export const countBy =
  ({ count }: RequestLimits, kind: LimitKind): Guard =>
  (request) =>
    count(kind, requireUser(request).rateLimitKey);

/** Serves the OpenAPI document, which is made at the first request and cached. */
export function addOpenApi(http: FastifyInstance): void {
  let document: Promise<string> | undefined;
  addRoute(http, 'get /openapi.json', async (_request, reply) => {
    document ??= import('@plinth/contract/openapi').then(({ makeOpenApi }) => JSON.stringify(makeOpenApi()));
    return reply.type('application/json; charset=utf-8').send(await document);
  });
}
