import { parseArgs } from 'node:util';
import { join } from 'node:path';
import { type Config, environment, readConfig } from '../config.ts';
import type { Library } from '../media/library.ts';
import { openStorage } from '../platform/storage.ts';
import { systemClock } from '../platform/clock.ts';
import { openDatabase } from '../platform/db.ts';
import { findRunningPostgres, startEmbeddedPostgres } from '../platform/embedded-postgres.ts';
import { lockInstance } from '../platform/instance-lock.ts';
import { readOrMakeSecrets } from '../platform/secrets.ts';
import { findViolations } from './check.ts';
import { deleteAccount } from './delete-account.ts';
import { migrate } from './migrate.ts';

/** Operator commands, thin: read the words, open what is needed, call a room, print. Exit 2: no such user. */

const USAGE = `npm run admin -- delete-user --email ADDRESS [--json]   deletes an account and its files
npm run admin -- check [--json]                          holds ledger, files and generations against each other`;

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { email: { type: 'string' }, json: { type: 'boolean', default: false } },
});

const print = (json: object, text: string) => process.stdout.write(`${values.json ? JSON.stringify(json) : text}\n`);

async function runCommand(library: Library): Promise<number> {
  if (positionals[0] === 'delete-user' && values.email !== undefined) {
    const deleted = await deleteAccount(library, values.email);
    if (deleted === undefined) {
      print({ deleted: false }, 'There is no such user.');
      return 2;
    }
    print(deleted, `Deleted, with ${deleted.mediaDeleted} files and ${deleted.sessionsEnded} sessions.`);
    return 0;
  }
  if (positionals[0] === 'check') {
    const violations = await findViolations(library);
    print({ violations }, violations.length === 0 ? 'All is well.' : violations.join('\n'));
    return violations.length === 0 ? 0 : 1;
  }
  process.stderr.write(`${USAGE}\n`);
  return 64;
}

/** The database of the running product, or its own for as long as the command runs. */
async function withDatabaseUrl(config: Config, work: (url: string) => Promise<number>): Promise<number> {
  if (config.DATABASE_URL !== undefined) return work(config.DATABASE_URL);
  const { postgresPassword } = readOrMakeSecrets(config.DATA_DIR);
  const folder = join(config.DATA_DIR, 'postgres');
  const running = findRunningPostgres(folder, postgresPassword);
  if (running !== undefined) return work(running);
  const lock = lockInstance(config.DATA_DIR, 'plinth');
  const postgres = await startEmbeddedPostgres(folder, postgresPassword);
  try {
    await migrate(postgres.url);
    return await work(postgres.url);
  } finally {
    await postgres.stop();
    lock.release();
  }
}

const config = readConfig(environment());
process.exitCode = await withDatabaseUrl(config, async (url) => {
  const database = openDatabase(url, 4);
  try {
    return await runCommand({
      db: database.db,
      storage: openStorage(config),
      clock: systemClock,
      ttlSeconds: config.MEDIA_TTL_SECONDS,
      maxStorageBytes: config.MAX_STORAGE_BYTES,
    });
  } finally {
    await database.close();
  }
});
