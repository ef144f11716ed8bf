import { sql } from 'kysely';
import { type Db, transaction } from '../platform/data/db.ts';
import { isJobOpen, listJobs, positionOfTurn, type Queue } from '../platform/data/queue.ts';
import type { Row } from '../platform/data/rows.ts';

export type Revival = 'retried' | 'has_job' | 'has_ended' | 'unknown';

/** Enqueues an unfinished generation again if its job is lost; one that has ended keeps its result or refund. */
export async function reviveGeneration(db: Db, queue: Queue, generationId: string): Promise<Revival> {
  return transaction(db, async (tx) => {
    // A concurrent revival waits here and then finds the job.
    const found = await sql<Row<'generations', 'status' | 'turn'>>`
      select status, turn from generations where id = ${generationId} for update`.execute(tx);
    const generation = found.rows[0];
    if (generation === undefined) return 'unknown';
    const { status, turn } = generation;
    if (status !== 'queued' && status !== 'running') return 'has_ended';
    if ((await listJobs(tx, generationId)).some(isJobOpen)) return 'has_job';
    await queue.enqueueGeneration(tx, generationId, positionOfTurn(turn));
    return 'retried';
  });
}
