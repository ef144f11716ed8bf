import type { ReturnReason } from '@plinth/contract/generations';
import { RETURNS_DAYS } from '@plinth/contract/limits';
import { type ToolId } from '@plinth/contract/tools';
import { sql } from 'kysely';
import { lockCredits } from '../credits/ledger.ts';
import { expiryLimit, type Library } from '../media/library.ts';
import { type Clock, secondsAfter } from '../platform/clock.ts';
import { type Db, onlyRow, type Tx } from '../platform/data/db.ts';
import { AppError } from '../platform/errors.ts';
import { type Answered, type IdempotentRequest, once } from '../platform/http/idempotency.ts';
import type { Row } from '../platform/data/rows.ts';
import { removeFiles } from '../platform/data/storage.ts';
import { type GenerationRow, getOwnRow, isFresh, toGeneration, type ViewSettings } from './generation-view.ts';
import { lockOriginal } from './redo.ts';
import { settleReturn } from './settle.ts';

/** Returns of unusable results for a refund: once per result, soon after it, and a limited number of times. */

export type ReturnOptions = {
  library: Library;
  /** Returns per user in 30 days. */
  returnsPerMonth: number;
  /** True if this tool's results can be returned: those of a hosted provider cost money. */
  isReturnable: (tool: ToolId) => boolean;
};

/** Takes a result back and refunds it. @throws AppError not_found, return_not_possible */
export async function returnGeneration(
  options: ReturnOptions & ViewSettings,
  returned: { request: IdempotentRequest; generationId: string; reason: ReturnReason },
): Promise<Answered> {
  const { library } = options;
  const { request, generationId, reason } = returned;
  const { userId } = request;
  let files: string[] = [];
  const answered = await once(library.db, request, async (tx) => {
    const { redone: row } = await lockOriginal(tx, userId, generationId);
    // Serialise a user's returns: two at once could exceed the limit together.
    await lockCredits(tx, userId);
    if (!(await canReturn(tx, options, row))) throw new AppError('return_not_possible');
    await sql`
      insert into return_counts (tool, reason, count) values (${row.tool}, ${reason}, 1)
      on conflict (tool, reason) do update set count = return_counts.count + 1`.execute(tx);
    files = await settleReturn(tx, library.clock, { userId, generationId, cost: row.cost });
    const body = toGeneration(await getOwnRow(tx, userId, generationId), options);
    return { status: 200, body, location: null };
  });
  await removeFiles(library.storage, files);
  return answered;
}

async function canReturn(tx: Tx, options: ReturnOptions, row: GenerationRow): Promise<boolean> {
  const { library } = options;
  const isOpen = row.status === 'succeeded' && row.redoOf === null && !row.returned && isFresh(row, library);
  if (!isOpen || !options.isReturnable(row.tool)) return false;
  if ((await countReturnsLeft(tx, library.clock, row.userId, options.returnsPerMonth)) === 0) return false;
  const found = await sql<{ hasResult: boolean; isRedone: boolean }>`
    select exists (select from generated_media where generation_id = ${row.id} and deleted_at is null
        and created_at > ${expiryLimit(library)}) as "hasResult",
      exists (select from generations where redo_of = ${row.id} and status in ('queued', 'running')) as "isRedone"
  `.execute(tx);
  return found.rows[0]?.hasResult === true && !found.rows[0].isRedone;
}

/** The number of results that a user can still return. */
export async function countReturnsLeft(db: Db | Tx, clock: Clock, userId: string, perMonth: number): Promise<number> {
  const since = secondsAfter(clock.now(), -RETURNS_DAYS * 86_400);
  const found = await sql<{ returns: number }>`
    select count(*) as returns from generations
    where user_id = ${userId} and redo_of is null and returned_at > ${since}`.execute(db);
  return Math.max(0, perMonth - onlyRow(found).returns);
}

/** Reasons of returns, counted over all accounts. */
export async function countReturns(db: Db): Promise<Row<'returnCounts', 'tool' | 'reason' | 'count'>[]> {
  const found = await sql<Row<'returnCounts', 'tool' | 'reason' | 'count'>>`
    select tool, reason, count from return_counts`.execute(db);
  return found.rows;
}
