import { sql } from 'kysely';
import { newToken } from '../ids.ts';
import type { Db } from './db.ts';

/** Longer than the minute between two scrapes of Prometheus, so that the leader stays the same. */
const LEASE = '90 seconds';

/**
 * True if this process is the leader among those of one database. Each call renews the lease; once it expires, another
 * process takes over.
 */
export function makeLeaderCheck(db: Db): () => Promise<boolean> {
  const process = newToken();
  return async () => {
    const { numAffectedRows } = await sql`
      update leader set process = ${process}, leads_until = now() + ${LEASE}::interval
      where process = ${process} or leads_until < now()`.execute(db);
    return numAffectedRows === 1n;
  };
}
