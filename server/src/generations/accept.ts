import { isToolId } from '@plinth/contract/tools';
import { sql } from 'kysely';
import { debitCredits, lockCredits, readCredits, refuseClosedAccount } from '../credits/ledger.ts';
import { insertUploads, type Library, type Picture, removeUploads, storeUploads } from '../media/library.ts';
import type { Clock } from '../platform/clock.ts';
import { type Db, isDatabaseAway, transaction, type Tx } from '../platform/db.ts';
import { AppError } from '../platform/errors.ts';
import { findAnswer, type IdempotentRequest, type StoredAnswer, takeKey } from '../platform/idempotency.ts';
import { newId } from '../platform/ids.ts';
import type { Queue } from '../platform/queue.ts';
import { announceGeneration, getOwnRow, getTool, toGeneration, type ViewSettings } from './generation-view.ts';
import { settleIn } from './settle.ts';

export type AcceptOptions = ViewSettings & { db: Db; queue: Queue; library: Library; mostInFlight: number };
export type Accepted = { answer: StoredAnswer; isReplay: boolean };
export type AcceptCommand = {
  request: IdempotentRequest;
  toolId: string;
  pictures: Map<string, Picture>;
  texts: Record<string, string>;
};

/** Thrown inside the transaction to roll it back: the same request was accepted a moment ago. */
class TakenMeanwhileError extends Error {}

/**
 * Takes a generation on: debit, row, uploads, job, idempotency record and events in one transaction.
 * @throws AppError too_many_generations, insufficient_credits, storage_full
 */
export async function acceptGeneration(options: AcceptOptions, command: AcceptCommand): Promise<Accepted> {
  const { db, library, clock } = options;
  const { userId } = command.request;
  const tool = getTool(command.toolId);
  // Refused early, so that nothing is written for an empty purse; decided again under the lock.
  if ((await readCredits(db, userId)) < tool.cost)
    throw new AppError('insufficient_credits', { detail: tool.says.poor });
  const uploads = await storeUploads(library, command.pictures);
  try {
    const accepted = await acceptOnce(options, command.request, async (tx) => {
      const id = newId('gen');
      const ahead = await takeTurn(tx, options, userId);
      await sql`
        insert into generations (id, user_id, tool, cost, input, created_at)
        values (${id}, ${userId}, ${command.toolId}, ${tool.cost}, ${JSON.stringify(command.texts)}::jsonb,
          ${clock.now()})`.execute(tx);
      await debitCredits(tx, { userId, amount: tool.cost, generationId: id, poorSentence: tool.says.poor });
      await insertUploads(tx, clock, { userId, generationId: id }, uploads);
      return { id, ahead };
    });
    if (accepted.isReplay) await removeUploads(library, uploads);
    return accepted;
  } catch (error) {
    // A database that goes away in the commit may have committed: whether these are orphans, the sweep finds out.
    if (!isDatabaseAway(error)) await removeUploads(library, uploads);
    throw error;
  }
}

/**
 * Runs `insert`, which writes the row, and completes it in the same transaction: job, event, stored answer. When the
 * same request was accepted a moment ago, nothing is written and that answer is given again.
 */
export async function acceptOnce(
  options: AcceptOptions,
  request: IdempotentRequest,
  insert: (tx: Tx) => Promise<{ id: string; ahead: number }>,
): Promise<Accepted> {
  const { db, queue, clock } = options;
  try {
    const answer = await transaction(db, async (tx) => {
      const { id, ahead } = await insert(tx);
      await queue.enqueueGeneration(tx, id, ahead);
      await announceGeneration(tx, id);
      const row = await getOwnRow(tx, request.userId, id);
      const body = toGeneration(row, options);
      const accepted: StoredAnswer = { status: 202, body, location: `/api/v1/generations/${id}` };
      if (!(await takeKey(tx, request, accepted, clock.now()))) throw new TakenMeanwhileError();
      return accepted;
    });
    return { answer, isReplay: false };
  } catch (error) {
    if (!(error instanceof TakenMeanwhileError)) throw error;
    const answer = await findAnswer(db, request);
    if (answer === undefined) throw new AppError('idempotency_in_progress', { retryAfterSeconds: 1 });
    return { answer, isReplay: true };
  }
}

/**
 * Makes one person's requests wait for each other, and returns how many are on the way.
 * @throws AppError too_many_generations, authentication_required
 */
export async function takeTurn(tx: Tx, options: AcceptOptions, userId: string): Promise<number> {
  if ((await lockCredits(tx, userId)) === 0) await refuseClosedAccount(tx, userId);
  return refuseTooMany(tx, userId, options.mostInFlight);
}

/** Returns how many are on the way. @throws AppError too_many_generations */
export async function refuseTooMany(db: Db, userId: string, mostInFlight: number): Promise<number> {
  const found = await sql<{ open: number }>`
    select count(*) as open from generations where user_id = ${userId} and status in ('queued', 'running')`.execute(db);
  const open = found.rows[0]?.open ?? 0;
  if (open >= mostInFlight) throw new AppError('too_many_generations', { retryAfterSeconds: 10 });
  return open;
}

export type CancelOutcome = 'canceled' | 'requested';

/**
 * Cancels at once what still waits, asks for the end of what runs.
 * @throws AppError not_found, not_cancelable
 */
export async function cancelGeneration(
  db: Db,
  clock: Clock,
  userId: string,
  generationId: string,
): Promise<CancelOutcome> {
  return transaction(db, async (tx) => {
    const found = await sql<{ status: string; tool: string; cancelRequested: boolean }>`
      select status, tool, cancel_requested as "cancelRequested" from generations
      where id = ${generationId} and user_id = ${userId} for update`.execute(tx);
    const generation = found.rows[0];
    if (generation === undefined || !isToolId(generation.tool)) throw new AppError('not_found');
    if (generation.status === 'canceled') return 'canceled';
    if (generation.status === 'queued') {
      await sql`update generations set cancel_requested = true where id = ${generationId}`.execute(tx);
      await settleIn(tx, clock, generationId, { kind: 'canceled' });
      return 'canceled';
    }
    if (generation.status !== 'running') throw new AppError('not_cancelable');
    if (!generation.cancelRequested) {
      await sql`update generations set cancel_requested = true where id = ${generationId}`.execute(tx);
      await announceGeneration(tx, generationId);
    }
    return 'requested';
  });
}
