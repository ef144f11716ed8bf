import { hash } from 'node:crypto';
import type { ErrorCode } from '@plinth/contract/errors';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Log } from '../log.ts';
import { findUserId } from './caller.ts';
import { continueTrace, type Trace, withinTrace } from '../trace.ts';

/** What an operator wants to find again when somebody asks who was in an account, or who tried. */
export type SecurityEvent =
  | 'signed_in'
  | 'signed_up'
  | 'signed_out'
  | 'password_changed'
  | 'session_ended'
  | 'account_deleted'
  | 'key_created'
  | 'key_deleted'
  | 'sign_in_failed'
  | 'refused';

declare module 'fastify' {
  interface FastifyRequest {
    /** Its way through all that works for it; undefined where no route was looked for. */
    trace: Trace | undefined;
    refusal: ErrorCode | undefined;
    security: { event: SecurityEvent; userId: string | undefined } | undefined;
  }
}

// Who does this looks for a way in; a visitor without a session does not.
const WARNED: ReadonlySet<ErrorCode> = new Set([
  'invalid_credentials',
  'invalid_key',
  'rate_limited',
  'cross_site_request',
]);
const REFUSED: ReadonlySet<number> = new Set([401, 403, 429]);

/** Logs one line per answer, and runs each request within its trace, which a proxy may have begun. */
export function logRequests(http: FastifyInstance, log: Log, isBehindProxy: boolean): void {
  http.decorateRequest('refusal', undefined).decorateRequest('security', undefined).decorateRequest('trace', undefined);
  http.addHook('onRequest', (request, _reply, done) => {
    request.trace = continueTrace(isBehindProxy ? request.headers['traceparent'] : undefined);
    withinTrace(request.trace, done);
  });
  // Reading a body leaves it.
  http.addHook('preValidation', (request, _reply, done) =>
    request.trace === undefined ? done() : withinTrace(request.trace, done),
  );
  http.addHook('onResponse', (request, reply, done) => {
    logAnswer(log, request, reply);
    done();
  });
}

/**
 * Logs the route's pattern (an address would hold ids and words), a hash of the user's id, and the code of a refusal.
 * Level warn where we failed or somebody seems to attack.
 */
export function logAnswer(log: Log, request: FastifyRequest, reply: FastifyReply): void {
  const { refusal } = request;
  const isLoud = reply.statusCode >= 500 || (refusal !== undefined && WARNED.has(refusal));
  const level = isLoud ? 'warn' : 'info';
  if (!log.isLevelEnabled(level)) return;
  const isRefused = refusal !== undefined && REFUSED.has(reply.statusCode);
  const security = request.security ?? (isRefused ? { event: 'refused', userId: undefined } : undefined);
  const userId = security?.userId ?? findUserId(request);
  log[level](
    {
      event: security?.event ?? 'request',
      method: request.method,
      route: request.routeOptions.url ?? 'unknown',
      status: reply.statusCode,
      ms: Math.round(reply.elapsedTime),
      requestId: request.id,
      ...(userId !== undefined && { user: hashUserId(userId) }),
      ...(refusal !== undefined && { code: refusal }),
      trace: request.trace?.id ?? continueTrace(undefined).id,
    },
    'request',
  );
}

/** Notes for the request's line in the log what happened to whose account. */
export function noteSecurity(request: FastifyRequest, event: SecurityEvent, userId?: string): void {
  request.security = { event, userId };
}

/** Enough to follow somebody through the log; from an id that is asked about it is made again with sha256sum. */
export function hashUserId(userId: string): string {
  return hash('sha256', userId, 'hex').slice(0, 16);
}
