import { setTimeout as sleep } from 'node:timers/promises';
import type { ErrorCode } from '@plinth/contract/errors';
import { Kysely, PostgresDialect, type PostgresPoolClient, type Transaction } from 'kysely';
import pg from 'pg';
import { AppError, ExpectedError } from '../errors.ts';

/** A running transaction: required by functions that change several rows or must roll back with their caller. */
export type Tx = Transaction<unknown>;
/**
 * The database outside of a transaction: functions that take it may begin one or make network calls. Reads and single
 * statements take `Db | Tx`.
 */
export type Db = Kysely<unknown> & { readonly isTransaction: false };

export type Database = { db: Db; pool: pg.Pool; url: string; close: () => Promise<void> };

// Our bigint columns are counters and sums far below 2^53.
pg.types.setTypeParser(pg.types.builtins.INT8, Number);
pg.types.setTypeParser(pg.types.builtins.NUMERIC, Number);

/** Time limits for a connection and for the answer to a statement. */
export const CONNECT_MS = 3000;
export const QUERY_MS = 10_000;

type DatabaseLimits = { maxConnections?: number; queryMs?: number };

/** Opens a pool of at most `maxConnections` connections; nothing connects before the first query. */
export function openDatabase(url: string, { maxConnections = 20, queryMs = QUERY_MS }: DatabaseLimits = {}): Database {
  const pool = new pg.Pool({
    connectionString: url,
    max: maxConnections,
    connectionTimeoutMillis: CONNECT_MS,
    // Normally the server times out first and the connection stays usable; the second limit is for a silent server.
    statement_timeout: queryMs - 500,
    query_timeout: queryMs,
    idle_in_transaction_session_timeout: 60_000,
  });
  // The pool replaces a broken connection and the query rejects. Without a listener the error would end the process.
  pool.on('error', () => undefined);
  pool.on('connect', (client) => client.on('error', () => undefined));
  const { options } = pool;
  const nameOf = makeStatementNames();
  const namingPool = { options, connect: async () => wrapClient(await pool.connect(), nameOf), end: () => pool.end() };
  const db = new Kysely<unknown>({ dialect: new PostgresDialect({ pool: namingPool }) }) as Db;
  return { db, pool, url, close: () => db.destroy() };
}

/** Uses after which a statement is prepared, and the most prepared ones: each takes memory in every connection. */
const PREPARED_AFTER = 5;
const MAX_PREPARED = 200;

/** Names frequent statements, so that each connection parses and plans them once. */
function makeStatementNames(): (text: string) => string | undefined {
  const statements = new Map<string, { times: number; name: string }>();
  return (text) => {
    const statement = statements.get(text);
    if (statement !== undefined) return (statement.times += 1) > PREPARED_AFTER ? statement.name : undefined;
    // Short ones begin and end transactions.
    if (statements.size < MAX_PREPARED && text.length > 20)
      statements.set(text, { times: 1, name: `s${statements.size}` });
    return undefined;
  };
}

/** Postgres cannot store a NUL character and rejects a parameter with one; its replacement matches no id. */
const toStorable = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(toStorable);
  return typeof value === 'string' ? value.replaceAll('\0', '\uFFFD') : value;
};

const READ_TIMEOUT = /Query read timeout/;

/** A connection whose server did not answer is discarded without a rollback. */
function wrapClient(client: pg.PoolClient, nameOf: (text: string) => string | undefined): PostgresPoolClient {
  let timeoutError: Error | undefined;
  const query = async (text: string, values: unknown[]) => {
    if (timeoutError !== undefined) throw timeoutError;
    try {
      const name = nameOf(text);
      const sent = { text, values: values.map(toStorable) };
      return await client.query(name === undefined ? sent : { name, ...sent });
    } catch (error) {
      if (error instanceof Error && READ_TIMEOUT.test(error.message)) timeoutError = error;
      throw error;
    }
  };
  return {
    // Kysely also supports cursors, which are not used here.
    query: query as unknown as PostgresPoolClient['query'],
    release: (destroy = false) => client.release(destroy || timeoutError !== undefined),
  };
}

/** A separate client outside the pool and its limits, not yet connected. */
export function makeClient(url: string, limits: pg.ClientConfig = {}): pg.Client {
  const client = new pg.Client({ connectionString: url, ...limits });
  // A broken connection rejects the query. Without a listener the error would end the process.
  client.on('error', () => undefined);
  return client;
}

