import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { sql } from 'kysely';
import { type Config, ConfigError, readConfig } from '../config.ts';
import type { Library } from '../media/library.ts';
import { systemClock } from '../platform/clock.ts';
import { ExpectedError } from '../platform/errors.ts';
import { type Db, openDatabase, onlyRow, tryDatabase } from '../platform/data/db.ts';
import { openDataFolder } from '../platform/machine/data-folder.ts';
import { findRunningPostgres, startEmbeddedPostgres } from '../platform/machine/embedded-postgres.ts';
import { lockInstance } from '../platform/machine/instance-lock.ts';
import { readOrMakeSecrets } from '../platform/machine/secrets.ts';
import { openStorage } from '../platform/data/open-storage.ts';
import type { Answer, Command, CommandInput, Shell } from './arguments.ts';
import { migrate } from './migrate.ts';

/** A command's access to the product's data, whether it runs or not. */
export type Opened = { config: Config; library: Library; databaseUrl: string };

/** A command that uses it. */
export const onData =
  (work: (given: CommandInput & Opened) => Promise<Answer>): Command['run'] =>
  (given) =>
    withLibrary(given.environment, (opened) => work({ ...given, ...opened }));

/** Opens the product's database and storage for the duration of `work`. @throws ConfigError */
export async function withLibrary<Result>(
  environment: Shell['environment'],
  work: (opened: Opened) => Promise<Result>,
  { mayBeNew = false } = {},
): Promise<Result> {
  const config = readConfig(environment);
  if (mayBeNew) openDataFolder(config.DATA_DIR);
  if (config.DATABASE_URL === undefined && !existsSync(config.DATA_DIR)) {
    throw new ConfigError(`The data folder ${config.DATA_DIR} does not exist. Set DATA_DIR to that of the product.`);
  }
  return withDatabaseUrl(config, async (databaseUrl) => {
    const database = openDatabase(databaseUrl, { maxConnections: 4, queryMs: 600_000 });
    try {
      if (!mayBeNew) await refuseEmptyDatabase(database.db);
      const library = {
        db: database.db,
        storage: await openStorage(config),
        clock: systemClock,
        ttlSeconds: config.MEDIA_TTL_SECONDS,
        maxStorageBytes: config.MAX_STORAGE_BYTES,
      };
      return await work({ config, library, databaseUrl });
    } finally {
      await database.close();
    }
  });
}

/** @throws ExpectedError before the first start on this database */
async function refuseEmptyDatabase(db: Db): Promise<void> {
  const { isMade } = onlyRow(
    await sql<{ isMade: boolean }>`select to_regclass('public.migrations') is not null as "isMade"`.execute(db),
  );
  if (!isMade) throw new ExpectedError('The database is empty. Start the product: it makes its tables.');
}

/** The configured database, or the embedded one while it runs. */
export function findDatabaseUrl({ DATABASE_URL, DATA_DIR }: Config): string | undefined {
  const folder = join(DATA_DIR, 'postgres');
  if (DATABASE_URL !== undefined || !existsSync(folder)) return DATABASE_URL;
  return findRunningPostgres(folder, readOrMakeSecrets(DATA_DIR).postgresPassword);
}

/** The product's database, or one started for the command. */
async function withDatabaseUrl<Result>(config: Config, work: (url: string) => Promise<Result>): Promise<Result> {
  const known = findDatabaseUrl(config);
  if (known !== undefined) {
    if (config.DATABASE_URL !== undefined) await tryDatabase(config.DATABASE_URL);
    return work(known);
  }
  const lock = lockInstance(config.DATA_DIR);
  const { postgresPassword } = readOrMakeSecrets(config.DATA_DIR);
  const postgres = await startEmbeddedPostgres(join(config.DATA_DIR, 'postgres'), postgresPassword);
  try {
    await migrate(postgres.url);
    return await work(postgres.url);
  } finally {
    await postgres.stop();
    lock.release();
  }
}
