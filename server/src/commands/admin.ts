import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { deleteAccount } from '../account/deletion.ts';
import { findAccount } from '../auth/accounts.ts';
import { type Config, ConfigError, environment, readConfig } from '../config.ts';
import type { Library } from '../media/library.ts';
import { openStorage } from '../platform/storage.ts';
import { systemClock } from '../platform/clock.ts';
import { openDatabase } from '../platform/db.ts';
import { findRunningPostgres, startEmbeddedPostgres } from '../platform/embedded-postgres.ts';
import { lockInstance } from '../platform/instance-lock.ts';
import { readOrMakeSecrets } from '../platform/secrets.ts';
import { findViolations } from './check.ts';
import { examine, toLines } from './doctor.ts';
import { changeEngineModel } from './engine-model-command.ts';
import { migrate } from './migrate.ts';
import { isPurchaseCommand, runPurchaseCommand } from './purchases-command.ts';

/**
 * Operator commands, thin: read the words, open what is needed, call a room, print. Exit 1: violations or faults were
 * found, or a network was refused; 2: no such user; 3: the licence was not accepted; 64: words that say nothing; 70: it could not be
 * done.
 */

const USAGE = `npm run admin -- delete-user --email ADDRESS [--json]   deletes an account and its files
npm run admin -- check [--json]                          holds ledger, files and generations against each other
npm run admin -- doctor [--json]                         says what is configured and tries every connection
npm run admin -- purchases --review [--json]             lists payments that a person has to look at
npm run admin -- approve PURCHASE [--json]               gives the credits of a payment under review
npm run admin -- reject PURCHASE [--json]                ends it without credits; the money is given back by hand
npm run admin -- reconcile [--json]                      asks the payment company about purchases that stay pending
npm run admin -- engine-model install isnet [--accept-licence] [--from FILE.tgz] [--json]
                                                         gives the built-in engine IS-Net to cut products out with
npm run admin -- engine-model install FILE --preset NAME [--sha256 HEX] [--json]
                                                         gives it a network of your own
                                                         (or --size 1024 --mean R,G,B --deviation R,G,B
                                                         --sigmoid true|false --stretch true|false)
npm run admin -- engine-model remove [--json]            goes back to the engine's own method`;

const { values, positionals } = readWords();

function readWords() {
  try {
    return parseArgs({
      allowPositionals: true,
      options: {
        help: { type: 'boolean', default: false },
        email: { type: 'string' },
        review: { type: 'boolean', default: false },
        json: { type: 'boolean', default: false },
        preset: { type: 'string' },
        size: { type: 'string' },
        mean: { type: 'string' },
        deviation: { type: 'string' },
        sigmoid: { type: 'string' },
        stretch: { type: 'string' },
        sha256: { type: 'string' },
        from: { type: 'string' },
        'accept-licence': { type: 'boolean', default: false },
      },
    });
  } catch (error) {
    process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n${USAGE}\n`);
    process.exit(64);
  }
}

const print = (json: object, text: string) => process.stdout.write(`${values.json ? JSON.stringify(json) : text}\n`);

async function runCommand(config: Config, library: Library): Promise<number> {
  const words = { positionals, isReview: values.review };
  if (isPurchaseCommand(words)) return runPurchaseCommand(config, library, words, print);
  if (values.email !== undefined) {
    const account = await findAccount(library.db, values.email);
    const deleted = account && (await deleteAccount(library, account.id));
    if (deleted === undefined) {
      print({ deleted: false }, 'There is no such user.');
      return 2;
    }
    const left = deleted.filesLeft === 0 ? '' : ` ${deleted.filesLeft} files follow when the storage is back.`;
    print(deleted, `Deleted, with ${deleted.mediaDeleted} results and ${deleted.sessionsEnded} sessions.${left}`);
    return 0;
  }
  const violations = await findViolations(library);
  print({ violations }, violations.length === 0 ? 'All is well.' : violations.join('\n'));
  return violations.length === 0 ? 0 : 1;
}

async function runDoctor(): Promise<number> {
  const checks = await examine(environment());
  const isWell = checks.every(({ state }) => state !== 'fault');
  print({ ok: isWell, checks }, toLines(checks));
  return isWell ? 0 : 1;
}

async function runEngineModel(config: Config): Promise<number> {
  const [, action, source] = positionals;
  const words = {
    action,
    source,
    from: values.from,
    sha256: values.sha256,
    hasAccepted: values['accept-licence'],
    settings: readMattingSettings(),
  };
  const code = await changeEngineModel(config, words, print);
  if (code === 64) process.stderr.write(`${USAGE}\n`);
  return code;
}

/** The options of the command line as the engine's settings of the same names. */
function readMattingSettings(): Record<string, string> {
  const names = ['preset', 'size', 'mean', 'deviation', 'sigmoid', 'stretch'] as const;
  const given = names.filter((name) => values[name] !== undefined);
  return Object.fromEntries(given.map((name) => [`ENGINE_MATTING_${name.toUpperCase()}`, values[name] ?? '']));
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

async function withLibrary(config: Config, work: (library: Library) => Promise<number>): Promise<number> {
  return withDatabaseUrl(config, async (url) => {
    const database = openDatabase(url, { maxConnections: 4, queryMs: 600_000 });
    try {
      return await work({
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
}

async function runWords(): Promise<number> {
  const [command, ...more] = positionals;
  if (values.help) {
    process.stdout.write(`${USAGE}\n`);
    return 0;
  }
  // What does not answer in time is not waited for.
  if (command === 'doctor' && more.length === 0) process.exit(await runDoctor());
  const isCheck = command === 'check' && values.email === undefined;
  const isDeletion = command === 'delete-user' && values.email !== undefined;
  const isKnown =
    ((isCheck || isDeletion) && more.length === 0) || isPurchaseCommand({ positionals, isReview: values.review });
  if (command !== 'engine-model' && !isKnown) {
    process.stderr.write(`${USAGE}\n`);
    return 64;
  }
  const config = readConfig(environment());
  if (command === 'engine-model') return runEngineModel(config);
  if (config.DATABASE_URL === undefined && !existsSync(config.DATA_DIR)) {
    throw new ConfigError(`The data folder ${config.DATA_DIR} does not exist. Set DATA_DIR to that of the product.`);
  }
  return withLibrary(config, (library) => runCommand(config, library));
}

try {
  process.exitCode = await runWords();
} catch (error) {
  const text = error instanceof ConfigError ? error.message : error instanceof Error ? error.stack : String(error);
  process.stderr.write(`${text}\n`);
  process.exitCode = 70;
}
