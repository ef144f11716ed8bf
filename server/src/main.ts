import { rmSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { App } from './app.ts';
import { migrate } from './commands/migrate.ts';
import { type Config, environment, readConfig } from './config.ts';
import { readOperatorCertificate } from './origin/certificate.ts';
import { systemClock } from './platform/clock.ts';
import { postgresCode, waitForDatabase } from './platform/data/db.ts';
import { startEmbeddedPostgres } from './platform/machine/embedded-postgres.ts';
import { type EngineOptions, type EngineProcess, startEngine } from './platform/machine/engine-process.ts';
import { ExpectedError } from './platform/errors.ts';
import { blameDataFolder, DataFolderError, openDataFolder } from './platform/machine/data-folder.ts';
import { lockInstance } from './platform/machine/instance-lock.ts';
import { surviveLostConnections } from './platform/machine/last-resort.ts';
import { createLog, type Log } from './platform/log.ts';
import { readOrMakeSecrets, type Secrets } from './platform/machine/secrets.ts';
import { sweepTmpFolder, tmpFolder } from './platform/machine/tmp-folder.ts';

/** Starts the configured roles and stops them cleanly. Every step that opens something registers its cleanup. */

const REPOSITORY = resolve(import.meta.dirname, '..', '..');
const say = (text: string) => process.stdout.write(`${text}\n`);
/** Exit code of a failed configuration: a restart is pointless (EX_CONFIG of sysexits.h). */
const REFUSED = 78;
/** Time limit of the app's shutdown, out of 9.5 s: the process exits despite a silent database. */
const APP_STOP_MS = 7000;
const closers: (() => unknown)[] = [];
const hold = (close: () => unknown) => void closers.push(close);
let stopping = false;

async function stop(exitCode: number): Promise<void> {
  if (stopping) return;
  stopping = true;
  const limit = setTimeout(() => process.exit(exitCode || 1), 9500);
  for (const close of closers.toReversed()) await Promise.resolve(close()).catch(() => undefined);
  clearTimeout(limit);
  process.exit(exitCode);
}

async function start(): Promise<void> {
  const config = readConfig(environment());
  // Report an unusable certificate before anything opens.
  readOperatorCertificate(config, systemClock.now());
  const log = createLog(config.LOG_LEVEL, config.ROLE);
  surviveLostConnections(log);
  openDataFolder(config.DATA_DIR);
  await open(config, log).catch((error: unknown) => {
    // Another machine's database has its own disk.
    const isElsewhere = config.DATABASE_URL !== undefined && postgresCode(error) !== undefined;
    throw isElsewhere ? error : blameDataFolder(config.DATA_DIR, error);
  });
}

/** Opens everything in the data folder, and serves. */
async function open(config: Config, log: Log): Promise<void> {
  if (config.ROLE !== 'web') {
    const lock = lockInstance(config.DATA_DIR);
    closers.push(() => lock.release());
    // With the embedded Postgres this process owns the folder; otherwise web processes may share it.
    if (config.DATABASE_URL === undefined) rmSync(tmpFolder(config.DATA_DIR), { recursive: true, force: true });
    // Photos left by engines of earlier versions.
    rmSync(join(config.DATA_DIR, 'engine'), { recursive: true, force: true });
  }
  closers.push(sweepTmpFolder(config.DATA_DIR));
  const secrets = readOrMakeSecrets(config.DATA_DIR);
  const getEngine = prepareEngine(config, secrets, log);
  const [databaseUrl, engine, { startApp }] = await Promise.all([
    openOwnDatabase(config, secrets, log),
    config.FAL_KEY === undefined && config.ROLE !== 'web' ? getEngine() : undefined,
    // Loading the whole product takes two thirds of a start, so faults are reported before.
    import('./app.ts'),
  ]);
  await migrate(databaseUrl);
  const app = await startApp({
    config,
    secrets,
    databaseUrl,
    clock: systemClock,
    log,
    engineUrl: engine?.baseUrl,
    getEngineUrl: async () => (await getEngine()).baseUrl,
    isEngineUp: () => engine?.isUp() ?? true,
    pagesDir: config.PAGES_DIR,
    checkpoint: async () => undefined,
  });
  closers.push(() => Promise.race([app.stop(), sleep(APP_STOP_MS)]));
  greet(config, app);
}

async function openOwnDatabase(config: Config, secrets: Secrets, log: Log): Promise<string> {
  if (config.DATABASE_URL !== undefined) {
    const { host } = new URL(config.DATABASE_URL);
    await waitForDatabase(config.DATABASE_URL, () =>
      process.stderr.write(`Waiting for the database at ${host}, which lets nobody in.\n`),
    );
    return config.DATABASE_URL;
  }
  const handleDeath = (how: string) => log.error({ how }, 'the embedded Postgres ended and is started again');
  const folder = join(config.DATA_DIR, 'postgres');
  return (await startEmbeddedPostgres(folder, secrets.postgresPassword, handleDeath, hold)).url;
}

/** Starts the engine on demand, in a process without one, at the first picture to be checked. */
function prepareEngine(config: Config, secrets: Secrets, log: Log): () => Promise<EngineProcess> {
  const options: EngineOptions = {
    repositoryDir: REPOSITORY,
    dataDir: config.DATA_DIR,
    key: secrets.engineKey,
    environment: environment(),
    log,
    registerStop: hold,
  };
  let starting: Promise<EngineProcess> | undefined;
  return () => {
    if (starting === undefined) {
      starting = startEngine(options);
      starting.catch(() => (starting = undefined));
    }
    return starting;
  };
}

function greet(config: Config, { demo, port }: App): void {
  if (config.ROLE !== 'worker') {
    const origin = config.PUBLIC_ORIGIN ?? `http://localhost:${port}`;
    say(`\nPlinth is ready: ${origin}`);
    if (demo !== undefined) {
      say('Sign in with the Google button (a local stand-in), or with the demo account by this link:');
      say(`${origin}/login#demo=${demo.password} (${demo.email}, code ${demo.password})`);
    }
    if (config.isProduction && config.DATABASE_URL === undefined) {
      say('Note: the embedded Postgres is made for one machine. Set DATABASE_URL for anything larger.');
    }
    say('Stop it with Ctrl-C.\n');
  }
  const ready = { event: 'listening', port };
  say(JSON.stringify(ready));
  process.send?.(ready);
}

process.on('SIGTERM', () => void stop(0));
process.on('SIGINT', () => void stop(0));
// The parent script is gone without a signal, so nothing would stop this process.
process.on('disconnect', () => void stop(0));
try {
  await start();
} catch (error) {
  const refusal = findRefusal(error);
  // A start that is interrupted by a signal cleans up; that is not an error.
  if (!stopping) process.stderr.write(`${refusal ?? (error instanceof Error ? error.stack : String(error))}\n`);
  await stop(refusal === undefined || error instanceof DataFolderError ? 1 : REFUSED);
}

/** Formats an expected error as one line, any other with its stack trace. */
function findRefusal(error: unknown): string | undefined {
  return error instanceof ExpectedError ? error.message : undefined;
}
