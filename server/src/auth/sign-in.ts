import { hash } from 'node:crypto';
import type { FastifyRequest } from 'fastify';
import type { Db } from '../platform/data/db.ts';
import { AppError } from '../platform/errors.ts';
import { networkOf, type RequestLimits } from '../platform/http/limits.ts';
import { setSecurityEvent } from '../platform/http/request-log.ts';
import { findAccount, renewPasswordHash } from './accounts.ts';
import { isPasswordCorrect } from './passwords.ts';
import type { SessionOwner } from './sessions.ts';

type Credentials = { email: string; password: string };

/**
 * Verifies address and password and returns the account. Attempts are limited per account and network, and per account
 * with growing waits. Networks where the owner signed in within 30 days are exempt from these waits, so that strangers
 * cannot lock the owner out. Unknown addresses count, too. @throws AppError invalid_credentials, rate_limited
 */
export async function verifyCredentials(
  { db, limits }: { db: Db; limits: RequestLimits },
  request: FastifyRequest,
  { email, password }: Credentials,
): Promise<Required<SessionOwner>> {
  const networkKey = keyOf(email, networkOf(request));
  await limits.count('signInAccount', networkKey);
  const isKnown = await limits.isKnown(networkKey);
  if (!isKnown) await enforceBackoff(limits, keyOf(email), networkKey);
  const account = await findAccount(db, email);
  const passwordHash = account?.passwordHash ?? null;
  const isCorrect = await isPasswordCorrect(password, passwordHash);
  if (account === undefined || passwordHash === null || !isCorrect) {
    setSecurityEvent(request, 'sign_in_failed', account?.id);
    throw new AppError('invalid_credentials');
  }
  if (!isKnown) await limits.remember(networkKey);
  await limits.forget('signInAccount', networkKey);
  return { userId: account.id, verifiedHash: await renewPasswordHash(db, account.id, passwordHash, password) };
}

async function enforceBackoff(limits: RequestLimits, account: string, networkKey: string): Promise<void> {
  try {
    await limits.countWithBackoff(account);
  } catch (error) {
    // No password was checked, so a wait caused by strangers does not use up the attempts of this network.
    await limits.uncount('signInAccount', networkKey);
    throw error;
  }
}

/** Remembers the network of an owner who has just signed in. */
export async function rememberNetwork(limits: RequestLimits, request: FastifyRequest, email: string): Promise<void> {
  await limits.remember(keyOf(email, networkOf(request)));
}

// Hashed, because an address may have any length and must not be readable in the table of limits. In most locales a
// database takes the dotted capital İ for an i; JavaScript would make two characters of it, and another key.
function keyOf(email: string, network = ''): string {
  return hash('sha256', `${email.replaceAll('İ', 'i').toLowerCase()} ${network}`, 'base64url');
}
