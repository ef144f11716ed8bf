import { sql } from 'kysely';
import { newToken } from '../ids.ts';
import type { Db } from './db.ts';

/** Longer than the minute that Prometheus leaves between two questions, so that whoever leads goes on leading. */
const LEASE = '90 seconds';

/**
 * Of all processes on one database one leads, for as long as it goes on asking whether it does. Another one takes over
 * once the lease is over.
 */
export function makeLeads(db: Db): () => Promise<boolean> {
  const process = newToken();
  return async () => {
    const { numAffectedRows } = await sql`
      update leader set process = ${process}, leads_until = now() + ${LEASE}::interval
      where process = ${process} or leads_until < now()`.execute(db);
    return numAffectedRows === 1n;
  };
}
