import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type pg from 'pg';
import type { Config } from '../config.ts';
import { systemClock } from '../platform/clock.ts';
import { withClient } from '../platform/data/db.ts';
import { findRunningPostgres } from '../platform/machine/embedded-postgres.ts';
import { newToken } from '../platform/ids.ts';
import { readOrMakeSecrets } from '../platform/machine/secrets.ts';
import { describeFailure, fault, type Finding, missing, ok } from './doctor-findings.ts';
import { listMigrations } from './migrate.ts';

const DATABASE = 'database';
const OLDEST = 150_000;
// Sessions, webhooks and tokens are held against our clock, ages of events against the database's.
const MOST_SECONDS_APART = 10;
const NEWS_MS = 3000;
const CONNECT_MS = 5000;

/** The database: reached, new enough, in shape, ours to change, with news that arrive, and a clock like ours. */
export async function checkDatabase(config: Config): Promise<Finding[]> {
  try {
    const url = config.DATABASE_URL ?? findEmbedded(config);
    if (url === undefined)
      return [
        missing(
          DATABASE,
          'The embedded Postgres does not run.',
          'Start the product and ask again, or set DATABASE_URL.',
        ),
      ];
    const look = async (client: pg.Client) => [
      await checkShape(client),
      await checkNews(client, url),
      await checkClock(client),
    ];
    return await withClient(url, look, { connectionTimeoutMillis: CONNECT_MS, statement_timeout: 5000 });
  } catch (error) {
    const todo = 'Check DATABASE_URL: host, port, name, user, password.';
    return [fault(DATABASE, `It cannot be used: ${describeFailure(error)}.`, todo)];
  }
}

function findEmbedded({ DATA_DIR }: Config): string | undefined {
  const folder = join(DATA_DIR, 'postgres');
  return existsSync(folder) ? findRunningPostgres(folder, readOrMakeSecrets(DATA_DIR).postgresPassword) : undefined;
}

async function checkShape(client: pg.Client): Promise<Finding> {
  const { rows } = await client.query<{ version: string; number: number; mine: boolean; isMade: boolean }>(`
    select current_setting('server_version') as version, current_setting('server_version_num')::int as number,
      has_schema_privilege(current_user, 'public', 'create') as mine,
      to_regclass('public.migrations') is not null as "isMade"`);
  const [about] = rows;
  if (about === undefined || about.number < OLDEST)
    return fault(DATABASE, `Postgres ${about?.version} is too old.`, 'Use Postgres 15 or later.');
  if (!about.mine) return fault(DATABASE, 'Its user may make no tables.', 'Let the user own the database.');
  if (!about.isMade) return missing(DATABASE, 'It is empty.', 'Start the product: it makes its tables.');
  const applied = await client.query<{ name: string }>('select name from migrations');
  const names = new Set(applied.rows.map(({ name }) => name));
  const ours = listMigrations();
  const pending = ours.filter((name) => !names.has(name));
  const foreign = [...names].filter((name) => !ours.includes(name));
  if (foreign.length > 0)
    return fault(DATABASE, `It is of a newer Plinth (${foreign.join(', ')}).`, 'Update this one.');
  if (pending.length > 0)
    return fault(DATABASE, `It lacks ${pending.join(', ')}.`, 'Start the product: it brings them.');
  return ok(DATABASE, `Postgres ${about.version}, all ${ours.length} migrations applied.`);
}

/** A pool that shares connections between transactions would swallow live events. */
async function checkNews(listener: pg.Client, url: string): Promise<Finding> {
  const channel = `plinth_${newToken().replace(/\W/g, '')}`.toLowerCase();
  const heard = new Promise<boolean>((resolve) => {
    const timer = setTimeout(() => resolve(false), NEWS_MS);
    listener.once('notification', () => (clearTimeout(timer), resolve(true)));
  });
  await listener.query(`listen ${channel}`);
  const tell = (teller: pg.Client) => teller.query('select pg_notify($1, $2)', [channel, '']);
  await withClient(url, tell, { connectionTimeoutMillis: CONNECT_MS });
  if (await heard) return ok('events', 'News come through the database.');
  const todo = 'Use a direct connection in DATABASE_URL, not a transaction pool.';
  return fault('events', 'News do not come through the database.', todo);
}

async function checkClock(client: pg.Client): Promise<Finding> {
  const before = systemClock.now().getTime();
  const { rows } = await client.query<{ now: Date }>('select clock_timestamp() as now');
  const ours = (before + systemClock.now().getTime()) / 2;
  const seconds = Math.round((ours - (rows[0]?.now.getTime() ?? 0)) / 1000);
  if (Math.abs(seconds) <= MOST_SECONDS_APART) return ok('clock', "It agrees with the database's.");
  const says = `It is ${Math.abs(seconds)} s ${seconds > 0 ? 'ahead of' : 'behind'} the database's.`;
  return fault('clock', says, 'Let both machines follow a time server (timedatectl set-ntp true).');
}
