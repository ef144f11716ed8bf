import { isToolId } from '@plinth/contract/tools';
import { sql } from 'kysely';
import { type Db, transaction, type Tx } from '../platform/data/db.ts';
import { AppError } from '../platform/errors.ts';
import type { Row } from '../platform/data/rows.ts';
import { announceGeneration, type ViewSettings } from './generation-view.ts';
import { settleIn } from './settle.ts';

type CancelOutcome = 'canceled' | 'requested';

/** Cancels a waiting generation at once; requests it of a running one. @throws AppError not_found, not_cancelable */
export async function cancelGeneration(
  db: Db,
  settings: ViewSettings,
  userId: string,
  generationId: string,
): Promise<CancelOutcome> {
  return transaction(db, async (tx) => {
    const found = await sql<Row<'generations', 'status' | 'tool' | 'cancelRequested'>>`
      select status, tool, cancel_requested as "cancelRequested" from generations
      where id = ${generationId} and user_id = ${userId} for update`.execute(tx);
    const generation = found.rows[0];
    if (generation === undefined || !isToolId(generation.tool)) throw new AppError('not_found');
    const { status, cancelRequested } = generation;
    if (status === 'canceled') return 'canceled';
    if (status !== 'queued' && status !== 'running') throw new AppError('not_cancelable');
    if (!cancelRequested) await cancelOpen(tx, settings, { id: generationId, status });
    return status === 'queued' ? 'canceled' : 'requested';
  });
}

type OpenItem = Row<'generations', 'id' | 'status'>;

/** Ends a waiting generation; a running one ends as soon as its worker notices. */
async function cancelOpen(tx: Tx, settings: ViewSettings, { id, status }: OpenItem): Promise<void> {
  await sql`update generations set cancel_requested = true where id = ${id}`.execute(tx);
  if (status === 'queued') await settleIn(tx, settings, id, { kind: 'canceled' });
  else await announceGeneration(tx, id);
}

/** Locks a run's unfinished generations until the transaction ends. */
export async function lockRunGenerations(tx: Tx, runId: string): Promise<OpenItem[]> {
  const open = await sql<OpenItem>`
    select id, status from generations
    where run_id = ${runId} and status in ('queued', 'running') and not cancel_requested
    order by id for update`.execute(tx);
  return open.rows;
}

/** Cancels a run's waiting generations at once and requests it of running ones. */
export async function cancelRunGenerations(tx: Tx, settings: ViewSettings, runId: string): Promise<void> {
  for (const item of await lockRunGenerations(tx, runId)) await cancelOpen(tx, settings, item);
}
