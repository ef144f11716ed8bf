import { errors } from '@plinth/contract/errors';
import type { ItemFacts } from '@plinth/contract/item-facts';
import { RUN_MAX_ITEMS, RUN_MAX_WAITING } from '@plinth/contract/runs';
import { costOf } from '@plinth/contract/tool-fields';
import { sql } from 'kysely';
import { readCredits } from '../credits/ledger.ts';
import {
  type AcceptCommand,
  acceptGeneration,
  type AcceptOptions,
  type AcceptStrategy,
  insertGeneration,
  insufficientCredits,
  lockAccount,
  type QueuePosition,
  startGeneration,
} from '../generations/accept.ts';
import { getTool } from '../generations/generation-view.ts';
import { expiryLimit, moveUploads } from '../media/library.ts';
import { type Db, getRow, onlyRow, transaction, type Tx, violatedConstraint } from '../platform/data/db.ts';
import { AppError, fieldError } from '../platform/errors.ts';
import { type Answered, type IdempotentRequest, once } from '../platform/http/idempotency.ts';
import { newId } from '../platform/ids.ts';
import { positionOfTurn } from '../platform/data/queue.ts';
import type { Row } from '../platform/data/rows.ts';
import { getItem, getOwnRun, getOwnState, showRun } from './run-view.ts';

/** Items of a run: generations with a lower priority than all single ones. */

type ItemCommand = AcceptCommand & {
  runId: string;
  sku: string | null;
  facts: ItemFacts;
  filename: string;
  /** When its first byte arrived. Several arrive at once, and a small photo may overtake a large one sent before it. */
  cameAt: Date;
  /** The item that this one replaces: it failed, or a pack cannot make a file of its result. */
  replaces: string | null;
};

/**
 * Accepts an item, debited like a generation.
 * @throws AppError run_full, run_closed, sku_in_use, not_found, too_many_generations, insufficient_credits
 */
export async function acceptItem(options: AcceptOptions, command: ItemCommand): Promise<Answered> {
  const { runId, sku, facts, filename, cameAt, replaces } = command;
  const { heightCm, asin, ean, role, handle } = facts;
  const { userId } = command.request;
  const itemId = replaces ?? newId('itm');
  const strategy: AcceptStrategy = {
    reserve: async (tx) => {
      await lockAccount(tx, userId);
      if (replaces === null) await refuseNewItem(tx, command);
      else await refuseReplacement(tx, options, command, replaces);
      await refuseTooManyWaiting(tx, userId);
      return toPosition(runId, await readNextTurn(tx, userId));
    },
    respond: async (tx, { id: generationId }) => {
      if (replaces === null) {
        await sql`
          insert into run_items (id, run_id, sku, filename, height_cm, asin, ean, role, handle, generation_id, created_at)
          values (${itemId}, ${runId}, ${sku}, ${filename}, ${heightCm}, ${asin}, ${ean}, ${role}, ${handle},
            ${generationId}, ${cameAt})`.execute(tx);
      } else {
        await sql`
          update run_items set filename = ${filename}, generation_id = ${generationId}
          where id = ${replaces}`.execute(tx);
      }
      const body = await getItem(tx, options, itemId);
      return { status: 202, body, location: `/api/v1/generations/${generationId}` };
    },
  };
  try {
    return await acceptGeneration(options, command, strategy);
  } catch (error) {
    if (violatedConstraint(error) === 'run_items_sku') throw fieldError('sku', 'sku_in_use');
    throw error;
  }
}

/** Rejects early, before a photo is read, what could not be accepted anyway. @throws AppError too_many_generations */
export async function refuseTooManyWaiting(db: Db | Tx, userId: string, more = 1): Promise<void> {
  const found = await sql<{ waiting: number }>`
    select count(*) as waiting from generations
    where user_id = ${userId} and run_id is not null and status in ('queued', 'running')`.execute(db);
  if (onlyRow(found).waiting + more > RUN_MAX_WAITING)
    throw new AppError('too_many_generations', { retryAfterSeconds: 10 });
}

async function refuseNewItem(tx: Tx, { request, runId, sku }: ItemCommand): Promise<void> {
  const run = await getOwnState(tx, request.userId, runId);
  if (run.items >= RUN_MAX_ITEMS) throw new AppError('run_full');
  if (run.isClosed) throw new AppError('run_closed');
  if (sku === null) return;
  const same = await sql`select from run_items where run_id = ${runId} and sku = ${sku}`.execute(tx);
  if (same.rows.length > 0) throw fieldError('sku', 'sku_in_use');
}

