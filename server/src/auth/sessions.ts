import { hash } from 'node:crypto';
import type { SessionEntry } from '@plinth/contract/auth';
import type { SessionEndReason } from '@plinth/contract/events';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { sql } from 'kysely';
import { type Clock, secondsAfter } from '../platform/clock.ts';
import { changeInBatches, ONE_BATCH } from '../platform/data/batches.ts';
import { type Db, getRow, transaction, type Tx } from '../platform/data/db.ts';
import { announceSessionEnds } from '../platform/data/events.ts';
import { AppError } from '../platform/errors.ts';
import type { Access, Caller } from '../platform/http/caller.ts';
import { newId, newToken } from '../platform/ids.ts';
import { pageClause, type PageRequest, toPage } from '../platform/http/paging.ts';
import type { Row } from '../platform/data/rows.ts';

/** Sessions in our own table: the browser holds an opaque token, the table only its hash. */

export type SessionSettings = {
  clock: Clock;
  ttlSeconds: number;
  idleSeconds: number;
  /** True behind https: the cookie's name prefix binds it to host and channel. */
  isSecure: boolean;
};

type NewToken = { token: string; expiresAt: Date };

/** The end of a session `s` without further use. */
export const endOf = ({ idleSeconds }: SessionSettings) =>
  sql<Date>`least(s.expires_at, s.last_seen_at + make_interval(secs => ${idleSeconds}))`;

const hashToken = (token: string) => hash('sha256', token, 'buffer');

/** The session's user, and the password hash that was verified, if any. */
export type SessionOwner = { userId: string; verifiedHash?: string };

/**
 * Starts a session and returns its token, which is stored nowhere.
 * @throws AppError invalid_credentials if the account is gone or its password has changed since
 */
export async function startSession(
  db: Db,
  settings: SessionSettings,
  owner: SessionOwner & { userAgent: string },
): Promise<NewToken & { sessionId: string }> {
  const token = newToken();
  const sessionId = newId('ses');
  const now = settings.clock.now();
  const expiresAt = secondsAfter(now, settings.ttlSeconds);
  const isHashUnchanged = owner.verifiedHash === undefined ? sql`true` : sql`password_hash = ${owner.verifiedHash}`;
  // A password change or takeover ends all sessions afterwards, under this row's lock.
  const started = await sql`
    insert into sessions (id, token_hash, user_id, user_agent, created_at, last_seen_at, expires_at)
    select ${sessionId}, ${hashToken(token)}, id, ${owner.userAgent.slice(0, 300)}, ${now}::timestamptz,
      ${now}::timestamptz, ${expiresAt}::timestamptz
    from users where id = ${owner.userId} and deleted_at is null and ${isHashUnchanged} for share`.execute(db);
  if (started.numAffectedRows !== 1n) throw new AppError('invalid_credentials');
  return { token, expiresAt, sessionId };
}

/** Starts a browser's session and ends the one it sent, which prevents session fixation. Returns its id. */
export async function beginSession(
  request: FastifyRequest,
  reply: FastifyReply,
  db: Db,
  settings: SessionSettings,
  owner: SessionOwner,
): Promise<string> {
  // Not the request's caller, which is not determined on the way back from Google.
  const previous = await findCaller(db, settings, readSessionToken(request, settings));
  if (previous.kind === 'user') {
    const choice = { userId: previous.userId, id: previous.sessionId };
    await transaction(db, (tx) => endSessions(tx, settings.clock, choice, 'signed_out'));
  }
  const session = await startSession(db, settings, { ...owner, userAgent: request.headers['user-agent'] ?? '' });
  setSessionCookie(reply, settings, session);
  return session.sessionId;
}

/** Rotates a live session's token, which invalidates the old one. */
export async function renewToken(tx: Tx, settings: SessionSettings, sessionId: string): Promise<NewToken> {
  const token = newToken();
  const renewed = await sql<Row<'sessions', 'expiresAt'>>`
    update sessions set token_hash = ${hashToken(token)} where id = ${sessionId} and ended_at is null
    returning expires_at as "expiresAt"`.execute(tx);
  return { token, ...getRow(renewed, 'authentication_required') };
}

type SessionRow = Row<'sessions', 'id' | 'userId' | 'lastSeenAt'>;

/** Authenticates a token. An expired, ended, idle or unknown one is `ended`. */
export async function findCaller(db: Db, settings: SessionSettings, token: string | undefined): Promise<Caller> {
  if (token === undefined) return { kind: 'visitor' };
  const now = settings.clock.now();
  const found = await sql<SessionRow>`
    select s.id, s.user_id as "userId", s.last_seen_at as "lastSeenAt"
    from sessions s join users u on u.id = s.user_id
    where s.token_hash = ${hashToken(token)} and s.ended_at is null and ${endOf(settings)} > ${now}
      and u.deleted_at is null`.execute(db);
  const row = found.rows[0];
  if (row === undefined) return { kind: 'ended' };
  await touch(db, settings, row, now);
  return { kind: 'user', userId: row.userId, sessionId: row.id };
}

