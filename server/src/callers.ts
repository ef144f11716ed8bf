import { SHOWN_USER_HEADER } from '@plinth/contract/shown-user';
import { isForKeys } from '@plinth/contract/keys';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { getKeyCaller } from './auth/keys.ts';
import { findCaller, readSessionToken, type SessionSettings } from './auth/sessions.ts';
import type { Db } from './platform/data/db.ts';
import { AppError } from './platform/errors.ts';
import { type Caller, findBearer, isApiUrl } from './platform/http/caller.ts';
import { PUBLIC_PATHS } from './platform/http/robots.ts';

/** Authenticates each request by API key or cookie, and rejects keys on session-only routes. */
export function addAuthentication(http: FastifyInstance, db: Db, sessions: SessionSettings): void {
  const authenticate = (request: FastifyRequest, secret: string | undefined): Promise<Caller> =>
    secret === undefined
      ? findCaller(db, sessions, readSessionToken(request, sessions))
      : getKeyCaller(db, sessions.clock, secret);
  http.addHook('onRequest', (request, _reply, done) => {
    const secret = request.is404 ? undefined : findBearer(request);
    if (secret === undefined && !needsAuthentication(request)) return done();
    authenticate(request, secret).then(
      (caller) => {
        request.caller = isPageOfCaller(request, caller) ? caller : { kind: 'visitor' };
        done(caller.kind === 'key' && !isOpenToKeys(request) ? new AppError('session_required') : undefined);
      },
      (error: Error) => done(error instanceof AppError || needsCaller(request) ? error : undefined),
    );
  });
}

/** False for a page of another user: somebody else has signed in in another tab since. */
function isPageOfCaller({ headers }: FastifyRequest, caller: Caller): boolean {
  const shownUserId = headers[SHOWN_USER_HEADER];
  return caller.kind !== 'user' || shownUserId === undefined || shownUserId === caller.userId;
}

/** Needed for programs, except answers that are the same for all, and for public pages and unknown addresses. */
function needsAuthentication(request: FastifyRequest): boolean {
  if (accessOf(request) === 'all') return false;
  return request.is404 || isApiUrl(request.url) || PUBLIC_PATHS.includes(request.url.split('?')[0] ?? '');
}

/** True if an outage of the database must fail the request; public routes answer as to a visitor. */
const needsCaller = (request: FastifyRequest): boolean => isApiUrl(request.url) && !isPublic(request);

const isOpenToKeys = (request: FastifyRequest): boolean =>
  isPublic(request) || isForKeys(request.routeOptions.url ?? '');

const isPublic = (request: FastifyRequest): boolean => accessOf(request) === 'public' || accessOf(request) === 'all';

const accessOf = ({ routeOptions: { config } }: FastifyRequest) => config.operation?.access;
