import { sql } from 'kysely';
import { type Db, transaction } from '../platform/data/db.ts';
import { isJobOpen, listJobs, placeOfTurn, type Queue } from '../platform/data/queue.ts';
import type { Row } from '../platform/data/rows.ts';

export type Revival = 'retried' | 'has_job' | 'has_ended' | 'unknown';

/** Gives an open generation whose job is lost a new one; one that has ended keeps its result or refund. */
export async function reviveGeneration(db: Db, queue: Queue, generationId: string): Promise<Revival> {
  return transaction(db, async (tx) => {
    // Whoever revives it at the same moment waits here, and then sees the job.
    const found = await sql<Row<'generations', 'status' | 'turn'>>`
      select status, turn from generations where id = ${generationId} for update`.execute(tx);
    const generation = found.rows[0];
    if (generation === undefined) return 'unknown';
    const { status, turn } = generation;
    if (status !== 'queued' && status !== 'running') return 'has_ended';
    if ((await listJobs(tx, generationId)).some(isJobOpen)) return 'has_job';
    await queue.enqueueGeneration(tx, generationId, placeOfTurn(turn));
    return 'retried';
  });
}
