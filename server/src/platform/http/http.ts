import { STATUS_CODES } from 'node:http';
import type { Duplex } from 'node:stream';
import accepts from '@fastify/accepts';
import cookie from '@fastify/cookie';
import type { ErrorCode } from '@plinth/contract/errors';
import { JSON_MAX_BYTES } from '@plinth/contract/limits';
import type { Problem } from '@plinth/contract/openapi';
import Fastify, {
  type FastifyBaseLogger,
  type FastifyError,
  type FastifyInstance,
  type FastifyReply,
  type FastifyRequest,
  LogController,
} from 'fastify';
import { isDatabaseUnavailable } from '../data/db.ts';
import { findShortage } from '../machine/disk.ts';
import { AppError } from '../errors.ts';
import { readOnlyJson } from './body.ts';
import { type Caller, findBearer, isApiUrl } from './caller.ts';
import { listHeaders, sendHtml } from './headers.ts';
import { newId } from '../ids.ts';
import type { Log } from '../log.ts';
import { isLoopbackName } from '../loopback.ts';
import { opensInBrowser, renderProblemPage } from './problem-page.ts';
import { logRequests, logResponse } from './request-log.ts';
import { drainRefusedBodies, HEAD_MS, limitBodies } from './slow-clients.ts';
import { StorageUnavailableError } from '../data/storage.ts';

/** The methods of each path, to tell a wrong method from an unknown path; `url` is the route's pattern. */
export type RouteTable = { url: string; pattern: RegExp; methods: string[] }[];

declare module 'fastify' {
  interface FastifyInstance {
    routeTable: RouteTable;
  }
}

type HttpOptions = {
  log: Log;
  trustProxyHops: number;
  /** The public origin; undefined on one machine, where any loopback name is used. */
  publicOrigin: string | undefined;
  /** Sends the page for unknown addresses; without pages a problem document is sent. */
  sendNotFound?: ((request: FastifyRequest, reply: FastifyReply) => FastifyReply) | undefined;
};

/** Makes an HTTP server without routes: problem documents, request ids, cross-site rule, headers. */
export async function makeHttp(options: HttpOptions): Promise<FastifyInstance> {
  const logger: FastifyBaseLogger = options.log;
  const refuse = (error: FastifyError, request: FastifyRequest, reply: FastifyReply) =>
    sendProblem(toAppError(error, request, options.log), request, reply);
  const http = Fastify({
    loggerInstance: logger,
    logController: new LogController({ disableRequestLogging: true }),
    trustProxy: (_address, hop) => hop < options.trustProxyHops,
    genReqId: () => newId('req'),
    bodyLimit: JSON_MAX_BYTES,
    rewriteUrl: ({ url = '/' }) => normaliseUrl(url),
    routerOptions: { maxParamLength: 1000, ignoreTrailingSlash: false },
    requestTimeout: 300_000,
    keepAliveTimeout: 20_000,
    // Requests on open connections are still answered during shutdown; closeHttp ends those that last too long.
    forceCloseConnections: 'idle',
    return503OnClosing: false,
    http: { maxHeaderSize: HEAD_MAX_BYTES, headersTimeout: HEAD_MS, connectionsCheckingInterval: 2000 },
    // Thrown before routing, so no hook has run.
    frameworkErrors: (error, request, reply) => {
      request.caller = VISITOR;
      reply.raw.once('finish', () => logResponse(options.log, request, reply));
      reply.header('X-Request-Id', request.id).header('Cache-Control', 'no-store');
      refuse(error, request, reply);
    },
  });
  http.server.prependListener('clientError', refuseLongLine);
  readOnlyJson(http);
  limitBodies(http);
  http.decorate('routeTable', []);
  http.decorateRequest('caller');
  logRequests(http, options.log, options.trustProxyHops > 0);
  http.addHook('onRoute', (route) => addToRouteTable(http.routeTable, route.method, route.url));
  await http.register(cookie);
  await http.register(accepts);
  addRequestHooks(http, options);
  http.setErrorHandler(refuse);
  http.setNotFoundHandler((request, reply) => refuseUnknown(request, reply, options.sendNotFound));
  drainRefusedBodies(http);
  return http;
}