/** Works on a separate connection and closes it. */
export async function withClient<Result>(
  url: string,
  work: (client: pg.Client) => Promise<Result>,
  limits?: pg.ClientConfig,
): Promise<Result> {
  const client = makeClient(url, limits);
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}

const FIRST_WAIT_MS = 250;
const MAX_WAIT_MS = 5000;

/** Resolves once the database accepts connections; `onWait` is called once. @throws ExpectedError if it rejects ours */
export async function waitForDatabase(url: string, onWait: () => void): Promise<void> {
  for (let attempt = 0; ; attempt += 1) {
    try {
      return await tryDatabase(url);
    } catch (error) {
      if (!(error instanceof ExpectedError && isDatabaseUnavailable(error.cause))) throw error;
      if (attempt === 0) onWait();
      await sleep(Math.min(FIRST_WAIT_MS * 2 ** Math.min(attempt, 10), MAX_WAIT_MS));
    }
  }
}

/** Connects once. @throws ExpectedError if that fails */
export async function tryDatabase(url: string): Promise<void> {
  try {
    await withClient(url, async () => undefined, { connectionTimeoutMillis: CONNECT_MS });
  } catch (cause) {
    const { message, code } = cause as Error & { code?: string };
    // Without a message where a name has several addresses and none answers.
    const reason = message || code || 'no answer';
    const { host } = new URL(url);
    throw new ExpectedError(`The database at ${host} cannot be used: ${reason}. Check DATABASE_URL.`, { cause });
  }
}

const RETRIED_CODES = new Set(['40001', '40P01']);

/** Runs `work` in one transaction; repeats it when Postgres broke a deadlock by choosing this one. */
export async function transaction<Result>(db: Db, work: (tx: Tx) => Promise<Result>): Promise<Result> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await db.transaction().execute(work);
    } catch (error) {
      if (attempt >= 4 || !RETRIED_CODES.has(postgresCode(error) ?? '')) throw error;
    }
  }
}

/** The row of a query that always has one, such as a count. @throws without a row */
export function onlyRow<Found>({ rows: [row] }: { rows: Found[] }): Found {
  if (row === undefined) throw new Error('a query without a row');
  return row;
}

/** The requested row. @throws AppError with this code if it does not exist */
export function getRow<Found>({ rows: [row] }: { rows: Found[] }, code: ErrorCode = 'not_found'): Found {
  if (row === undefined) throw new AppError(code);
  return row;
}

/** The SQLSTATE of a Postgres error, or undefined for anything else. */
export function postgresCode(error: unknown): string | undefined {
  return error instanceof pg.DatabaseError ? error.code : undefined;
}

/** The name of the constraint a Postgres error is about. */
export function violatedConstraint(error: unknown): string | undefined {
  return error instanceof pg.DatabaseError ? error.constraint : undefined;
}

const CONNECTION_ERRORS = new Set([
  ...['ECONNREFUSED', 'ECONNRESET', 'EPIPE', 'ETIMEDOUT', 'EHOSTUNREACH', 'ENETUNREACH'],
  ...['ENOTFOUND', 'EAI_AGAIN'], // The name server does not know the name, or does not answer.
]);
// A Unix socket does not exist while nobody listens, and is full while too many clients wait.
const SOCKET_ERRORS = new Set(['ENOENT', 'EAGAIN']);

// Messages of `pg` without a code, and of a closed Kysely.
const LOST_CONNECTION =
  /Connection terminated|^timeout expired$|timeout exceeded when trying to connect|Cannot use a pool after|driver has already been destroyed|is not queryable/;

/** True if the database is unreachable, silent or shutting down: the caller may retry later. */
export function isDatabaseUnavailable(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const { code, syscall } = error as { code?: unknown; syscall?: unknown };
  if (syscall === 'connect' && typeof code === 'string' && SOCKET_ERRORS.has(code)) return true;
  if (typeof code === 'string' && (CONNECTION_ERRORS.has(code) || /^(08|57P|53|57014)/.test(code))) return true;
  return READ_TIMEOUT.test(error.message) || LOST_CONNECTION.test(error.message);
}
