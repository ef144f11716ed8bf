import { timingSafeEqual } from 'node:crypto';
import Fastify, { type FastifyError, type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify';
import { errorText, log } from '../log.ts';

const REQUEST_MS = 300_000; // from the first byte of a request to its last

/** An HTTP server that answers every fault with `{"error":"…"}` and tells nobody but the log what broke. */
export function makeHttp(): FastifyInstance {
  const http = Fastify({
    routerOptions: { maxParamLength: 200 },
    exposeHeadRoutes: false,
    requestTimeout: REQUEST_MS,
    forceCloseConnections: true,
    frameworkErrors: (error, request, reply) => void sendError(error, request, reply),
  });
  http.addHook('onRequest', async (_request, reply) => void reply.header('cache-control', 'no-store'));
  http.setErrorHandler(sendError);
  http.setNotFoundHandler((_request, reply) => sendFault(reply, 404, 'not found'));
  http.get('/health', () => ({ status: 'ok' }));
  return http;
}

function sendError(error: FastifyError | Error, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const status = 'statusCode' in error ? (error.statusCode ?? 500) : 500;
  if (status < 500) return sendFault(reply, status, error.message);
  const hasHungUp = reply.raw.destroyed || request.raw.destroyed;
  if (!hasHungUp) log('request_failed', { method: request.method, error: errorText(error) });
  return sendFault(reply, 500, 'internal error');
}

/** The rest of a body that was not wanted is read and thrown away, so that its sender hears the answer. */
export function sendFault(reply: FastifyReply, status: number, error: string): FastifyReply {
  return reply.code(status).send({ error });
}

/** Turns away who has no key (`Authorization: Key …`) before anything of the request's body is read. */
export function askForKey(key: string) {
  const expected = Buffer.from(`Key ${key}`);
  return async (request: FastifyRequest, reply: FastifyReply) => {
    const given = Buffer.from(request.headers.authorization ?? '');
    // told in the same time wherever they differ
    const isRight = given.length === expected.length && timingSafeEqual(given, expected);
    return isRight ? undefined : sendFault(reply, 401, 'the key is wrong');
  };
}
