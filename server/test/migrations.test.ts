import { afterAll, beforeAll, expect, it } from 'vitest';
import { migrate } from '../src/commands/migrate.ts';
import { makeDatabase } from './database.ts';

let database: Awaited<ReturnType<typeof makeDatabase>>;
beforeAll(async () => {
  database = await makeDatabase();
});
afterAll(() => database.drop());

const LAST = '0021-views.sql';
const listViews = async () =>
  (
    await database.pool.query<{ name: string }>(`select viewname as name from pg_views where schemaname = 'public'`)
  ).rows
    .map(({ name }) => name)
    .sort();

it('a migration that fails half-way changes nothing, and the next start retries it', async () => {
  const views = await listViews();
  await database.pool.query(`drop view ${views.join(', ')}`);
  await database.pool.query('delete from migrations where name = $1', [LAST]);
  // Blocks the file's last statement.
  await database.pool.query('create table buyers (id text)');
  await expect(migrate(database.url)).rejects.toThrow(`The migration ${LAST} failed.`);
  expect(await listViews()).toEqual([]);
  await database.pool.query('drop table buyers');
  expect(await migrate(database.url)).toEqual([LAST]);
  expect(await listViews()).toEqual(views);
  expect(await migrate(database.url)).toEqual([]);
});
