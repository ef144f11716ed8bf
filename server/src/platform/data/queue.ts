import { sql } from 'kysely';
import { fromKysely, PgBoss } from 'pg-boss';
import { CONNECT_MS, type Db, onlyRow, QUERY_MS, type Tx } from './db.ts';
import { AppError } from '../errors.ts';
import type { Log } from '../log.ts';
import type { Row } from './rows.ts';
import { continueTrace, findTraceparent, withinTrace } from '../trace.ts';

const QUEUE = 'generation';
const RETRIES = {
  retryLimit: 100,
  retryDelay: 1,
  retryBackoff: true,
  retryDelayMax: 30,
  // The heartbeat of a killed worker stops; another worker takes over its job after this time.
  heartbeatSeconds: 10,
  expireInSeconds: 3600,
  notify: true,
};

const RUN_ITEM_OFFSET = 1_000_000;

/** The queue position of a generation with this turn; null for a single one, which precedes all items of runs. */
export const positionOfTurn = (turn: number | null): number => (turn === null ? 0 : RUN_ITEM_OFFSET + turn);

/** The durable queue. Its payload is a generation id and the trace of the request; the row is authoritative. */
export type Queue = Awaited<ReturnType<typeof openQueue>>;

/** Connects to the queue in the database; `supervises`: this process monitors heartbeats. */
export async function openQueue(databaseUrl: string, options: { supervises: boolean; log: Log }) {
  // Missing in its type, but passed on to the pool.
  const connection = {
    connectionString: databaseUrl,
    max: 4,
    connectionTimeoutMillis: CONNECT_MS,
    query_timeout: QUERY_MS,
  };
  const boss = new PgBoss({
    ...connection,
    supervise: options.supervises,
    superviseIntervalSeconds: 1,
    monitorIntervalSeconds: 1,
    schedule: false,
    useListenNotify: true,
  });
  let up = true;
  boss.on('error', (error) => options.log.error({ err: error }, 'queue'));
  await boss.start();
  await boss.createQueue(QUEUE, RETRIES);
  return {
    /**
     * Adds a job in the caller's transaction. Ordered by `position`, then by age.
     * @throws AppError temporarily_unavailable during shutdown
     */
    enqueueGeneration: async (tx: Tx, generationId: string, position: number): Promise<void> => {
      const data = { generationId, traceparent: findTraceparent() };
      await boss.send(QUEUE, data, { db: fromKysely(tx), priority: -position }).catch((cause: unknown) => {
        if (up) throw cause;
        throw new AppError('temporarily_unavailable', { cause, retryAfterSeconds: 5 });
      });
    },
    /** Runs `handle` for each job, at most `slots` at a time. A throw returns the job to the queue. */
    workGenerations: async (slots: number, handle: (generationId: string) => Promise<void>): Promise<void> => {
      await boss.work<{ generationId: string; traceparent?: string }>(
        QUEUE,
        {
          localConcurrency: slots,
          pollingIntervalSeconds: 0.5,
          notifyPollingIntervalSeconds: 0.5,
          heartbeatRefreshSeconds: 3,
        },
        async ([job]) => {
          if (job === undefined) return;
          const { generationId, traceparent } = job.data;
          await withinTrace(continueTrace(traceparent), () => handle(generationId));
        },
      );
    },
    isUp: () => up,
    /** Stops taking jobs and waits up to `graceMs` for running ones; others are resumed by another worker. */
    stop: async (graceMs: number): Promise<void> => {
      up = false;
      await boss.stop({ graceful: graceMs > 0, timeout: Math.max(graceMs, 1), close: true });
    },
  };
}

/** Ids of unfinished generations without a job (one that failed finally), oldest first. */
export async function listGenerationsWithoutJob(db: Db, olderThan: Date): Promise<string[]> {
  const found = await sql<Row<'generations', 'id'>>`
    select g.id from queued_generations g
    where g.status in ('queued', 'running') and g.created_at < ${olderThan}
      and not exists (
        select 1 from pgboss.job j
        where j.name = ${QUEUE} and j.data ->> 'generationId' = g.id and j.state in ('created', 'retry', 'active'))
    order by g.created_at limit 100`.execute(db);
  return found.rows.map(({ id }) => id);
}

/**
 * The number of waiting generations, and the queue's delay: the wait of the oldest single one. Items of runs wait for
 * each other, so for them it is the time since one was begun.
 */
export async function measureQueue(db: Db): Promise<{ depth: number; delaySeconds: number }> {
  const found = await sql<{ depth: number; delaySeconds: number }>`
    select depth, coalesce(extract(epoch from
      greatest(now() - single, case when item is not null then now() - greatest(item, begun) end)), 0) as "delaySeconds"
    from (
      select count(*) filter (where status = 'queued') as depth,
        min(created_at) filter (where status = 'queued' and turn is null) as single,
        min(created_at) filter (where status = 'queued' and turn is not null) as item,
        max(started_at) filter (where status = 'running') as begun
      from queued_generations where status in ('queued', 'running')) waiting`.execute(db);
  return onlyRow(found);
}

/** One job of the queue for a generation. */
type Job = { state: string; tries: number; madeAt: Date; startsAfter: Date; heartbeatAt: Date | null };

/** The jobs of a generation that the queue still has, oldest first. */
export async function listJobs(db: Db | Tx, generationId: string): Promise<Job[]> {
  const found = await sql<Job>`
    select state, retry_count as tries, created_on as "madeAt", start_after as "startsAfter", heartbeat_on as "heartbeatAt"
    from pgboss.job where name = ${QUEUE} and data ->> 'generationId' = ${generationId}
    order by created_on`.execute(db);
  return found.rows;
}

/** True while the generation has a job that waits, will be retried or is being worked on. */
export const isJobOpen = ({ state }: Job): boolean => ['created', 'retry', 'active'].includes(state);

/** The number of jobs per state. */
export async function countJobs(db: Db): Promise<Record<string, number>> {
  const found = await sql<{ state: string; jobs: number }>`
    select state, count(*) as jobs from pgboss.job where name = ${QUEUE} group by state order by state`.execute(db);
  return Object.fromEntries(found.rows.map(({ state, jobs }) => [state, jobs]));
}