// The escapes of letters, digits, hyphen, dot, underscore and tilde.
const NEEDLESS_ESCAPE = /%(?:2[de]|3\d|[46][1-9a-f]|[57][0-9a]|5f|7e)/gi;

/** The one spelling of an address, as the router reads it: limits, headers and wrong methods are decided by it. */
function normaliseUrl(url: string): string {
  const [path = '', ...query] = url.replace(/^https?:\/\/[^/?]*\/?/i, '/').split('?');
  // Decoding parts of a broken escape could make a whole one; the router refuses it as it is.
  if (/%(?![\da-f]{2})/i.test(path)) return url;
  return [path.replace(NEEDLESS_ESCAPE, decodeURIComponent), ...query].join('?');
}

const HEAD_MAX_BYTES = 16 * 1024;

/** Answers a request line beyond the limit of the head, which the parser reports like a long header (431). */
function refuseLongLine(error: Error & { code?: string; rawPacket?: Buffer }, socket: Duplex): void {
  const start = error.rawPacket?.toString('latin1', 0, HEAD_MAX_BYTES) ?? '';
  if (error.code !== 'HPE_HEADER_OVERFLOW' || !/^[A-Z]+ [^\r\n]+$/.test(start) || !socket.writable) return;
  socket.write('HTTP/1.1 414 URI Too Long\r\nConnection: close\r\nContent-Length: 0\r\n\r\n');
  socket.destroy();
}

/** Sets the headers of every response, and rejects requests that must not reach a route. */
function addRequestHooks(http: FastifyInstance, options: HttpOptions): void {
  const headers = listHeaders(options.publicOrigin);
  // Hooks use callbacks rather than promises, because every request passes all of them.
  http.addHook('onRequest', (request, reply, done) => {
    request.caller = VISITOR;
    reply.headers(headers).header('x-request-id', request.id);
    if (isApiUrl(request.url)) reply.header('cache-control', 'no-store');
    // Without a public origin only this machine is served: a foreign name that resolves here is an attacker's.
    if (options.publicOrigin === undefined && !isLoopbackName(request.hostname))
      throw new AppError('malformed_request');
    if (request.is404) {
      // Fastify would read the body before it answers 404.
      if (request.method === 'GET' || request.method === 'HEAD') return done();
      return void refuseUnknown(request, reply, options.sendNotFound);
    }
    refuseCrossSite(request, options.publicOrigin);
    done();
  });
}

const VISITOR: Caller = { kind: 'visitor' };

/** Stops accepting requests, waits up to `graceMs` for running ones, then closes every connection. */
export async function closeHttp(http: FastifyInstance, graceMs: number): Promise<void> {
  // Node keeps connections open that have become idle since, for reuse.
  const idleTimer = setInterval(() => http.server.closeIdleConnections(), 50);
  const graceTimer = setTimeout(() => http.server.closeAllConnections(), graceMs);
  await http.close();
  clearInterval(idleTimer);
  clearTimeout(graceTimer);
}

/** The origin in use: the configured one, or the loopback name that the browser used. */
export function originOf(request: FastifyRequest, publicOrigin: string | undefined): string {
  return publicOrigin ?? `http://${request.headers.host ?? 'localhost'}`;
}

const SAFE_METHODS = new Set(['GET', 'HEAD', 'OPTIONS', 'TRACE']);

function refuseCrossSite(request: FastifyRequest, publicOrigin: string | undefined): void {
  if (SAFE_METHODS.has(request.method) || request.url.startsWith('/webhooks/')) return;
  // A browser sends no key for a foreign page: that requires a CORS preflight.
  if (findBearer(request) !== undefined) return;
  const site = request.headers['sec-fetch-site'];
  const { origin } = request.headers;
  const isForeign =
    site !== undefined
      ? site !== 'same-origin' && site !== 'none'
      : origin !== undefined && origin !== originOf(request, publicOrigin);
  if (isForeign) throw new AppError('cross_site_request');
}