// The time of last use is written at most once a minute, or more often if the idle timeout is short.
async function touch(db: Db, settings: SessionSettings, row: SessionRow, now: Date): Promise<void> {
  const stepMs = Math.min(60_000, settings.idleSeconds * 100);
  if (now.getTime() - row.lastSeenAt.getTime() < stepMs) return;
  await sql`update sessions set last_seen_at = ${now} where id = ${row.id} and ended_at is null`.execute(db);
}

/** Extends a live session, also by two tabs at once. Returns its end, and whether this token is still its own. */
export async function extendSession(
  db: Db,
  settings: SessionSettings,
  sessionId: string,
  token: string,
): Promise<(Row<'sessions', 'expiresAt'> & { isTokenLive: boolean }) | undefined> {
  const now = settings.clock.now();
  const extended = await sql<Row<'sessions', 'expiresAt'> & { isTokenLive: boolean }>`
    update sessions set last_seen_at = ${now},
      expires_at = greatest(expires_at + interval '1 millisecond', ${secondsAfter(now, settings.ttlSeconds)})
    where id = ${sessionId} and ended_at is null
    returning expires_at as "expiresAt", token_hash = ${hashToken(token)} as "isTokenLive"`.execute(db);
  return extended.rows[0];
}

/** The sessions and API keys among these that have expired, ended or been deleted. */
export async function listEnded(db: Db, settings: SessionSettings, accessIds: string[]): Promise<string[]> {
  const found = await sql<Row<'sessions', 'id'>>`
    select given.id from unnest(${accessIds}::text[]) as given (id)
    left join sessions s on s.id = given.id and s.ended_at is null and ${endOf(settings)} > ${settings.clock.now()}
    left join api_keys k on k.id = given.id
    where s.id is null and k.id is null`.execute(db);
  return found.rows.map(({ id }) => id);
}

type SessionChoice = { userId: string; exceptId?: string; id?: string };

/** Ends a user's sessions, all or the selected ones, and notifies their streams. Returns their number. */
export async function endSessions(
  tx: Tx,
  clock: Clock,
  choice: SessionChoice,
  reason: SessionEndReason,
): Promise<number> {
  const ended = await sql<Row<'sessions', 'id'>>`
    update sessions set ended_at = ${clock.now()}
    where user_id = ${choice.userId} and ended_at is null
      and (${choice.id ?? null}::text is null or id = ${choice.id ?? null})
      and id is distinct from ${choice.exceptId ?? null}
    returning id`.execute(tx);
  const ids = ended.rows.map((row) => row.id);
  await announceSessionEnds(tx, ids, reason);
  return ids.length;
}

/** Ends all sessions and notifies their streams. Returns their number. */
export async function endAllSessions(tx: Tx, clock: Clock, reason: SessionEndReason): Promise<number> {
  const ended = await sql<Row<'sessions', 'id'>>`
    update sessions set ended_at = ${clock.now()} where ended_at is null returning id`.execute(tx);
  await announceSessionEnds(
    tx,
    ended.rows.map((row) => row.id),
    reason,
  );
  return ended.rows.length;
}

type ListedRow = Row<'sessions', 'id' | 'createdAt' | 'lastSeenAt' | 'userAgent'> & { cursor: string };

/** The user's live sessions, newest first. */
export async function listSessions(db: Db, settings: SessionSettings, caller: Access, page: PageRequest) {
  const found = await sql<ListedRow>`
    select id, created_at as "createdAt", last_seen_at as "lastSeenAt", user_agent as "userAgent",
      created_at::text as cursor
    from sessions s
    where user_id = ${caller.userId} and ended_at is null and ${endOf(settings)} > ${settings.clock.now()}
      ${pageClause(page, 's')}`.execute(db);
  return toPage(found.rows, page, ({ id, createdAt, lastSeenAt, userAgent }): SessionEntry => ({
    id,
    current: id === caller.accessId,
    createdAt: createdAt.toISOString(),
    lastSeenAt: lastSeenAt.toISOString(),
    userAgent,
  }));
}

/** Deletes sessions that ended long ago. */
export async function deleteOldSessions(db: Db, before: Date): Promise<void> {
  await changeInBatches(
    db,
    sql`
      delete from sessions
      where ctid = any(array(
        select ctid from sessions where expires_at < ${before} or ended_at < ${before} ${ONE_BATCH}))`,
  );
}

const cookieName = (settings: SessionSettings) => (settings.isSecure ? '__Host-session' : 'session');

export function readSessionToken(request: FastifyRequest, settings: SessionSettings): string | undefined {
  return request.cookies[cookieName(settings)];
}

export function setSessionCookie(reply: FastifyReply, settings: SessionSettings, session: NewToken): void {
  reply.setCookie(cookieName(settings), session.token, { ...cookieRules(settings), expires: session.expiresAt });
}

export function clearSessionCookie(reply: FastifyReply, settings: SessionSettings): void {
  reply.setCookie(cookieName(settings), '', { ...cookieRules(settings), maxAge: 0 });
}

function cookieRules(settings: SessionSettings) {
  return { path: '/', httpOnly: true, sameSite: 'lax' as const, secure: settings.isSecure };
}
