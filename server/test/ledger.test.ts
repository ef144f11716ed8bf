import { setTimeout as sleep } from 'node:timers/promises';
import { type LedgerEntry } from '@plinth/contract/credits';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { makeAccount } from '../src/auth/accounts.ts';
import {
  adjustCredits,
  balanceOf,
  closeAccountCredits,
  debitCredits,
  grantPurchase,
  listLedger,
  lockCredits,
  measureLedger,
  readCredits,
  readLedger,
  refundCredits,
  refuseClosedAccount,
  reversePurchase,
} from '../src/credits/ledger.ts';
import { systemClock } from '../src/platform/clock.ts';
import { transaction, type Tx } from '../src/platform/data/db.ts';
import { newId } from '../src/platform/ids.ts';
import { makeDatabase } from './database.ts';

/** Calls the only file that moves credits directly. */

let database: Awaited<ReturnType<typeof makeDatabase>>;
beforeAll(async () => {
  database = await makeDatabase();
});
afterAll(() => database.drop());

const within = <Result>(work: (tx: Tx) => Promise<Result>) => transaction(database.db, work);

async function openAccount(welcomeCredits = 0): Promise<string> {
  const account = { email: `${newId('usr')}@example.com`, passwordHash: null, emailVerified: false, welcomeCredits };
  return within((tx) => makeAccount(tx, systemClock, account));
}

async function makeGeneration(userId: string): Promise<string> {
  const id = newId('gen');
  await sql`insert into generations (id, user_id, tool, cost, input, created_at)
    values (${id}, ${userId}, 'remover', 1, '{}', now())`.execute(database.db);
  return id;
}

async function makePurchase(userId: string): Promise<string> {
  const id = newId('pur');
  await sql`insert into purchases (id, user_id, package, credits, price_cents, currency, processor, created_at)
    values (${id}, ${userId}, 'standard', 20, 1500, 'USD', 'sandbox', now())`.execute(database.db);
  return id;
}

const close = (userId: string) => within((tx) => closeAccountCredits(tx, userId, new Date()));
const adjust = (userId: string, credits: number, note = 'for a test') =>
  within((tx) => adjustCredits(tx, { userId, credits, note }));
const debit = (userId: string, generationId: string, amount = 1) =>
  within((tx) => debitCredits(tx, { userId, amount, generationId, insufficientSentence: 'Too few for this.' }));

/** Newest first. */
async function entriesOf(userId: string, limit = 100): Promise<LedgerEntry[]> {
  return (await listLedger(database.db, userId, { limit, after: null })).items;
}

/** The events on the user's open streams: the balance and its ledger entry. Oldest first. */
async function eventsOf(userId: string): Promise<{ credits: number; entryId: string }[]> {
  const { rows } = await sql<{ body: { credits: number; entryId: string } }>`
    select body from user_events where user_id = ${userId} and name = 'credits' order by seq`.execute(database.db);
  return rows.map(({ body }) => body);
}

/** Expects the single new entry in the list and on the streams. */
async function expectBooked(userId: string, entry: Partial<LedgerEntry>): Promise<void> {
  const [newest] = await entriesOf(userId);
  expect(newest).toMatchObject(entry);
  expect((await eventsOf(userId)).at(-1)).toEqual({ credits: newest?.balanceAfter, entryId: newest?.id });
  expect(await readCredits(database.db, userId)).toBe(newest?.balanceAfter);
}

describe('a new account', () => {
  it('starts with its welcome credits as the first entry, without an event', async () => {
    const userId = await openAccount(3);
    const entries = await entriesOf(userId);
    expect(entries).toEqual([
      {
        id: entries[0]?.id,
        delta: 3,
        balanceAfter: 3,
        reason: 'signup',
        generationId: null,
        purchaseId: null,
        tool: null,
        package: null,
        createdAt: entries[0]?.createdAt,
      },
    ]);
    expect(entries[0]?.createdAt).toMatch(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/);
    expect(await eventsOf(userId)).toEqual([]);
    expect(await readCredits(database.db, userId)).toBe(3);
  });

  it('starts at 0 without welcome credits', async () => {
    const userId = await openAccount();
    expect(await entriesOf(userId)).toEqual([]);
    expect(await measureLedger(database.db, userId)).toEqual({ entries: 0, newest: 0 });
    expect(await readCredits(database.db, userId)).toBe(0);
  });
});

