import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'kysely';
import type { Config } from '../config.ts';
import { systemClock } from '../platform/clock.ts';
import { DRIFT_WARN_SECONDS, measureDrift } from '../platform/data/clock-drift.ts';
import { type Database, type Db, onlyRow, openDatabase, transaction } from '../platform/data/db.ts';
import { announceSessionEnds, openEventHub } from '../platform/data/events.ts';
import { newToken } from '../platform/ids.ts';
import { createLog } from '../platform/log.ts';
import { attempt, fault, type Finding, missing, ok } from './doctor-findings.ts';
import { compareMigrations } from './migrate.ts';
import { findDatabaseUrl } from './open.ts';

const DATABASE = 'database';
const MIN_VERSION = 150_000;
const NEWS_MS = 3000;

/** Checks the database: connection, version, migrations, permissions, notifications and clock. */
export function checkDatabase(config: Config): Promise<Finding[]> {
  const todo = 'Check DATABASE_URL: host, port, name, user, password.';
  return attempt(DATABASE, 'It cannot be used', todo, async () => {
    const url = findDatabaseUrl(config);
    if (url === undefined) {
      const start = 'Start the product and ask again, or set DATABASE_URL.';
      return [missing(DATABASE, 'The embedded Postgres does not run.', start)];
    }
    const database = openDatabase(url, { queryMs: 5000 });
    try {
      return [await checkShape(database.db), await checkNews(database), await checkClock(database.db)];
    } finally {
      await database.close();
    }
  });
}

async function checkShape(db: Db): Promise<Finding> {
  const { version, ordinal, isMine, isMade } = onlyRow(
    await sql<{ version: string; ordinal: number; isMine: boolean; isMade: boolean }>`
      select current_setting('server_version') as version, current_setting('server_version_num')::int as ordinal,
        has_schema_privilege(current_user, 'public', 'create') as "isMine",
        to_regclass('public.migrations') is not null as "isMade"`.execute(db),
  );
  if (ordinal < MIN_VERSION) return fault(DATABASE, `Postgres ${version} is too old.`, 'Use Postgres 15 or later.');
  if (!isMine) return fault(DATABASE, 'Its user may make no tables.', 'Let the user own the database.');
  if (!isMade) return missing(DATABASE, 'It is empty.', 'Start the product: it makes its tables.');
  const { names } = onlyRow(
    await sql<{ names: string[] }>`select coalesce(array_agg(name), '{}') as names from migrations`.execute(db),
  );
  const { pending, foreign } = compareMigrations(names);
  if (foreign.length > 0)
    return fault(DATABASE, `It is of a newer Plinth (${foreign.join(', ')}).`, 'Update this one.');
  if (pending.length > 0)
    return fault(DATABASE, `It lacks ${pending.join(', ')}.`, 'Start the product: it brings them.');
  return ok(DATABASE, `Postgres ${version}, all ${names.length} migrations applied.`);
}

/** A pooler in transaction mode would drop live events. */
async function checkNews({ db, url }: Database): Promise<Finding> {
  const hub = await openEventHub(url, createLog('silent'));
  try {
    const nobody = newToken();
    const received = new Promise<boolean>((resolve) => void hub.watchSession(nobody, () => resolve(true)));
    await transaction(db, (tx) => announceSessionEnds(tx, [nobody], 'signed_out'));
    if (await Promise.race([received, sleep(NEWS_MS, false)])) return ok('events', 'News come through the database.');
  } finally {
    await hub.close();
  }
  const todo = 'Use a direct connection in DATABASE_URL, not a transaction pool.';
  return fault('events', 'News do not come through the database.', todo);
}

async function checkClock(db: Db): Promise<Finding> {
  const seconds = Math.round(await measureDrift(db, systemClock));
  if (Math.abs(seconds) <= DRIFT_WARN_SECONDS) return ok('clock', "It agrees with the database's.");
  const says = `It is ${Math.abs(seconds)} s ${seconds > 0 ? 'ahead of' : 'behind'} the database's.`;
  return fault('clock', says, 'Let both machines follow a time server (timedatectl set-ntp true).');
}
