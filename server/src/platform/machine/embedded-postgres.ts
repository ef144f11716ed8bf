import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { existsSync, lchownSync, readFileSync } from 'node:fs';
import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { withClient } from '../data/db.ts';
import { ExpectedError } from '../errors.ts';
import { openDataFolder } from './data-folder.ts';
import { keepAlive, type KeepAliveOptions } from './keep-alive.ts';
import { freePort } from './ports.ts';
import { chownFolder, findIdentity, type Identity } from './postgres-account.ts';
import { findPrograms } from './postgres-programs.ts';
import { findCommand, isAlive } from './processes.ts';

/** Postgres from npm packages, started and stopped with the product; its files are in the data folder. */

const run = promisify(execFile);
const SUPERUSER = 'plinth';
const DATABASE = 'plinth';
/** Time limit of creating a new database cluster. */
const INIT_MS = 120_000;
/** Postgres' error code while starting or recovering (cannot_connect_now). */
const IS_STARTING = '57P03';

/**
 * Starts Postgres on the data folder, which is created if missing; restarts it at the same address after a crash.
 * @param registerStop see `KeepAliveOptions`
 */
export async function startEmbeddedPostgres(
  folder: string,
  password: string,
  onExit: (how: string) => void = () => undefined,
  registerStop?: KeepAliveOptions['registerStop'],
): Promise<{ url: string; stop: () => Promise<void> }> {
  const programs = await findPrograms();
  const identity = findIdentity(folder, programs);
  openDataFolder(folder, 0o700);
  const data = join(folder, 'data');
  const cluster = { folder, data, programs, identity };
  if (identity.account !== undefined) chownFolder(identity.account, folder, data);
  if (!existsSync(join(data, 'PG_VERSION')) || existsSync(join(folder, 'incomplete')))
    await makeCluster(cluster, password, registerStop);
  await endStaleServer(data);
  const port = await freePort();
  const stop = await keepAlive({
    spawn: () => startServer(cluster, port),
    start: (launch) => startUntilReady(launch, toUrl(port, password, 'postgres')),
    pauseMs: 200,
    // The first signal rolls back open transactions and flushes data; the second does neither.
    signals: ['SIGINT', 'SIGQUIT'],
    onExit,
    registerStop,
  });
  await makeDatabase(toUrl(port, password, 'postgres'));
  return { url: toUrl(port, password), stop };
}

const toUrl = (port: number, password: string, database = DATABASE): string =>
  `postgres://${SUPERUSER}:${encodeURIComponent(password)}@127.0.0.1:${port}/${database}`;

/** The address of a Postgres that already runs on this folder, or undefined. */
export function findRunningPostgres(folder: string, password: string): string | undefined {
  const running = readPostmaster(join(folder, 'data'));
  if (running === undefined || !isPostgresOn(running.pid, join(folder, 'data'))) return undefined;
  return toUrl(running.port, password);
}

type Cluster = { folder: string; data: string; programs: string; identity: Identity };

async function makeCluster(
  cluster: Cluster,
  password: string,
  registerStop: KeepAliveOptions['registerStop'],
): Promise<void> {
  const { folder, data, identity } = cluster;
  // A crash during creation leaves this mark, so that the next start begins anew.
  await writeFile(join(folder, 'incomplete'), '');
  await rm(data, { recursive: true, force: true });
  const passwordFile = join(folder, 'password');
  await writeFile(passwordFile, password, { mode: 0o600 });
  if (identity.account !== undefined) lchownSync(passwordFile, identity.account.uid, identity.account.gid);
  const [program, parameters, options] = asAccount(cluster, 'initdb', [
    ...[`--pgdata=${data}`, `--username=${SUPERUSER}`, `--pwfile=${passwordFile}`, '--auth=scram-sha-256'],
    ...['--encoding=UTF8', '--locale=C', '--no-instructions'],
  ]);
  const initdb = run(program, parameters, { ...options, timeout: INIT_MS, killSignal: 'SIGKILL' });
  registerStop?.(async () => {
    initdb.child.kill('SIGKILL');
    await initdb;
  });
  await initdb;
  await rm(passwordFile);
  await rm(join(folder, 'incomplete'));
}

