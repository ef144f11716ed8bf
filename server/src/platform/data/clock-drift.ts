import { sql } from 'kysely';
import type { Clock } from '../clock.ts';
import type { Db } from './db.ts';

/** Signed messages are accepted within 300 s: a clock that is off by more would reject every payment. */
export const DRIFT_WARN_SECONDS = 10;
export const DRIFT_UNREADY_SECONDS = 60;

/** Seconds by which our clock is ahead of the database's, without the query's own duration. */
export async function measureDrift(db: Db, clock: Clock): Promise<number> {
  const before = clock.now().getTime();
  const found = await sql<{ now: Date }>`select clock_timestamp() as now`.execute(db);
  const after = clock.now().getTime();
  const databaseTime = found.rows[0]?.now.getTime() ?? before;
  const ahead = databaseTime < before ? before - databaseTime : databaseTime > after ? after - databaseTime : 0;
  return ahead / 1000;
}
