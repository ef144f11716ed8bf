import { makeAccount, findAccount } from '../auth/accounts.ts';
import { hashPassword } from '../auth/passwords.ts';
import type { Clock } from '../platform/clock.ts';
import { type Db, transaction } from '../platform/data/db.ts';

export const DEMO_EMAIL = 'demo@plinth.example';
const DEMO_CREDITS = 20;

/** Creates the demo account once, on a machine that only its owner reaches; returns its sign-in data. */
export async function seedDemoAccount(db: Db, clock: Clock, password: string) {
  if ((await findAccount(db, DEMO_EMAIL)) === undefined) {
    const passwordHash = await hashPassword(password);
    const account = { email: DEMO_EMAIL, passwordHash, emailVerified: true, welcomeCredits: DEMO_CREDITS };
    await transaction(db, (tx) => makeAccount(tx, clock, account));
  }
  return { email: DEMO_EMAIL, password };
}