function refuseUnknown(request: FastifyRequest, reply: FastifyReply, showPage: HttpOptions['sendNotFound']) {
  const allowed = allowedMethods(request.server.routeTable, request.url);
  if (request.method !== 'TRACE' && allowed.length === 0) {
    const wantsHtml = !request.url.startsWith('/api/') && request.headers.accept?.includes('text/html') === true;
    if (showPage === undefined || !wantsHtml) return sendProblem(new AppError('not_found'), request, reply);
    return showPage(request, reply);
  }
  reply.header('Allow', allowed.join(', '));
  return sendProblem(new AppError('method_not_allowed'), request, reply);
}

function addToRouteTable(routes: RouteTable, method: string | string[], url: string): void {
  if (url === '*' || url === '/*') return;
  const source = url
    .split('/')
    .map((part) =>
      part === '*' ? '.*' : part.startsWith(':') ? '[^/]+' : part.replace(/[.+?^${}()|[\]\\]/g, String.raw`\$&`),
    )
    .join('/');
  routes.push({ url, pattern: new RegExp(`^${source}$`), methods: [method].flat() });
}

/** The methods of a path, sorted; empty for an unknown path. */
function allowedMethods(routes: RouteTable, url: string): string[] {
  const path = url.split('?')[0] ?? url;
  return [...new Set(routes.filter((route) => route.pattern.test(path)).flatMap((route) => route.methods))].sort();
}

const FASTIFY_CODES: Record<string, ErrorCode> = {
  FST_ERR_CTP_INVALID_MEDIA_TYPE: 'unsupported_content_type',
  FST_ERR_CTP_BODY_TOO_LARGE: 'body_too_large',
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: 'malformed_request',
  FST_ERR_BAD_URL: 'malformed_request',
  FST_ERR_MAX_PARAM_LENGTH: 'not_found',
};

/** The code and the log message of a temporary outage. */
function findOutage(error: unknown): { code: ErrorCode; message: string } | undefined {
  const shortage = findShortage(error);
  if (shortage !== undefined) return { code: shortage, message: 'the machine is out of something' };
  if (isDatabaseUnavailable(error)) return { code: 'temporarily_unavailable', message: 'database away' };
  if (error instanceof StorageUnavailableError) return { code: 'temporarily_unavailable', message: 'storage away' };
  return undefined;
}

/** Turns any error into one of our table; unexpected ones are logged here, once. */
function toAppError(error: FastifyError, request: FastifyRequest, log: Log): AppError {
  if (error instanceof AppError) return error;
  // The client aborted the upload: not our error.
  if (request.raw.errored === error) return new AppError('malformed_request', { cause: error });
  const outage = findOutage(error);
  if (outage !== undefined) {
    log.error({ err: error, requestId: request.id }, outage.message);
    return new AppError(outage.code, {
      cause: error,
      ...(outage.code === 'temporarily_unavailable' && { retryAfterSeconds: 5 }),
    });
  }
  const code = FASTIFY_CODES[error.code] ?? (error.statusCode === 400 ? 'malformed_request' : undefined);
  if (code !== undefined) return new AppError(code, { cause: error });
  log.error({ err: error, requestId: request.id }, 'unexpected error');
  return new AppError('internal_error', { cause: error });
}

function sendProblem(error: AppError, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  request.refusal = error.code;
  if (error.code === 'invalid_key') reply.header('WWW-Authenticate', 'Bearer');
  if (error.retryAfterSeconds !== undefined) reply.header('Retry-After', String(error.retryAfterSeconds));
  if (opensInBrowser(request)) return sendHtml(reply.status(error.status), renderProblemPage(error.detail, request));
  const problem: Problem = {
    type: 'about:blank',
    title: titles[error.status] ?? STATUS_CODES[error.status] ?? 'Error',
    status: error.status,
    code: error.code,
    detail: error.detail,
    requestId: request.id,
    ...(error.fields && { fields: error.fields }),
  };
  return reply.status(error.status).type('application/problem+json').send(JSON.stringify(problem));
}

// RFC 9110 renamed these two; Node has the old names.
const titles: Record<number, string> = { 413: 'Content Too Large', 422: 'Unprocessable Content' };