/** Starts a program as the account that runs Postgres. */
function asAccount({ programs, identity: { account, prefix } }: Cluster, program: string, parameters: string[]) {
  const [first = program, ...rest] = [...prefix, join(programs, program), ...parameters];
  const env: NodeJS.ProcessEnv = { LC_ALL: 'C', PATH: '/usr/bin:/bin', TZ: 'UTC' };
  return [first, rest, { cwd: '/', env, ...(prefix.length === 0 && account) }] as const;
}

function readPostmaster(data: string): { pid: number; port: number } | undefined {
  try {
    const [pid, , , port] = readFileSync(join(data, 'postmaster.pid'), 'utf8').split('\n');
    return { pid: Number(pid), port: Number(port) };
  } catch {
    return undefined;
  }
}

/** True if this pid is certainly the Postgres of this folder: pids are reused. */
function isPostgresOn(pid: number, data: string): boolean {
  const command = `${findCommand(pid) ?? ''} `;
  return command.includes('postgres') && command.includes(` -D ${data} `);
}

/** Ends a Postgres that outlived a killed product: its port and its parent are gone. */
async function endStaleServer(data: string): Promise<void> {
  const running = readPostmaster(data);
  if (running === undefined) return;
  for (const signal of ['SIGINT', 'SIGQUIT'] as const) {
    if (!isPostgresOn(running.pid, data)) return;
    process.kill(running.pid, signal);
    for (let tries = 0; tries < 100 && isPostgresOn(running.pid, data); tries += 1) await sleep(50);
  }
}

/** Rewrites a stale pid file whose pid another process has now, which Postgres would take for a running server. */
function stalePidEnvironment(data: string): { PG_GRANDPARENT_PID?: string } {
  const pid = readPostmaster(data)?.pid;
  return pid !== undefined && isAlive(pid) && !isPostgresOn(pid, data) ? { PG_GRANDPARENT_PID: String(pid) } : {};
}

// After kill -9 of everything, old backends hold the shared memory for up to two seconds, so the start is retried.
async function startUntilReady(launch: () => ChildProcess, url: string): Promise<ChildProcess> {
  let problem = '';
  for (let attempt = 0; attempt < 30; attempt += 1) {
    const server = launch();
    let output = '';
    server.stderr?.on('data', (chunk: Buffer) => (output = (output + chunk.toString()).slice(-2000)));
    if (await isReady(server, url)) {
      server.stderr?.removeAllListeners('data').resume();
      return server;
    }
    problem = output;
    await sleep(300);
  }
  throw new ExpectedError(`The embedded Postgres did not start. ${problem.trim().split('\n').at(-1) ?? ''}`);
}

function startServer(cluster: Cluster, port: number): ChildProcess {
  const settings = {
    listen_addresses: '127.0.0.1',
    port: String(port),
    unix_socket_directories: '',
    max_connections: '200',
    shared_buffers: '64MB',
    dynamic_shared_memory_type: 'mmap',
    // Recovering by itself on a full disk, 18.4 hung in 1 of 2 tries; after a restart 16 of 16 recovered.
    restart_after_crash: 'off',
    logging_collector: 'off',
    log_min_messages: 'fatal',
  };
  const parameters = Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
  const [program, rest, options] = asAccount(cluster, 'postgres', ['-D', cluster.data, ...parameters]);
  // Its own process group, so that Ctrl-C reaches only us and we end it after our last query.
  const env = { ...options.env, ...stalePidEnvironment(cluster.data) };
  return spawn(program, rest, { ...options, env, stdio: ['ignore', 'ignore', 'pipe'], detached: true });
}

/** True once the server accepts connections, false if it ended. Waits for a starting one and kills a silent one. */
async function isReady(server: ChildProcess, url: string): Promise<boolean> {
  let ended = false;
  server.once('exit', () => (ended = true)).once('error', () => (ended = true));
  for (let failures = 0; failures < 400 && !ended; failures += 1) {
    try {
      return await withClient(url, async () => true, { connectionTimeoutMillis: 2000 });
    } catch (error) {
      if ((error as { code?: unknown }).code === IS_STARTING) failures = 0;
      await sleep(25);
    }
  }
  if (!ended) server.kill('SIGKILL');
  return false;
}

function makeDatabase(url: string): Promise<void> {
  return withClient(url, async (client) => {
    const found = await client.query('select 1 from pg_database where datname = $1', [DATABASE]);
    if (found.rowCount === 0) await client.query(`create database ${DATABASE}`);
  });
}
