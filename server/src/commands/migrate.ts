import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { PgBoss } from 'pg-boss';
import type pg from 'pg';
import { withClient } from '../platform/data/db.ts';
import { ExpectedError } from '../platform/errors.ts';

// Any fixed number: serialises processes that start concurrently.
export const MIGRATION_LOCK = 7_310_557;
export const MIGRATIONS_TABLE =
  'create table if not exists migrations (name text primary key, applied_at timestamptz not null default now())';
const FOLDER = join(import.meta.dirname, '..', '..', 'migrations');

/** The database has migrations that this version does not know and would misinterpret. */
class NewerDatabaseError extends ExpectedError {
  constructor(names: string[]) {
    super(`The database belongs to a newer Plinth (${names.join(', ')}). Start that version, or restore a backup.`);
  }
}

/** Applies pending migrations, each in one transaction. Safe to repeat. @throws NewerDatabaseError, nothing changed */
export function migrate(databaseUrl: string): Promise<string[]> {
  return withClient(databaseUrl, async (client) => {
    await client.query('select pg_advisory_lock($1)', [MIGRATION_LOCK]);
    await client.query(MIGRATIONS_TABLE);
    const applied = await client.query<{ name: string }>('select name from migrations');
    const { pending, foreign } = compareMigrations(applied.rows.map(({ name }) => name));
    if (foreign.length > 0) throw new NewerDatabaseError(foreign);
    for (const name of pending) await apply(client, name);
    await makeQueueTables(databaseUrl);
    return pending;
  });
}

/** Compares applied migrations by name: pending ones in order, and those that only a newer version knows. */
export function compareMigrations(applied: string[]): { pending: string[]; foreign: string[] } {
  const ours = readdirSync(FOLDER).filter((name) => name.endsWith('.sql'));
  return {
    pending: ours.filter((name) => !applied.includes(name)).sort(),
    foreign: applied.filter((name) => !ours.includes(name)).sort(),
  };
}

async function apply(client: pg.Client, name: string): Promise<void> {
  await client.query('begin');
  try {
    await applyIn(client, name);
    await client.query('commit');
  } catch (error) {
    await client.query('rollback');
    throw new Error(`The migration ${name} failed.`, { cause: error });
  }
}

/** Applies one migration in the caller's transaction. */
export async function applyIn(client: pg.Client, name: string): Promise<void> {
  await client.query(readFileSync(join(FOLDER, name), 'utf8'));
  await client.query('insert into migrations (name) values ($1)', [name]);
}

/** Creates the queue's own tables, under the same lock. */
async function makeQueueTables(databaseUrl: string): Promise<void> {
  const boss = new PgBoss({ connectionString: databaseUrl, max: 2, supervise: false, schedule: false });
  boss.on('error', () => undefined);
  await boss.start();
  await boss.stop({ graceful: false, close: true });
}
