import { expect, it } from 'vitest';
import { findBrokenRules } from './lint.ts';

/** Rules that these statements break in a file of the room generations. */
const find = (statements: string[]) =>
  findBrokenRules(`
    import { sql } from 'kysely';
    import type { Db } from '../platform/data/db.ts';
    export const work = (db: Db, table: string, part: ReturnType<typeof sql>) => Promise.all([
      ${statements.map((one) => `sql\`${one}\`.execute(db)`).join(',\n')}]);`);

const REFUSED = [
  'update uploads set deleted_at = null',
  'insert into credit_ledger (user_id) values (1)',
  'insert  into\n  run_items (id) select 1',
  'delete from idempotency_keys where true',
  'with gone as (delete from sessions returning id) select * from gone',
  'select 1 from runs',
  'select (select count(*) from run_items n where n.id = g.id) from generations g',
  'select 1 from generations g, runs r where true',
  'select 1 from generations g left join purchases p on true',
  'select 1 from generations as g cross join lateral (select 1 from receipts) as x',
  'delete from generations g using runs r where r.id = g.run_id',
  'select 1 from unheard_of',
  'select 1 from ${sql.table(table)}',
  'update ${sql.ref(table)} set a = 1',
  'select 1 from generations join ${part} on true',
  'insert into ${sql.table(table)} values (1)',
];

const ALLOWED = [
  'select 1 from generations g join generated_media m on m.generation_id = g.id',
  'select credits from user_credits where user_id = ${table} for update',
  'select 1 from generations for no key update skip locked',
  'update generations set percent = 1 where id = ${table}',
  'insert into scenes (id) values (1) on conflict (id) do update set id = excluded.id',
  'with old as (select 1 from uploads), new (a) as materialized (select 1) select 1 from old, new',
  'select extract(epoch from now() - min(created_at)) from generations',
  "select substring(u.object_key from '[^.]+$') from uploads u",
  'select 1 from unnest(${table}::text[]) as given (id) left join generations g using (id)',
  'select a is distinct from b from generations',
  "select 1 from generations where input ->> 'x' = 'copied from runs'",
  'select 1 from (${part}) as inner_one',
  '${part} where id = 1',
  'select 1 from pg_stat_activity',
];

it.each(REFUSED)('says what nobody may write or read here, or nobody can read: %s', async (statement) => {
  expect(await find([statement])).toEqual(['plinth/own-tables']);
});

it('lets a room write its own tables, and read along the arrows', async () => {
  expect(await find(ALLOWED)).toEqual([]);
});

it('refuses a statement in which no table can be read', async () => {
  const source = `
    import type pg from 'pg';
    export const work = (pool: pg.Pool) => pool.query('update user_credits set credits = 9');`;
  expect(await findBrokenRules(source)).toEqual(['plinth/own-tables']);
});
