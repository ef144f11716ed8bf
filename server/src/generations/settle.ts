import { CANCELED_SENTENCE, type FailureCode } from '@plinth/contract/generations';
import { sql } from 'kysely';
import { refundCredits } from '../credits/ledger.ts';
import { insertMedia, type StoredResult } from '../media/library.ts';
import type { Clock } from '../platform/clock.ts';
import { type Db, transaction, type Tx } from '../platform/db.ts';
import { announceGeneration, getTool } from './generation-view.ts';

/** The one file that writes a generation's end: succeeded with its media row, or failed or canceled with its refund. */

export type Ending =
  | { kind: 'succeeded'; stored: StoredResult }
  | { kind: 'failed'; code: Exclude<FailureCode, 'canceled'>; message: string }
  | { kind: 'canceled' };

type OpenGeneration = { id: string; userId: string; tool: string; cost: number };

/** Ends a generation. False when it had ended before: then nothing changes. */
export async function settleGeneration(db: Db, clock: Clock, generationId: string, ending: Ending): Promise<boolean> {
  return transaction(db, (tx) => settleIn(tx, clock, generationId, ending));
}

/** The same in the caller's transaction. */
export async function settleIn(tx: Tx, clock: Clock, generationId: string, ending: Ending): Promise<boolean> {
  const error = toError(ending);
  const ended = await sql<OpenGeneration>`
    update generations set status = ${ending.kind}, finished_at = ${clock.now()}, percent = null,
      error_code = ${error?.code ?? null}, error_message = ${error?.message ?? null}
    where id = ${generationId} and status in ('queued', 'running')
    returning id, user_id as "userId", tool, cost`.execute(tx);
  const generation = ended.rows[0];
  if (generation === undefined) return false;
  const { userId, cost } = generation;
  if (ending.kind === 'succeeded') {
    await insertMedia(tx, clock, { userId, generationId }, getTool(generation.tool), ending.stored);
  } else {
    await refundCredits(tx, { userId, amount: cost, generationId });
  }
  await announceGeneration(tx, generationId);
  return true;
}

function toError(ending: Ending): { code: FailureCode; message: string } | null {
  if (ending.kind === 'succeeded') return null;
  if (ending.kind === 'canceled') return { code: 'canceled', message: CANCELED_SENTENCE };
  return { code: ending.code, message: ending.message };
}
