import { sql } from 'kysely';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type Database, openDatabase } from '../src/platform/data/db.ts';
import { makeDatabase } from './database.ts';

let made: Awaited<ReturnType<typeof makeDatabase>>;
let database: Database;

beforeAll(async () => {
  made = await makeDatabase();
  database = openDatabase(made.url, { maxConnections: 1 });
});

afterAll(async () => {
  await database.close();
  await made.drop();
});

const countPrepared = async (): Promise<number> => {
  const { rows } = await database.pool.query<{ count: number }>('select count(*) from pg_prepared_statements');
  return rows[0]?.count ?? 0;
};
const readEmail = async (id: string) =>
  (await sql<{ email: string }>`select email from users where id = ${id} and deleted_at is null`.execute(database.db))
    .rows;

it('a frequent statement is prepared, a single one is not', async () => {
  const before = await countPrepared();
  for (let time = 0; time < 20; time += 1) await readEmail(`usr_${time}`);
  await sql`select 1 as "this one is asked a single time"`.execute(database.db);
  expect(await countPrepared()).toBe(before + 1);
});

it('a prepared statement survives a change of its table, and each query gets its own result', async () => {
  await sql`insert into users (id, email) values ('usr_a', 'a@example.com'), ('usr_b', 'b@example.com')`.execute(
    database.db,
  );
  for (let time = 0; time < 10; time += 1) await readEmail('usr_a');
  await sql`alter table users add column later text`.execute(database.db);
  expect(await readEmail('usr_a')).toEqual([{ email: 'a@example.com' }]);
  expect(await readEmail('usr_b')).toEqual([{ email: 'b@example.com' }]);
  expect(await readEmail('usr_c')).toEqual([]);
});

it('a failing prepared statement leaves the connection usable', async () => {
  const divide = (by: number) => sql<{ part: number }>`select (10 / ${by}::integer) as part`.execute(database.db);
  for (let time = 0; time < 10; time += 1) expect((await divide(5)).rows).toEqual([{ part: 2 }]);
  await expect(divide(0)).rejects.toThrow('division by zero');
  expect((await divide(2)).rows).toEqual([{ part: 5 }]);
});
