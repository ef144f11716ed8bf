import { sql } from 'kysely';
import pg from 'pg';
import { afterAll, afterEach, beforeAll, expect, it, vi } from 'vitest';
import { COMMITS_UNFLUSHED, flushCommits } from '../src/platform/data/commits.ts';
import { type Database, openDatabase, transaction } from '../src/platform/data/db.ts';
import { makeDatabase } from './database.ts';

let made: Awaited<ReturnType<typeof makeDatabase>>;
let database: Database;

beforeAll(async () => {
  made = await makeDatabase();
  // The tests' Postgres never waits for the disk, an operator's does.
  await made.pool.query(`alter database ${new URL(made.url).pathname.slice(1)} set synchronous_commit = on`);
  database = openDatabase(made.url);
});
afterAll(async () => {
  await database.close();
  await made.drop();
});
afterEach(() => void vi.restoreAllMocks());

/** Commits a person who is not on the disk yet, and returns where in the log that stands. */
async function commitUnflushed(id: string): Promise<string> {
  await sql`
    insert into users (id, email) select ${id}, ${`${id}@example.com`} from (select ${COMMITS_UNFLUSHED}) as later
    `.execute(database.db);
  const { rows } = await database.pool.query<{ lsn: string }>('select pg_current_wal_insert_lsn()::text as lsn');
  return rows[0]?.lsn ?? '';
}

async function isOnDisk(lsn: string): Promise<boolean | undefined> {
  const text = 'select pg_current_wal_flush_lsn() >= $1::pg_lsn as "isOnDisk"';
  return (await database.pool.query<{ isOnDisk: boolean }>(text, [lsn])).rows[0]?.isOnDisk;
}

it('what is committed without waiting for the disk is on it once it was flushed', async () => {
  const before: (boolean | undefined)[] = [];
  for (let time = 0; time < 10; time += 1) {
    const lsn = await commitUnflushed(`usr_unflushed_${time}`);
    before.push(await isOnDisk(lsn));
    await flushCommits(database.db);
    expect(await isOnDisk(lsn)).toBe(true);
  }
  // Postgres writes its log by itself five times a second: not before all ten.
  expect(before).toContain(false);
});

it('a transaction that only locks a row waits for all before it: so does a message that says what was said', async () => {
  for (let time = 0; time < 10; time += 1) {
    const lsn = await commitUnflushed(`usr_locked_${time}`);
    await transaction(database.db, (tx) => sql`select 1 from users limit 1 for update`.execute(tx));
    expect(await isOnDisk(lsn)).toBe(true);
  }
});

it('waits for the disk again afterwards, on the same connection', async () => {
  const single = openDatabase(made.url, { maxConnections: 1 });
  await sql`select ${COMMITS_UNFLUSHED}`.execute(single.db);
  expect((await single.pool.query('show synchronous_commit')).rows).toEqual([{ synchronous_commit: 'on' }]);
  await single.close();
});

it('those who wait at a time share one flush, which begins after they came', async () => {
  const query = vi.spyOn(pg.Client.prototype, 'query');
  await Promise.all(Array.from({ length: 50 }, () => flushCommits(database.db)));
  expect(query).toHaveBeenCalledTimes(1);
  const first = flushCommits(database.db);
  await vi.waitFor(() => expect(query).toHaveBeenCalledTimes(2));
  const late = flushCommits(database.db);
  expect(late).not.toBe(first);
  expect(flushCommits(database.db)).toBe(late);
  await Promise.all([first, late]);
  expect(query).toHaveBeenCalledTimes(3);
});

it('one that fails tells all who waited for it, and the next one works', async () => {
  vi.spyOn(pg.Client.prototype, 'query').mockImplementationOnce(() => {
    throw new Error('Connection terminated');
  });
  const waiting = [flushCommits(database.db), flushCommits(database.db)];
  for (const one of await Promise.allSettled(waiting)) expect(one).toMatchObject({ status: 'rejected' });
  await flushCommits(database.db);
});