describe('a debit', () => {
  it('takes the price of its generation, and the streams are told', async () => {
    const userId = await openAccount(3);
    const generationId = await makeGeneration(userId);
    await debit(userId, generationId, 2);
    await expectBooked(userId, { reason: 'debit', delta: -2, balanceAfter: 1, generationId, tool: 'remover' });
  });

  it('is rejected with the tool’s sentence if the balance is too low or the account closed', async () => {
    const [unaffordable, closed] = [await openAccount(1), await openAccount(5)];
    await close(closed);
    for (const userId of [unaffordable, closed]) {
      const refused = debit(userId, await makeGeneration(userId), 2);
      await expect(refused).rejects.toMatchObject({ code: 'insufficient_credits', detail: 'Too few for this.' });
      expect((await entriesOf(userId)).map(({ reason }) => reason)).toEqual(['signup']);
    }
  });

  it('that fails for another reason reports that reason', async () => {
    const userId = await openAccount(3);
    await expect(debit(userId, await makeGeneration(userId), 0)).rejects.toThrow('the amount must be positive');
    await expect(debit(userId, 'gen_of_nobody')).rejects.toThrow('credit_ledger_generation_id_fkey');
  });

  it('of one generation is told as the debit that it is, not as its refund', async () => {
    const userId = await openAccount(3);
    const generationId = await makeGeneration(userId);
    await within((tx) => refundCredits(tx, { userId, amount: 1, generationId }));
    await debit(userId, generationId);
    await expectBooked(userId, { reason: 'debit', delta: -1, balanceAfter: 3, generationId });
    expect((await eventsOf(userId)).map(({ credits }) => credits)).toEqual([4, 3]);
  });
});

it('a refund gives back once', async () => {
  const userId = await openAccount(3);
  const generationId = await makeGeneration(userId);
  await debit(userId, generationId, 2);
  const refund = () => within((tx) => refundCredits(tx, { userId, amount: 2, generationId }));
  await refund();
  await expectBooked(userId, { reason: 'refund', delta: 2, balanceAfter: 3, generationId, tool: 'remover' });
  await expect(refund()).rejects.toThrow('credit_ledger_one_refund');
  expect(await readCredits(database.db, userId)).toBe(3);
});

it('a purchase gives its credits once', async () => {
  const userId = await openAccount();
  const purchaseId = await makePurchase(userId);
  const grant = () => within((tx) => grantPurchase(tx, { userId, credits: 20, purchaseId }));
  await grant();
  await expectBooked(userId, { reason: 'purchase', delta: 20, balanceAfter: 20, purchaseId, package: 'standard' });
  await expect(grant()).rejects.toThrow('credit_ledger_one_purchase');
  expect(await readCredits(database.db, userId)).toBe(20);
});

describe('a reversal', () => {
  it.each([
    ['as many as are asked for', 5, 3, 3],
    ['no more than are left', 5, 7, 5],
    ['nothing where nothing is left', 0, 3, 0],
    ['nothing where nothing is asked for', 5, 0, 0],
    ['nothing where less than nothing is asked for', 5, -2, 0],
  ])('takes %s', async (_, credits, requested, reversed) => {
    const userId = await openAccount(7);
    const purchaseId = await makePurchase(userId);
    if (credits > 0) await within((tx) => grantPurchase(tx, { userId, credits, purchaseId }));
    const before = await eventsOf(userId);
    expect(await within((tx) => reversePurchase(tx, { userId, credits: requested, purchaseId }))).toBe(reversed);
    expect(await readCredits(database.db, userId)).toBe(7 + credits - reversed);
    if (reversed > 0)
      await expectBooked(userId, { reason: 'reversal', delta: -reversed, purchaseId, package: 'standard' });
    else expect(await eventsOf(userId)).toEqual(before);
  });

  it('of 0 waits for no lock', async () => {
    const userId = await openAccount(5);
    const purchaseId = await makePurchase(userId);
    await within(async (held) => {
      await lockCredits(held, userId);
      expect(await within((tx) => reversePurchase(tx, { userId, credits: 0, purchaseId }))).toBe(0);
    });
  });
});

it('an adjustment goes either way, with its note, and never below zero', async () => {
  const userId = await openAccount(3);
  await adjust(userId, 4, 'A gift');
  await expectBooked(userId, { reason: 'adjustment', delta: 4, balanceAfter: 7, generationId: null, purchaseId: null });
  await adjust(userId, -6, 'Given twice');
  await expectBooked(userId, { reason: 'adjustment', delta: -6, balanceAfter: 1 });
  await expect(adjust(userId, -2)).rejects.toThrow('user_credits_not_negative');
  const { rows } = await sql<{ note: string | null }>`
    select note from credit_ledger where user_id = ${userId} order by seq`.execute(database.db);
  expect(rows.map(({ note }) => note)).toEqual([null, 'A gift', 'Given twice']);
});

describe('a closed account', () => {
  it('has no balance, is closed once, and keeps its ledger', async () => {
    const [userId, other] = [await openAccount(3), await openAccount(4)];
    expect(await close(userId)).toBe(true);
    expect(await close(userId)).toBe(false);
    expect(await readCredits(database.db, userId)).toBe(0);
    expect(await within((tx) => lockCredits(tx, userId))).toBe(0);
    expect(await entriesOf(userId)).toHaveLength(1);
    expect(await readCredits(database.db, other)).toBe(4);
  });

  it('is rejected, as is one that never existed', async () => {
    const userId = await openAccount(3);
    await within((tx) => refuseClosedAccount(tx, userId));
    await close(userId);
    for (const id of [userId, 'usr_nobody']) {
      const refused = within((tx) => refuseClosedAccount(tx, id));
      await expect(refused).rejects.toMatchObject({ code: 'authentication_required' });
    }
  });
});

