import { Kysely, PostgresDialect, type Transaction } from 'kysely';
import pg from 'pg';

export type Tx = Transaction<unknown>;
/** A connection pool or a running transaction: for reads and single statements. */
export type Db = Kysely<unknown>;

export type Database = { db: Db; pool: pg.Pool; url: string; close: () => Promise<void> };

// bigint columns here are counters and sums far below 2^53.
pg.types.setTypeParser(pg.types.builtins.INT8, Number);
pg.types.setTypeParser(pg.types.builtins.NUMERIC, Number);

/** Opens a pool of at most `maxConnections` connections; nothing connects before the first query. */
export function openDatabase(url: string, maxConnections = 20): Database {
  const pool = new pg.Pool({
    connectionString: url,
    max: maxConnections,
    connectionTimeoutMillis: 5000,
    statement_timeout: 30_000,
    idle_in_transaction_session_timeout: 60_000,
  });
  // A broken idle connection is replaced by the pool at the next query; without a listener it would end the process.
  pool.on('error', () => undefined);
  const db = new Kysely<unknown>({ dialect: new PostgresDialect({ pool }) });
  return { db, pool, url, close: () => db.destroy() };
}

const RETRIED = new Set(['40001', '40P01']);

/** Runs `work` in one transaction; repeats it when Postgres broke a deadlock by choosing this one. */
export async function transaction<Result>(db: Db, work: (tx: Tx) => Promise<Result>): Promise<Result> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await db.transaction().execute(work);
    } catch (error) {
      if (attempt >= 4 || !RETRIED.has(postgresCode(error) ?? '')) throw error;
    }
  }
}

/** The SQLSTATE of a Postgres error, or undefined for anything else. */
export function postgresCode(error: unknown): string | undefined {
  return error instanceof pg.DatabaseError ? error.code : undefined;
}

/** The name of the constraint a Postgres error is about. */
export function brokenConstraint(error: unknown): string | undefined {
  return error instanceof pg.DatabaseError ? error.constraint : undefined;
}

const CONNECTION_ERRORS = new Set(['ECONNREFUSED', 'ECONNRESET', 'ENOTFOUND', 'EPIPE', 'ETIMEDOUT']);

/** True when the database cannot be reached or is going down: the caller may try again later. */
export function isDatabaseAway(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const code = (error as { code?: unknown }).code;
  if (typeof code === 'string' && (CONNECTION_ERRORS.has(code) || /^(08|57P|53)/.test(code))) return true;
  return /Connection terminated|timeout exceeded when trying to connect|Cannot use a pool after/.test(error.message);
}