async function refuseReplacement(
  tx: Tx,
  options: AcceptOptions,
  { request, runId }: ItemCommand,
  itemId: string,
): Promise<void> {
  const run = await getOwnState(tx, request.userId, runId);
  if (run.isCanceled) throw new AppError('run_closed');
  const status = await readItemStatus(tx, runId, itemId);
  if (status === 'failed' || status === 'canceled') return;
  const { missingFiles } = await getItem(tx, options, itemId);
  if (missingFiles.length === 0) throw fieldError('replaces', 'invalid_option');
}

/** @throws AppError not_found */
async function readItemStatus(tx: Tx, runId: string, itemId: string): Promise<string> {
  const found = await sql<Row<'generations', 'status'>>`
    select g.status from run_items n join generations g on g.id = n.generation_id
    where n.id = ${itemId} and n.run_id = ${runId}`.execute(tx);
  return getRow(found).status;
}

/**
 * Turns are the start tags of start-time fair queueing (Goyal, Vin, Cheng 1996): one more than the user's last, but at
 * least that of the first waiting item, so that a newcomer neither waits for all of another's items nor gets ahead.
 */
async function readNextTurn(tx: Tx, userId: string): Promise<number> {
  const found = await sql<Row<'generations', 'turn'>>`
    select greatest(coalesce(min(turn), 0), coalesce(max(turn) filter (where user_id = ${userId}) + 1, 0)) as turn
    from generations where turn is not null and status = 'queued'`.execute(tx);
  return found.rows[0]?.turn ?? 0;
}

const toPosition = (runId: string, turn: number): QueuePosition => ({
  position: positionOfTurn(turn),
  run: { id: runId, turn },
});

type FailedItem = Row<'runItems', 'id' | 'generationId'> & Row<'generations', 'tool' | 'input'>;

/**
 * Retries failed and canceled items whose photo still exists, all or the `named` ones, debited anew; all or nothing.
 * `change` replaces some of their words.
 * @throws AppError not_found, run_closed, too_many_generations, insufficient_credits
 */
export function retryItems(
  options: AcceptOptions,
  request: IdempotentRequest,
  runId: string,
  named: readonly string[] | null,
  change: Record<string, string>,
): Promise<Answered> {
  const { userId } = request;
  const retry = async (tx: Tx) => {
    await lockAccount(tx, userId);
    const run = await getOwnState(tx, userId, runId);
    if (run.isCanceled) throw new AppError('run_closed');
    const found = await sql<FailedItem>`
      select n.id, n.generation_id as "generationId", g.tool, g.input
      from run_items n join generations g on g.id = n.generation_id
      where n.run_id = ${runId} and (g.status = 'failed' and ${named}::text[] is null
          or g.status in ('failed', 'canceled') and n.id = any(${named}))
        and exists (select from uploads u where u.generation_id = g.id and u.deleted_at is null
          and u.created_at > ${expiryLimit(options.library)})
      order by n.created_at, n.id`.execute(tx);
    await refuseTooManyWaiting(tx, userId, found.rows.length);
    const price = found.rows.reduce((sum, { tool, input }) => sum + costOf(getTool(tool), input), 0);
    if ((await readCredits(tx, userId)) < price) throw insufficientCredits(run.tool);
    const firstTurn = await readNextTurn(tx, userId);
    for (const [index, item] of found.rows.entries()) {
      const retried = { ...item, input: { ...item.input, ...change } };
      await retryItem(tx, options, userId, retried, toPosition(runId, firstTurn + index));
    }
    return { status: 202, body: await showRun(tx, await getOwnRun(tx, userId, runId)), location: null };
  };
  return once(options.db, request, retry);
}

async function retryItem(
  tx: Tx,
  { clock, queue }: AcceptOptions,
  userId: string,
  { id, generationId, tool, input }: FailedItem,
  reserved: QueuePosition,
): Promise<void> {
  const nextId = await insertGeneration(tx, clock, { userId, toolId: tool, texts: input }, reserved);
  await moveUploads(tx, generationId, nextId);
  await sql`update run_items set generation_id = ${nextId} where id = ${id}`.execute(tx);
  await startGeneration(tx, queue, nextId, reserved.position);
}

/** Removes an ended item from its run; cost and result stay. @throws AppError not_found, not_cancelable */
export async function dropItem(db: Db, userId: string, runId: string, itemId: string): Promise<void> {
  await transaction(db, async (tx) => {
    await lockAccount(tx, userId);
    await getOwnState(tx, userId, runId);
    const status = await readItemStatus(tx, runId, itemId);
    if (status === 'queued' || status === 'running')
      throw new AppError('not_cancelable', { detail: errors.too_many_generations.detail });
    await sql`delete from run_items where id = ${itemId}`.execute(tx);
    await sql`update runs set is_news = true where id = ${runId}`.execute(tx);
  });
}
