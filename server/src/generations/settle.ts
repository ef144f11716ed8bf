import { CANCELED_SENTENCE, type FailureCode } from '@plinth/contract/generations';
import { sql } from 'kysely';
import { refundCredits } from '../credits/ledger.ts';
import { withdrawMedia } from '../media/deletion.ts';
import { insertMedia, type StoredResult } from '../media/library.ts';
import type { Clock } from '../platform/clock.ts';
import { type Db, transaction, type Tx } from '../platform/data/db.ts';
import { recordDeletion } from '../platform/data/deletions.ts';
import type { Row } from '../platform/data/rows.ts';
import type { Candidate, FetchedResult } from '../providers/provider.ts';
import { queueWebhooks } from '../webhooks/outbox.ts';
import { announceGeneration, getTool, toGeneration, type ViewSettings } from './generation-view.ts';

/** The only file that writes a generation's end state: a result, a refund, or a return with its refund. */

export type Ending =
  | ({ kind: 'succeeded'; stored: StoredResult } & Omit<FetchedResult, 'content'>)
  | { kind: 'failed'; code: Exclude<FailureCode, 'canceled'>; message: string; candidate?: Candidate | undefined }
  | { kind: 'canceled' };

/** Settings of ends without a result, which cannot be redone. */
export const withoutRedos = (library: Pick<ViewSettings, 'clock' | 'ttlSeconds'>): ViewSettings => ({
  ...library,
  freeRedos: () => 0,
});

/** Ends a generation. Returns false, without any effect, if it had already ended. */
export async function settleGeneration(
  db: Db,
  settings: ViewSettings,
  generationId: string,
  ending: Ending,
): Promise<boolean> {
  return transaction(db, (tx) => settleIn(tx, settings, generationId, ending));
}

/** Ends a generation in the caller's transaction. */
export async function settleIn(tx: Tx, settings: ViewSettings, generationId: string, ending: Ending): Promise<boolean> {
  const { clock } = settings;
  const error = toError(ending);
  const { words = null, placement = null } = ending.kind === 'succeeded' ? ending : {};
  const candidate = ending.kind === 'failed' ? ending.candidate : undefined;
  const ended = await sql<Row<'generations', 'id' | 'userId' | 'tool' | 'cost'>>`
    update generations set status = ${ending.kind}, finished_at = ${clock.now()}, percent = null,
      error_code = ${error?.code ?? null}, error_message = ${error?.message ?? null},
      understood = ${words?.understood ?? null}, not_drawn = ${words?.notDrawn ?? null},
      placement = ${placement}, candidate_box = ${candidate === undefined ? null : (candidate.box ?? [])}
    where id = ${generationId} and status in ('queued', 'running')
    returning id, user_id as "userId", tool, cost`.execute(tx);
  const generation = ended.rows[0];
  if (generation === undefined) return false;
  const { userId, cost } = generation;
  if (ending.kind === 'succeeded') {
    await insertMedia(tx, { userId, generationId }, getTool(generation.tool), ending.stored);
  } else if (cost > 0) {
    await refundCredits(tx, { userId, amount: cost, generationId });
  }
  const row = await announceGeneration(tx, generationId);
  await queueWebhooks(tx, userId, {
    event: 'generation.finished',
    now: clock.now(),
    data: () => toGeneration(row, settings),
  });
  return true;
}

/** Withdraws a result and its redos with a refund. The caller holds the lock and deletes the files after commit. */
export async function settleReturn(
  tx: Tx,
  clock: Clock,
  returned: { userId: string; generationId: string; cost: number },
): Promise<string[]> {
  const { userId, generationId, cost } = returned;
  const ended = await sql<Row<'generations', 'id'>>`
    update generations set returned_at = ${clock.now()}, understood = null, not_drawn = null
    where (id = ${generationId} or redo_of = ${generationId}) and status = 'succeeded' and returned_at is null
    returning id`.execute(tx);
  await refundCredits(tx, { userId, amount: cost, generationId });
  await recordDeletion(tx, 'return', generationId, clock.now());
  return withdrawMedia(
    tx,
    clock,
    userId,
    ended.rows.map(({ id }) => id),
  );
}

function toError(ending: Ending): { code: FailureCode; message: string } | null {
  if (ending.kind === 'succeeded') return null;
  if (ending.kind === 'canceled') return { code: 'canceled', message: CANCELED_SENTENCE };
  return { code: ending.code, message: ending.message };
}
