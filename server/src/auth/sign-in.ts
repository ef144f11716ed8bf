import { hash } from 'node:crypto';
import type { FastifyRequest } from 'fastify';
import type { Db } from '../platform/data/db.ts';
import { AppError } from '../platform/errors.ts';
import { networkOf, type RequestLimits } from '../platform/http/limits.ts';
import { noteSecurity } from '../platform/http/request-log.ts';
import { findAccount, renewPasswordHash } from './accounts.ts';
import { isPasswordRight } from './passwords.ts';
import type { SessionOwner } from './sessions.ts';

type Credentials = { email: string; password: string };

/**
 * The account that an address and its password open. Guessing is limited per account and network, and per account
 * from anywhere with growing waits, from which networks where the owner signed in during the last 30 days are exempt:
 * strangers cannot lock him out. Unknown addresses count as well. @throws AppError invalid_credentials, rate_limited
 */
export async function openAccount(
  { db, limits }: { db: Db; limits: RequestLimits },
  request: FastifyRequest,
  { email, password }: Credentials,
): Promise<Required<SessionOwner>> {
  const here = keyOf(email, networkOf(request));
  await limits.count('signInAccount', here);
  const isKnown = await limits.isKnown(here);
  if (!isKnown) await waitForTurn(limits, keyOf(email), here);
  const account = await findAccount(db, email);
  const passwordHash = account?.passwordHash ?? null;
  const isRight = await isPasswordRight(password, passwordHash);
  if (account === undefined || passwordHash === null || !isRight) {
    noteSecurity(request, 'sign_in_failed', account?.id);
    throw new AppError('invalid_credentials');
  }
  if (!isKnown) await limits.remember(here);
  await limits.forget('signInAccount', here);
  return { userId: account.id, provedHash: await renewPasswordHash(db, account.id, passwordHash, password) };
}

async function waitForTurn(limits: RequestLimits, account: string, here: string): Promise<void> {
  try {
    await limits.countGrowing(account);
  } catch (error) {
    // No password was looked at: whoever has to wait for strangers keeps the tries of his own network.
    await limits.giveBack('signInAccount', here);
    throw error;
  }
}

/** Remembers the network of somebody who has just proved to be the owner. */
export async function rememberNetwork(limits: RequestLimits, request: FastifyRequest, email: string): Promise<void> {
  await limits.remember(keyOf(email, networkOf(request)));
}

// Hashed: an address may be of any length, and the table of limits needs to know nobody's.
function keyOf(email: string, network = ''): string {
  return hash('sha256', `${email.toLowerCase()} ${network}`, 'base64url');
}
