import { hash } from 'node:crypto';
import type { ErrorCode } from '@plinth/contract/errors';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Log } from '../log.ts';
import { findUserId } from './caller.ts';
import { continueTrace, type Trace, withinTrace } from '../trace.ts';

/** Events that tell an operator who accessed an account, or tried to. */
type SecurityEvent =
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
    /** The request's trace; undefined before routing. */
    trace: Trace | undefined;
    refusal: ErrorCode | undefined;
    security: { event: SecurityEvent; userId: string | undefined } | undefined;
  }
}

// Signs of an attack; a visitor without a session is none.
const WARNED: ReadonlySet<ErrorCode> = new Set([
  'invalid_credentials',
  'invalid_key',
  'rate_limited',
  'cross_site_request',
]);
const REFUSED: ReadonlySet<number> = new Set([401, 403, 429]);

/** Logs a line per response, and runs each request within its trace, which a proxy may have started. */
export function logRequests(http: FastifyInstance, log: Log, isBehindProxy: boolean): void {
  http.decorateRequest('refusal', undefined).decorateRequest('security', undefined).decorateRequest('trace', undefined);
  http.addHook('onRequest', (request, _reply, done) => {
    request.trace = continueTrace(isBehindProxy ? request.headers['traceparent'] : undefined);
    withinTrace(request.trace, done);
  });
  // Reading a body leaves the trace's async context.
  http.addHook('preValidation', (request, _reply, done) =>
    request.trace === undefined ? done() : withinTrace(request.trace, done),
  );
  http.addHook('onResponse', (request, reply, done) => {
    logResponse(log, request, reply);
    done();
  });
}

/**
 * Logs the route's pattern (an address could contain ids and words), a hash of the user's id, and the error code. Level
 * warn for our own failures and signs of an attack.
 */
export function logResponse(log: Log, request: FastifyRequest, reply: FastifyReply): void {
  const { refusal } = request;
  const isWarning = reply.statusCode >= 500 || (refusal !== undefined && WARNED.has(refusal));
  const level = isWarning ? 'warn' : 'info';
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

/** Adds an account event to the request's log line. */
export function setSecurityEvent(request: FastifyRequest, event: SecurityEvent, userId?: string): void {
  request.security = { event, userId };
}

/** Enough to follow a user through the log; can be derived from a known id with sha256sum. */
export function hashUserId(userId: string): string {
  return hash('sha256', userId, 'hex').slice(0, 16);
}
