import type { Session } from '@plinth/contract/auth';
import { sql } from 'kysely';
import { balanceOf, openAccountCredits } from '../credits/ledger.ts';
import { type Db, transaction, type Tx, violatedConstraint } from '../platform/data/db.ts';
import type { Clock } from '../platform/clock.ts';
import { AppError } from '../platform/errors.ts';
import { newId } from '../platform/ids.ts';
import type { Row } from '../platform/data/rows.ts';
import { deleteEndpoints } from '../webhooks/endpoints.ts';
import { deleteKeys } from './keys.ts';
import { hashPassword, isHashOutdated } from './passwords.ts';
import { endOf, endSessions, type SessionSettings } from './sessions.ts';

export type Account = Row<'users', 'id' | 'email' | 'passwordHash' | 'emailVerified'>;

/** Trimmed; the database compares it case-insensitively. */
const cleanEmail = (email: string) => email.trim();

export async function findAccount(db: Db | Tx, email: string): Promise<Account | undefined> {
  const found = await sql<Account>`
    select id, email, password_hash as "passwordHash", email_verified as "emailVerified"
    from users where lower(email) = lower(${cleanEmail(email)}) and deleted_at is null`.execute(db);
  return found.rows[0];
}

type NewAccount = { email: string; passwordHash: string | null; emailVerified: boolean; welcomeCredits: number };

/** Creates an account with its welcome credits. @throws AppError email_in_use */
export async function makeAccount(tx: Tx, clock: Clock, account: NewAccount): Promise<string> {
  const id = newId('usr');
  try {
    await sql`
      insert into users (id, email, password_hash, email_verified, created_at)
      values (${id}, ${cleanEmail(account.email)}, ${account.passwordHash}, ${account.emailVerified}, ${clock.now()})
    `.execute(tx);
  } catch (cause) {
    if (violatedConstraint(cause) === 'users_email') throw new AppError('email_in_use', { cause });
    throw cause;
  }
  await openAccountCredits(tx, id, account.welcomeCredits);
  return id;
}

export type VerifiedIdentity = { issuer: string; subject: string; email: string };

/**
 * The account of a verified identity: by issuer and subject, else by verified address, else a new one. An account with
 * an unverified address is taken over: its password, sessions, keys and webhooks end. Undefined if the address belongs
 * to another subject of the issuer, because addresses are reassigned and subjects never are.
 */
export async function findOrMakeVerifiedAccount(
  db: Db,
  clock: Clock,
  identity: VerifiedIdentity,
  welcomeCredits: number,
): Promise<string | undefined> {
  return transaction(db, async (tx) => {
    const knownId = await findByIdentity(tx, identity);
    if (knownId !== undefined) return knownId;
    const account = await findAccount(tx, identity.email);
    if (account !== undefined && (await hasSubject(tx, account.id, identity.issuer))) return undefined;
    const fresh = { email: identity.email, passwordHash: null, emailVerified: true, welcomeCredits };
    const userId = account?.id ?? (await makeAccount(tx, clock, fresh));
    if (account?.emailVerified === false) await takeOver(tx, clock, userId);
    await sql`
      insert into identities (issuer, subject, user_id) values (${identity.issuer}, ${identity.subject}, ${userId})
    `.execute(tx);
    return userId;
  });
}

async function findByIdentity(tx: Tx, identity: VerifiedIdentity): Promise<string | undefined> {
  // Two browsers may return with the same new identity at once; the second waits for the first.
  await sql`select pg_advisory_xact_lock(hashtextextended(${identity.email.toLowerCase()}, 1))`.execute(tx);
  const found = await sql<Row<'users', 'id'>>`
    select u.id from identities i join users u on u.id = i.user_id
    where i.issuer = ${identity.issuer} and i.subject = ${identity.subject} and u.deleted_at is null`.execute(tx);
  return found.rows[0]?.id;
}

async function hasSubject(tx: Tx, userId: string, issuer: string): Promise<boolean> {
  const found = await sql`select from identities where user_id = ${userId} and issuer = ${issuer}`.execute(tx);
  return found.rows.length > 0;
}

async function takeOver(tx: Tx, clock: Clock, userId: string): Promise<void> {
  await sql`update users set password_hash = null, email_verified = true where id = ${userId}`.execute(tx);
  await endSessions(tx, clock, { userId }, 'signed_out');
  await deleteKeys(tx, clock, { userId }, 'signed_out');
  await deleteEndpoints(tx, clock, { userId });
}

/** Rehashes a password that was just verified, if the hashing cost has changed. */
export async function renewPasswordHash(db: Db, id: string, verifiedHash: string, password: string): Promise<string> {
  if (!isHashOutdated(verifiedHash)) return verifiedHash;
  const newHash = await hashPassword(password);
  // Unless the password was changed in the meantime.
  await sql`update users set password_hash = ${newHash} where id = ${id} and password_hash = ${verifiedHash}`.execute(
    db,
  );
  return newHash;
}

type SessionRow = Row<'users', 'email'> &
  Row<'userCredits', 'credits'> &
  Row<'sessions', 'expiresAt'> & { hasPassword: boolean; hasIdentity: boolean };

/** The answer of `GET /api/v1/session`; undefined if the session has ended. */
export async function describeSession(
  db: Db,
  settings: SessionSettings,
  { userId, sessionId }: { userId: string; sessionId: string },
): Promise<Session | undefined> {
  const found = await sql<SessionRow>`
    select u.email, u.password_hash is not null as "hasPassword",
      exists (select 1 from identities where user_id = u.id) as "hasIdentity", ${balanceOf(userId)} as credits,
      ${endOf(settings)} as "expiresAt"
    from users u join sessions s on s.user_id = u.id
    where u.id = ${userId} and s.id = ${sessionId} and s.ended_at is null`.execute(db);
  const [user] = found.rows;
  if (user === undefined) return undefined;
  return {
    user: {
      id: userId,
      email: user.email,
      displayName: user.email.replace(/@.*/s, ''),
      hasPassword: user.hasPassword,
      providers: [...(user.hasPassword ? ['password' as const] : []), ...(user.hasIdentity ? ['google' as const] : [])],
    },
    credits: user.credits,
    expiresAt: user.expiresAt.toISOString(),
  };
}

/** Anonymises an account whose sessions and keys have ended; its row stays, because others reference it. */
export async function anonymiseAccount(tx: Tx, clock: Clock, userId: string): Promise<void> {
  await sql`delete from sessions where user_id = ${userId}`.execute(tx);
  await sql`delete from identities where user_id = ${userId}`.execute(tx);
  await sql`
    update users set email = '', password_hash = null, deleted_at = ${clock.now()} where id = ${userId}`.execute(tx);
}
