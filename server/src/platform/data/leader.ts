import type pg from 'pg';
import { CONNECT_MS, makeClient } from './db.ts';

// Any fixed number; migrations have another.
const LEADER_LOCK = 7_310_558;
const ANSWER_MS = 2000;

export type Leadership = {
  /** True if this process holds the leader lock; takes it when it is free. */
  leads: () => Promise<boolean>;
  resign: () => Promise<void>;
};

/**
 * Of all processes on one database one leads: the one whose connection holds a lock. It lasts as long as the
 * connection, so a process that dies, or that the database does not hear any more, gives it up by that.
 */
export function openLeadership(databaseUrl: string): Leadership {
  let held: pg.Client | undefined;
  let asking: Promise<boolean> | undefined;

  const holds = async (): Promise<boolean> => {
    try {
      return (await held?.query('select 1')) !== undefined;
    } catch {
      return false;
    }
  };
  const ask = async (): Promise<boolean> => {
    if (await holds()) return true;
    void held?.end().catch(() => undefined);
    held = undefined;
    const limits = { keepAlive: true, connectionTimeoutMillis: CONNECT_MS, query_timeout: ANSWER_MS };
    const client = makeClient(databaseUrl, limits);
    try {
      await client.connect();
      const answer = await client.query<{ leads: boolean }>('select pg_try_advisory_lock($1) as leads', [LEADER_LOCK]);
      if (answer.rows[0]?.leads === true) held = client;
    } finally {
      // One that is given up must not be given the lock later.
      if (held !== client) void client.end().catch(() => undefined);
    }
    return held !== undefined;
  };
  return {
    leads: () => {
      asking ??= ask().finally(() => (asking = undefined));
      return asking;
    },
    resign: async () => {
      await held?.end().catch(() => undefined);
    },
  };
}