describe('a balance', () => {
  it('that is locked makes the next transaction wait', async () => {
    const userId = await openAccount(3);
    const order: string[] = [];
    let next: Promise<unknown> | undefined;
    await within(async (tx) => {
      expect(await lockCredits(tx, userId)).toBe(3);
      next = adjust(userId, 1).then(() => order.push('next'));
      await sleep(50);
      order.push('first');
    });
    await next;
    expect(order).toEqual(['first', 'next']);
  });

  it('is a column of another question, and nothing for nobody', async () => {
    const userId = await openAccount(3);
    const read = async (id: string) =>
      (await sql<{ credits: number }>`select ${balanceOf(id)} as credits`.execute(database.db)).rows;
    expect([await read(userId), await read('usr_nobody')]).toEqual([[{ credits: 3 }], [{ credits: 0 }]]);
    expect(await readCredits(database.db, 'usr_nobody')).toBe(0);
  });
});

describe('the list of entries', () => {
  it('is read page by page, newest first, for its own user only', async () => {
    const [userId, other] = [await openAccount(1), await openAccount(9)];
    for (const credits of [10, 20, 30]) await adjust(userId, credits);
    const first = await listLedger(database.db, userId, { limit: 2, after: null });
    expect(first.items.map(({ delta }) => delta)).toEqual([30, 20]);
    expect(first.nextCursor).not.toBeNull();
    const [createdAt, id] = JSON.parse(Buffer.from(first.nextCursor ?? '', 'base64url').toString()) as string[];
    const last = first.items.at(-1);
    expect([new Date(createdAt ?? '').toISOString(), id]).toEqual([last?.createdAt, last?.id]);
    const after = { createdAt: createdAt ?? '', id: id ?? '' };
    const second = await listLedger(database.db, userId, { limit: 2, after });
    expect([second.items.map(({ delta }) => delta), second.nextCursor]).toEqual([[10, 1], null]);
    // Another user's entry is no valid cursor.
    expect((await listLedger(database.db, other, { limit: 2, after })).items).toEqual([]);
  });

  it.each(['txn_', 'txn_0g', 'xtxn_0', 'txn_0 ', 'gen_0'])('refuses %j as a place', async (id) => {
    const page = { limit: 2, after: { createdAt: new Date().toISOString(), id } };
    await expect(listLedger(database.db, 'usr_nobody', page)).rejects.toMatchObject({ code: 'malformed_request' });
  });
});

describe('the whole ledger', () => {
  async function readAll(userId: string, newest: number): Promise<LedgerEntry[][]> {
    const chunks: LedgerEntry[][] = [];
    for await (const chunk of readLedger(database.db, userId, newest)) chunks.push(chunk);
    return chunks;
  }

  it('is read oldest first up to the measured end', async () => {
    const [userId, other] = [await openAccount(1), await openAccount(9)];
    await adjust(userId, 10);
    const { entries, newest } = await measureLedger(database.db, userId);
    expect(entries).toBe(2);
    await adjust(userId, 20);
    await adjust(other, 1);
    const chunks = await readAll(userId, newest);
    expect(chunks).toEqual([(await entriesOf(userId)).slice(1).toReversed()]);
    expect(await readAll(userId, 0)).toEqual([]);
    // A cursor within another user's entries: the user's own entries come once each.
    const { newest: further } = await measureLedger(database.db, other);
    expect((await readAll(userId, further)).flat().map(({ delta }) => delta)).toEqual([1, 10, 20]);
  });

  it('is read a thousand entries at a time', async () => {
    const userId = await openAccount();
    await sql`insert into credit_ledger (user_id, delta, reason)
      select ${userId}, 1, 'adjustment' from generate_series(1, 1001)`.execute(database.db);
    const { newest } = await measureLedger(database.db, userId);
    const chunks = await readAll(userId, newest);
    expect(chunks.map(({ length }) => length)).toEqual([1000, 1]);
    const balances = chunks.flat().map(({ balanceAfter }) => balanceAfter);
    expect(balances).toEqual(Array.from({ length: 1001 }, (_, at) => at + 1));
  });
});

it('an entry that the database does not store fails the whole operation', async () => {
  const userId = await openAccount(3);
  await sql`create function swallow() returns trigger language plpgsql as $$ begin return null; end $$`.execute(
    database.db,
  );
  await sql`create trigger a_swallow before insert on credit_ledger for each row execute function swallow()`.execute(
    database.db,
  );
  await expect(adjust(userId, 1)).rejects.toThrow('a ledger entry was not booked');
  await sql`drop trigger a_swallow on credit_ledger`.execute(database.db);
  expect(await readCredits(database.db, userId)).toBe(3);
});
