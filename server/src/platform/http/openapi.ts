import type { FastifyInstance } from 'fastify';
import { addRoute } from './route.ts';

/** Describes the API to programs. The document is made at its first reading, and is the same for all from then on. */
export function addOpenApi(http: FastifyInstance): void {
  let document: Promise<string> | undefined;
  addRoute(http, 'get /openapi.json', async (_request, reply) => {
    document ??= import('@plinth/contract/openapi').then(({ makeOpenApi }) => JSON.stringify(makeOpenApi()));
    return reply.type('application/json; charset=utf-8').send(await document);
  });
}
