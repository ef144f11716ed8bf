import { timingSafeEqual } from 'node:crypto';
import Fastify, { type FastifyError, type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify';
import { errorText, log } from '../log.ts';

const REQUEST_MS = 300_000; // from the first to the last byte of a request

/** Makes an HTTP server that answers faults with `{"error":"…"}`; details of internal errors only go to the log. */
export function makeHttp(): FastifyInstance {
  const http = Fastify({
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
  const isDisconnected = reply.raw.destroyed || request.raw.destroyed;
  if (!isDisconnected) log('request_failed', { method: request.method, error: errorText(error) });
  return sendFault(reply, 500, 'internal error');
}

/** Drains an unread body, so that its sender receives the answer. */
export function sendFault(reply: FastifyReply, status: number, error: string): FastifyReply {
  return reply.code(status).send({ error });
}

/** Rejects requests without the key (`Authorization: Key …`) before their body is read. */
export function requireKey(key: string) {
  const expected = Buffer.from(`Key ${key}`);
  return async (request: FastifyRequest, reply: FastifyReply) => {
    const actual = Buffer.from(request.headers.authorization ?? '');
    // constant-time comparison
    const isEqual = actual.length === expected.length && timingSafeEqual(actual, expected);
    return isEqual ? undefined : sendFault(reply, 401, 'the key is wrong');
  };
}
