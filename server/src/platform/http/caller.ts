import type { Operation } from '@plinth/contract/api/operation';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { AppError } from '../errors.ts';

/** The caller by session cookie (none, an ended or a live session) or by API key. */
export type Caller =
  | { kind: 'visitor' }
  | { kind: 'ended' }
  | { kind: 'user'; userId: string; sessionId: string }
  | { kind: 'key'; userId: string; keyId: string };

declare module 'fastify' {
  interface FastifyRequest {
    caller: Caller;
  }
  interface FastifyContextConfig {
    /** The contract's description of a route below /api/. */
    operation?: Operation;
  }
}

/** The caller's account, by session or key; undefined otherwise. */
export function findUserId({ caller }: FastifyRequest): string | undefined {
  return caller.kind === 'user' || caller.kind === 'key' ? caller.userId : undefined;
}

/** The account, and the id of the session or key that gives access to it. */
export type Access = { userId: string; accessId: string };

/** The authenticated caller: account, credential, subject of rate limits. @throws AppError authentication_required */
export function requireUser({ caller }: FastifyRequest): Access & { rateLimitKey: string } {
  if (caller.kind === 'user') return { userId: caller.userId, accessId: caller.sessionId, rateLimitKey: caller.userId };
  if (caller.kind === 'key') return { userId: caller.userId, accessId: caller.keyId, rateLimitKey: caller.keyId };
  throw new AppError('authentication_required');
}

/** The caller by API key. @throws AppError authentication_required */
export function requireKey({ caller }: FastifyRequest): Extract<Caller, { kind: 'key' }> {
  if (caller.kind !== 'key') throw new AppError('authentication_required');
  return caller;
}

/** True for addresses of programs, at which API keys are read. */
export const isApiUrl = (url: string): boolean => url.startsWith('/api/') || /^\/mcp(\?|$)/.test(url);

/** The bearer credential of a program's request, possibly empty; undefined without one (RFC 9110, 11.1). */
export function findBearer({ url, headers }: FastifyRequest): string | undefined {
  if (!isApiUrl(url)) return undefined;
  const found = /^bearer(?: +(.*))?$/i.exec(headers.authorization ?? '');
  return found === null ? undefined : (found[1] ?? '');
}

/** Route hook: rejects visitors before the body is read. */
export function onlySignedIn(request: FastifyRequest, _reply: FastifyReply, done: () => void): void {
  requireUser(request);
  done();
}
