import type { SignInOptions } from '@plinth/contract/auth';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { sql } from 'kysely';
import { type Db, transaction } from '../platform/data/db.ts';
import { AppError } from '../platform/errors.ts';
import { requireUser } from '../platform/http/caller.ts';
import { networkOf, type RequestLimits } from '../platform/http/limits.ts';
import { readPage } from '../platform/http/paging.ts';
import { setSecurityEvent } from '../platform/http/request-log.ts';
import { addRoute, countBy, readBody } from '../platform/http/route.ts';
import { describeSession, makeAccount } from './accounts.ts';
import { hashPassword } from './passwords.ts';
import {
  beginSession,
  clearSessionCookie,
  endSessions,
  extendSession,
  findCaller,
  listSessions,
  readSessionToken,
  renewToken,
  type SessionOwner,
  type SessionSettings,
  setSessionCookie,
} from './sessions.ts';
import { rememberNetwork, verifyCredentials } from './sign-in.ts';

type AuthOptions = {
  db: Db;
  limits: RequestLimits;
  sessions: SessionSettings;
  signInOptions: SignInOptions;
};

export function addAuthRoutes(http: FastifyInstance, options: AuthOptions): void {
  addRoute(http, 'get /auth/options', async () => options.signInOptions);
  addSessionRoutes(http, options);
  addSignInRoutes(http, options);
  addSessionListRoutes(http, options);
  const countChange = countBy(options.limits, 'passwordChange');
  addRoute(http, 'post /auth/password', { guards: [countChange] }, (request, reply) =>
    changePassword(request, reply, options),
  );
}

function addSessionRoutes(http: FastifyInstance, options: AuthOptions): void {
  const { db, sessions } = options;
  addRoute(http, 'get /session', (request, reply) => showSession(reply, options, readSession(request, reply, options)));
  const countRefresh = (request: FastifyRequest, reply: FastifyReply) =>
    options.limits.count('refresh', readSession(request, reply, options).userId);
  addRoute(http, 'post /auth/refresh', { guards: [countRefresh] }, async (request, reply) => {
    const session = readSession(request, reply, options);
    const token = readSessionToken(request, sessions) ?? '';
    const extended = await extendSession(db, sessions, session.sessionId, token);
    // Another tab may just have got a new one: the old one in its place would sign this browser out.
    if (extended?.isTokenLive === true) setSessionCookie(reply, sessions, { token, expiresAt: extended.expiresAt });
    return showSession(reply, options, session);
  });
  void http.register(async (scope) => addSignOutRoute(scope, options));
}

/** Signing out always works, also from a page of a previous user; the body is ignored. */
function addSignOutRoute(scope: FastifyInstance, { db, sessions }: AuthOptions): void {
  scope.removeAllContentTypeParsers();
  scope.addContentTypeParser('*', (_request, _body, done) => done(null));
  addRoute(scope, 'post /auth/sign-out', async (request, reply) => {
    const caller = await findCaller(db, sessions, readSessionToken(request, sessions));
    if (caller.kind === 'user') {
      await transaction(db, (tx) =>
        endSessions(tx, sessions.clock, { userId: caller.userId, id: caller.sessionId }, 'signed_out'),
      );
      setSecurityEvent(request, 'signed_out', caller.userId);
    }
    clearSessionCookie(reply, sessions);
    return reply.header('Clear-Site-Data', '"storage"').send();
  });
}

/** The cookie's session. @throws AppError with the specification's reason if there is none */
function readSession(request: FastifyRequest, reply: FastifyReply, options: AuthOptions) {
  const { caller } = request;
  if (caller.kind === 'user') return caller;
  if (caller.kind === 'visitor') throw new AppError('no_active_session');
  throw endedSession(reply, options);
}

/** The answer about a session, which may have ended since it was read. @throws AppError refresh_token_not_found */
async function showSession(reply: FastifyReply, options: AuthOptions, session: { userId: string; sessionId: string }) {
  const shown = await describeSession(options.db, options.sessions, session);
  if (shown === undefined) throw endedSession(reply, options);
  return shown;
}

function endedSession(reply: FastifyReply, options: AuthOptions): AppError {
  clearSessionCookie(reply, options.sessions);
  return new AppError('refresh_token_not_found');
}

function addSignInRoutes(http: FastifyInstance, options: AuthOptions): void {
  const { db, limits, sessions } = options;
  const countAddress = (request: FastifyRequest) => limits.count('signInAddress', networkOf(request));
  addRoute(http, 'post /auth/sign-in', { guards: [countAddress] }, async (request, reply) => {
    const owner = await verifyCredentials(options, request, readBody('post /auth/sign-in', request));
    const session = await signIn(request, reply, options, owner);
    setSecurityEvent(request, 'signed_in', owner.userId);
    return session;
  });

  const countSignUp = async (request: FastifyRequest) => {
    if (!options.signInOptions.emailSignUp) throw new AppError('sign_up_disabled');
    await limits.count('signUp', networkOf(request));
  };
  addRoute(http, 'post /auth/sign-up', { guards: [countSignUp] }, async (request, reply) => {
    const { email, password } = readBody('post /auth/sign-up', request);
    const passwordHash = await hashPassword(password);
    const welcomeCredits = options.signInOptions.signUpCredits;
    const userId = await transaction(db, (tx) =>
      makeAccount(tx, sessions.clock, { email, passwordHash, emailVerified: false, welcomeCredits }),
    );
    await rememberNetwork(limits, request, email);
    setSecurityEvent(request, 'signed_up', userId);
    return signIn(request, reply, options, { userId, verifiedHash: passwordHash });
  });
}

async function signIn(request: FastifyRequest, reply: FastifyReply, options: AuthOptions, owner: SessionOwner) {
  const { db, sessions } = options;
  const sessionId = await beginSession(request, reply, db, sessions, owner);
  return showSession(reply, options, { userId: owner.userId, sessionId });
}

async function changePassword(request: FastifyRequest, reply: FastifyReply, options: AuthOptions) {
  const { db, sessions } = options;
  const { userId, accessId } = requireUser(request);
  const { newPassword } = readBody('post /auth/password', request);
  const passwordHash = await hashPassword(newPassword);
  const session = await transaction(db, async (tx) => {
    await sql`update users set password_hash = ${passwordHash} where id = ${userId}`.execute(tx);
    await endSessions(tx, sessions.clock, { userId, exceptId: accessId }, 'signed_out');
    return renewToken(tx, sessions, accessId);
  });
  setSecurityEvent(request, 'password_changed');
  setSessionCookie(reply, sessions, session);
  return { updated: true };
}

function addSessionListRoutes(http: FastifyInstance, { db, sessions }: AuthOptions): void {
  addRoute(http, 'get /auth/sessions', (request) =>
    listSessions(db, sessions, requireUser(request), readPage(request)),
  );
  addRoute(http, 'delete /auth/sessions', async (request) => {
    const { userId, accessId } = requireUser(request);
    const others = { userId, exceptId: accessId };
    await transaction(db, (tx) => endSessions(tx, sessions.clock, others, 'signed_out'));
    setSecurityEvent(request, 'session_ended');
  });
  addRoute(http, 'delete /auth/sessions/{id}', async (request) => {
    const choice = { userId: requireUser(request).userId, id: request.params.id };
    const ended = await transaction(db, (tx) => endSessions(tx, sessions.clock, choice, 'signed_out'));
    if (ended === 0) throw new AppError('not_found');
    setSecurityEvent(request, 'session_ended');
  });
}
