import { randomBytes } from 'node:crypto';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { describeSession, makeAccount } from '../src/auth/accounts.ts';
import { deleteRestoredKeys } from '../src/auth/keys.ts';
import { isPasswordCorrect } from '../src/auth/passwords.ts';
import { endAllSessions, renewToken, startSession } from '../src/auth/sessions.ts';
import { readCheckoutState } from '../src/payments/checkout-state.ts';
import { systemClock } from '../src/platform/clock.ts';
import { transaction } from '../src/platform/data/db.ts';
import { newId } from '../src/platform/ids.ts';
import { makeDatabase } from './database.ts';

/** Calls the stores of accounts, sessions and purchases directly. */

let database: Awaited<ReturnType<typeof makeDatabase>>;
beforeAll(async () => {
  database = await makeDatabase();
});
afterAll(() => database.drop());

const open = (email = `${newId('usr')}@example.com`) => {
  const account = { email, passwordHash: null, emailVerified: false, welcomeCredits: 0 };
  return transaction(database.db, (tx) => makeAccount(tx, systemClock, account));
};

it('an address in use is rejected as such, and another error is passed on', async () => {
  await open('ada@example.com');
  await expect(open(' ADA@example.com')).rejects.toMatchObject({ code: 'email_in_use' });
  // An index entry cannot hold a text of this length.
  await expect(open(`${randomBytes(9000).toString('hex')}@example.com`)).rejects.toMatchObject({ code: '54000' });
});

it('a password hash of an unknown kind is an error, not a wrong password', async () => {
  await expect(isPasswordCorrect('s3cret-enough', '$2b$10$not-of-ours')).rejects.toThrow('of an unknown kind');
});

describe('a session', () => {
  const settings = { clock: systemClock, isSecure: false, ttlSeconds: 3600, idleSeconds: 600 };

  it('that has ended, or is not there, cannot be renewed or described', async () => {
    const userId = await open();
    const { sessionId: id } = await startSession(database.db, settings, { userId, userAgent: 'node' });
    const describeIt = (sessionId = id) => describeSession(database.db, settings, { userId, sessionId });
    await transaction(database.db, (tx) => renewToken(tx, settings, id));
    expect(await describeIt()).toMatchObject({
      user: { id: userId },
      expiresAt: expect.stringMatching(/Z$/) as string,
    });
    expect(await describeIt('ses_nothing')).toBeUndefined();
    expect(await transaction(database.db, (tx) => endAllSessions(tx, systemClock, 'signed_out'))).toBe(1);
    expect(await transaction(database.db, (tx) => endAllSessions(tx, systemClock, 'signed_out'))).toBe(0);
    const renewed = transaction(database.db, (tx) => renewToken(tx, settings, id));
    await expect(renewed).rejects.toMatchObject({ code: 'authentication_required' });
    expect(await describeIt()).toBeUndefined();
  });

  it('does not start if the password was changed or the account deleted during sign-in', async () => {
    const userId = await open();
    const start = (verifiedHash: string) =>
      startSession(database.db, settings, { userId, verifiedHash, userAgent: '' });
    const take = (hash: string | null) =>
      sql`update users set password_hash = ${hash} where id = ${userId}`.execute(database.db);
    await take('one');
    expect((await start('one')).token).not.toBe('');
    for (const hash of ['another', null]) {
      await take(hash);
      await expect(start('one')).rejects.toMatchObject({ code: 'invalid_credentials' });
    }
    await sql`update users set password_hash = 'one', deleted_at = now() where id = ${userId}`.execute(database.db);
    await expect(start('one')).rejects.toMatchObject({ code: 'invalid_credentials' });
  });

  it('that starts during an account takeover ends with it', async () => {
    const userId = await open();
    await sql`update users set password_hash = 'one' where id = ${userId}`.execute(database.db);
    let starting: Promise<unknown> = Promise.resolve();
    await transaction(database.db, async (tx) => {
      await sql`update users set password_hash = null where id = ${userId}`.execute(tx);
      starting = startSession(database.db, settings, { userId, verifiedHash: 'one', userAgent: '' });
      starting.catch(() => undefined);
      await new Promise((resolve) => setTimeout(resolve, 200));
    });
    await expect(starting).rejects.toMatchObject({ code: 'invalid_credentials' });
  });
});

it('deletes only the keys that a backup restored', async () => {
  const userId = await open();
  for (const id of ['key_a', 'key_b'])
    await sql`insert into api_keys (id, user_id, name, prefix, secret_hash, created_at)
      values (${id}, ${userId}, 'a program', 'plk_', ${Buffer.from(id)}, now())`.execute(database.db);
  expect(await deleteRestoredKeys(database.db, ['key_a', 'key_nothing'])).toBe(1);
  const { rows } = await sql`select id from api_keys where user_id = ${userId}`.execute(database.db);
  expect(rows).toEqual([{ id: 'key_b' }]);
});

it('checkouts are up while all of the newest open, slow where some do, and down where none does', async () => {
  const userId = await open();
  const now = new Date();
  const note = (url: string | null, at: Date) =>
    sql`insert into purchases
        (id, user_id, package, credits, price_cents, currency, processor, status, checkout_url, created_at)
      values (${newId('pur')}, ${userId}, 'standard', 20, 1500, 'USD', 'stripe',
        ${url === null ? 'failed' : 'pending'}, ${url}, ${at})`.execute(database.db);
  const before = (minutes: number) => new Date(now.getTime() - minutes * 60_000);
  const judge = () => readCheckoutState(database.db, now);
  expect(await judge()).toBe('up');
  await note(null, before(61));
  expect(await judge()).toBe('up');
  await note(null, before(50));
  expect(await judge()).toBe('down');
  await note('https://pay.example/1', before(40));
  expect(await judge()).toBe('slow');
  // Only the newest five count.
  for (const minutes of [30, 20, 10, 5]) await note('https://pay.example/2', before(minutes));
  expect(await judge()).toBe('up');
});
