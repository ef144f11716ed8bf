import { pipeline } from 'node:stream/promises';
import pg from 'pg';
import { from as copyFrom } from 'pg-copy-streams';
import type { Archive, Manifest } from './archive.ts';
import { applyIn, MIGRATIONS_TABLE } from './migrate.ts';

/** Replaces a database's rows by those of an archive, in the caller's transaction. */

export type Target = {
  others: number;
  hasUsers: boolean;
  installation: string | undefined;
  /** True if its version records deletions; older ones did not. */
  hasDeletions: boolean;
};

export async function readTarget(client: pg.Client): Promise<Target> {
  const about = await client.query<{ others: number; hasTables: boolean; hasDeletions: boolean }>(`
    select (select count(*) from pg_stat_activity where datname = current_database() and usename = current_user
        and backend_type = 'client backend' and pid <> pg_backend_pid()) as others,
      to_regclass('public.users') is not null and to_regclass('public.installation') is not null as "hasTables",
      to_regclass('public.deletions') is not null as "hasDeletions"`);
  const { others = 0, hasTables = false, hasDeletions = false } = about.rows[0] ?? {};
  const nothing = { others, hasDeletions, hasUsers: false, installation: undefined };
  if (!hasTables) return nothing;
  const found = await client.query<{ hasUsers: boolean; installation: string }>(
    'select exists (select from users) as "hasUsers", (select id from installation) as installation',
  );
  return { ...nothing, ...found.rows[0] };
}

// Objects of extensions stay.
const isOurs = (catalogue: string, oid: string) =>
  `not exists (select from pg_depend where classid = '${catalogue}'::regclass and objid = ${oid} and deptype = 'e')`;

const DROP_ALL = `do $$ declare found record; begin
  for found in select oid::regclass as name from pg_class where relnamespace = 'public'::regnamespace
    and relkind in ('r', 'p') and not relispartition and ${isOurs('pg_class', 'pg_class.oid')}
  loop execute format('drop table %s cascade', found.name); end loop;
  for found in select oid::regclass as name from pg_class where relnamespace = 'public'::regnamespace
    and relkind = 'S' and ${isOurs('pg_class', 'pg_class.oid')}
  loop execute format('drop sequence %s cascade', found.name); end loop;
  for found in select oid::regprocedure as name from pg_proc where pronamespace = 'public'::regnamespace
    and ${isOurs('pg_proc', 'pg_proc.oid')}
  loop execute format('drop routine %s cascade', found.name); end loop;
end $$`;

/** Drops all tables and recreates them in the backup's schema version. */
export async function replaceTables(client: pg.Client, { migrations }: Manifest): Promise<void> {
  // The queue recreates its own tables, and jobs are recreated from the rows.
  await client.query('drop schema if exists pgboss cascade');
  await client.query(DROP_ALL);
  await client.query(MIGRATIONS_TABLE);
  for (const name of migrations) await applyIn(client, name);
}

/** Copies all rows, referenced tables first; triggers are disabled, so that nothing is booked twice. */
export async function fillDatabase(client: pg.Client, archive: Archive): Promise<void> {
  const { tables, sequences } = archive.manifest;
  for (const { name } of tables) await client.query(`alter table ${pg.escapeIdentifier(name)} disable trigger user`);
  for (const { name } of tables) {
    // Rows inserted by migrations are in the archive, too.
    const found = await client.query(`select from ${pg.escapeIdentifier(name)} limit 1`);
    if (found.rowCount !== 0) await client.query(`delete from ${pg.escapeIdentifier(name)}`);
  }
  for (const { name, columns, entry } of await sortByReference(client, tables)) {
    const list = columns.map((column) => pg.escapeIdentifier(column)).join(', ');
    const copy = client.query(copyFrom(`copy ${pg.escapeIdentifier(name)} (${list}) from stdin`));
    await pipeline(await archive.read(entry), copy);
  }
  for (const { name } of tables) await client.query(`alter table ${pg.escapeIdentifier(name)} enable trigger user`);
  for (const { name, last } of sequences)
    await client.query('select setval($1::regclass, $2)', [`public.${pg.escapeIdentifier(name)}`, last]);
}

type Table = Manifest['tables'][number];

async function sortByReference(client: pg.Client, tables: Table[]): Promise<Table[]> {
  const found = await client.query<{ from: string; to: string }>(`
    select conrelid::regclass::text as "from", confrelid::regclass::text as "to" from pg_constraint
    where contype = 'f' and conrelid <> confrelid and connamespace = 'public'::regnamespace`);
  const sorted: Table[] = [];
  let left = tables;
  while (left.length > 0) {
    const names = new Set(left.map(({ name }) => name));
    const waits = ({ name }: Table) => found.rows.some(({ from, to }) => from === name && names.has(to));
    const next = left.filter((table) => !waits(table));
    if (next.length === 0) throw new Error(`the tables ${[...names].join(', ')} refer to each other`);
    sorted.push(...next);
    left = left.filter((table) => !next.includes(table));
  }
  return sorted;
}
