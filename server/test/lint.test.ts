/** @module-tag slow */
import { expect, expectTypeOf, it } from 'vitest';
import type { endSessions } from '../src/auth/sessions.ts';
import type { announceGeneration } from '../src/generations/generation-view.ts';
import type { Db, transaction, Tx } from '../src/platform/data/db.ts';
import type { appendEvent } from '../src/platform/data/events.ts';
import type { Row } from '../src/platform/data/rows.ts';
import type { DB } from '../src/platform/data/tables.d.ts';
import type { beginRequest, once } from '../src/platform/http/idempotency.ts';
import { findBrokenRules } from './lint.ts';

/**
 * Our own lint rules, in one file: the first use in each test file loads the types of the whole server, which takes a
 * quarter of a minute.
 */

/** The rules that these statements break in a file of the room `generations`. */
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
  'update "uploads" set deleted_at = null',
  'select 1 from generations g, "runs" r where true',
  'truncate table uploads',
  'lock table uploads in share mode',
  "copy uploads from '/elsewhere'",
  'merge into uploads u using generations g on g.id = u.generation_id when matched then delete',
];

const ALLOWED = [
  'select 1 from generations g join generated_media m on m.generation_id = g.id',
  'select credits from user_credits where user_id = ${table} for update',
  'select 1 from generations for no key update skip locked',
  'update generations set percent = 1 where id = ${table}',
  'insert into return_counts (tool) values (1) on conflict (tool) do update set tool = excluded.tool',
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

it.each([
  ['Kysely’s own words', `export const work = (db: Db) => db.updateTable('users').set({}).execute();`],
  ['raw text', `export const work = (db: Db, from: string) => sql\`select 1 \${sql.raw(from)}\`.execute(db);`],
  ['another name', `import { sql as text } from 'kysely';\nexport const work = (db: Db) => text\`x\`.execute(db);`],
])('refuses a statement that hides its tables behind %s', async (_what, line) => {
  const source = `import { sql } from 'kysely';\nimport type { Db } from '../platform/data/db.ts';\n${line}`;
  expect(await findBrokenRules(source)).toContain('plinth/own-tables');
});

const IMPORTS = `
import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'kysely';
import type { Library } from '../media/library.ts';
import { type Db, transaction, type Tx } from '../platform/data/db.ts';
import type { Queue } from '../platform/data/queue.ts';
`;

it('a transaction reaches nothing but the database, and that by itself', async () => {
  const refused = [
    'await fetch("https://shop.example");',
    'await library.storage.remove("a");',
    'void library.storage.remove("a");',
    'await sleep(1);',
    'await sql`select 1`.execute(db);',
    'await Promise.all(["a"].map((key) => library.storage.remove(key)));',
  ];
  const found = await findBrokenRules(`${IMPORTS}
    export async function work(db: Db, library: Library): Promise<void> {
      await transaction(db, async (tx) => {
        await sql\`select 1\`.execute(tx);
        ${refused.join('\n')}
      });
    }
    export async function workWithin(tx: Db | Tx, db: Db, library: Library): Promise<void> {
      await sql\`select 1\`.execute(tx);
      ${refused.join('\n')}
    }`);
  expect(found).toEqual(Array(2 * refused.length).fill('plinth/only-transaction'));
});

it.each([
  ['given to it by name', 'export const work = (db: Db) => transaction(db, (other) => sql`select 1`.execute(other));'],
  ['written beside it', 'export const work = (other: Tx) => other;'],
  ['of what asks', 'export const works = { work: async (other) => sql`select 1`.execute(other) };'],
])('a transaction has the name by which it is known: %s', async (_what, line) => {
  expect(await findBrokenRules(IMPORTS + line)).toContain('plinth/only-transaction');
});

it('what is given the transaction, and what comes before or after it, is let be', async () => {
  const found = await findBrokenRules(`${IMPORTS}
    export async function work(db: Db, queue: Queue, library: Library): Promise<void> {
      await library.storage.remove('before');
      await transaction(db, async (tx) => {
        await queue.enqueueGeneration(tx, 'gen_a', 0);
        await Promise.all([sql\`select 1\`.execute(tx), sql\`select 2\`.execute(tx)]);
        await sql\`select 3\`.execute(tx).catch(() => undefined);
      });
      await library.storage.remove('after');
    }`);
  expect(found).toEqual([]);
});

it('a query names the columns of its row, and types by hand only what it computes', async () => {
  const find = (row: string) =>
    findBrokenRules(`
      import { sql } from 'kysely';
      import type { Db } from '../platform/data/db.ts';
      import type { Column, Row } from '../platform/data/rows.ts';
      type Taken = ${row};
      export const take = (db: Db) => sql<Taken>\`select\`.execute(db);`);
  expect(await find(`{ id: string; userId: string; redos: number }`)).toEqual(Array(2).fill('plinth/checked-rows'));
  expect(await find(`Row<'users', 'id'> & { redos: number; key: Column<'uploads', 'objectKey'> }`)).toEqual([]);
});

// Checked by the compiler.
it('the compiler knows the columns of each table', () => {
  expectTypeOf<Row<'users', 'email' | 'createdAt'>>().toEqualTypeOf<{ email: string; createdAt: Date }>();
  expectTypeOf<'address'>().not.toExtend<keyof DB['users']>();
});

type First<Work extends (...given: never[]) => unknown> = Parameters<Work>[0];
it('what belongs into a transaction takes no plain database, and none begins within another', () => {
  expectTypeOf<First<typeof appendEvent>>().toEqualTypeOf<Tx>();
  expectTypeOf<First<typeof beginRequest>>().toEqualTypeOf<Tx>();
  expectTypeOf<First<typeof announceGeneration>>().toEqualTypeOf<Tx>();
  expectTypeOf<First<typeof endSessions>>().toEqualTypeOf<Tx>();
  expectTypeOf<First<typeof once>>().toEqualTypeOf<Db>();
  expectTypeOf<First<typeof transaction>>().toEqualTypeOf<Db>();
  expectTypeOf<Db>().not.toExtend<Tx>();
  expectTypeOf<Tx>().not.toExtend<Db>();
});
