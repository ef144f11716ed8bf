import { createWriteStream } from 'node:fs';
import type { IncomingHttpHeaders } from 'node:http';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import Fastify, { type FastifyError, type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify';
import { errorText, log } from '../log.ts';
import { refuseField } from '../problem.ts';

/**
 * An HTTP server with the conventions of fal's wire: bodies are JSON whatever they call themselves, errors are fal's.
 */

export type Answer = { status: number; body?: unknown; headers?: Record<string, string> };

export const NOT_FOUND: Answer = { status: 404, body: { detail: 'Not found' } };

/** The body was longer than the route takes. */
class TooLong extends Error {}

const REQUEST_MS = 300_000; // from the first byte of a request to its last

export function makeHttp(): FastifyInstance {
  const http = Fastify({
    rewriteUrl: ({ url = '/' }) => findPath(url) ?? url,
    routerOptions: { ignoreTrailingSlash: true, ignoreDuplicateSlashes: true, maxParamLength: 200 },
    exposeHeadRoutes: false,
    requestTimeout: REQUEST_MS,
    forceCloseConnections: true,
    frameworkErrors: (error, request, reply) => void sendError(error, request, reply),
  });
  http.removeAllContentTypeParsers();
  http.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, done) => {
    try {
      done(null, body.length === 0 ? undefined : JSON.parse(body.toString('utf8'))); // a cancel comes without a body
    } catch (error) {
      done(error as SyntaxError);
    }
  });
  http.addHook('onRequest', async (request, reply) => {
    reply.header('cache-control', 'no-store');
    if (findPath(request.originalUrl) === undefined)
      return sendAnswer(reply, { status: 400, body: { detail: 'Bad request' } });
  });
  http.setErrorHandler(sendError);
  return http;
}

/** Path and query with `.` and `..` resolved; undefined for what is no address. */
function findPath(address: string): string | undefined {
  if (!URL.canParse(address, 'http://engine')) return undefined;
  const { pathname, search } = new URL(address, 'http://engine');
  return `${pathname}${search}`;
}

/** Always JSON, also where the body is a mere string. */
export function sendAnswer(reply: FastifyReply, { status, body, headers = {} }: Answer): FastifyReply {
  return reply
    .code(status)
    .headers({ 'content-type': 'application/json', ...headers })
    .send(body === undefined ? '' : JSON.stringify(body));
}

function sendError(error: FastifyError | Error, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const answer = explain(error);
  const hasHungUp = reply.raw.destroyed || request.raw.destroyed;
  if (answer.status === 500 && !hasHungUp) {
    log('request_failed', { method: request.method, error: errorText(error) });
  }
  return sendAnswer(reply, { ...answer, headers: { connection: 'close' } });
}

function explain(error: FastifyError | Error): Answer {
  if (isTooLong(error)) return { ...refuseField('image_url', 'file_too_large', 'The file is too large.'), status: 413 };
  if (error instanceof SyntaxError) {
    return { status: 400, body: { detail: 'The body is not JSON.', error_type: 'bad_request' } };
  }
  const status = 'statusCode' in error ? (error.statusCode ?? 500) : 500;
  if (status < 500) return { status, body: { detail: 'Bad request', error_type: 'bad_request' } };
  return { status: 500, body: { detail: 'Internal error', error_type: 'internal_error' } };
}

export function isTooLong(error: Error): boolean {
  return error instanceof TooLong || ('code' in error && error.code === 'FST_ERR_CTP_BODY_TOO_LARGE');
}

/** The parsed body of a route that needs one. @throws SyntaxError when nothing was sent */
export function getBody(request: FastifyRequest): unknown {
  if (request.body === undefined) throw new SyntaxError('there is no body');
  return request.body;
}

/** Writes a body that no parser has touched into a new file. @throws TooLong */
export async function saveBody(request: FastifyRequest, path: string, maxBytes: number): Promise<void> {
  if (Number(request.headers['content-length'] ?? 0) > maxBytes) throw new TooLong();
  let length = 0;
  const count = async function* (chunks: AsyncIterable<Buffer>) {
    for await (const chunk of chunks) {
      length += chunk.length;
      if (length > maxBytes) throw new TooLong();
      yield chunk;
    }
  };
  await pipeline(request.raw as Readable, count, createWriteStream(path, { flags: 'wx', mode: 0o600 }));
}

export function getHeader({ headers }: { headers: IncomingHttpHeaders }, name: string): string | undefined {
  const value = headers[name];
  return Array.isArray(value) ? value[0] : value;
}

/** Where this caller reached us; a restarted engine may have another port than the one that stored the file. */
export function findOrigin({ headers }: { headers: IncomingHttpHeaders }): string {
  return `http://${headers.host ?? '127.0.0.1'}`;
}

/** The words behind the question mark; of one that stands there twice, `get` takes the first. */
export function readQuery({ url }: { url: string }): URLSearchParams {
  return new URL(url, 'http://engine').searchParams;
}
