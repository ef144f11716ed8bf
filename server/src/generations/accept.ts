import { costOf } from '@plinth/contract/tool-fields';
import type { ToolId } from '@plinth/contract/tools';
import { sql } from 'kysely';
import { debitCredits, lockCredits, readCredits, refuseClosedAccount } from '../credits/ledger.ts';
import type { FormQueueOptions } from '../media/form-queue.ts';
import { insertUploads, type Library, removeUploads, storeUploads } from '../media/library.ts';
import type { Picture } from '../media/uploads.ts';
import type { Clock } from '../platform/clock.ts';
import { type Db, isDatabaseUnavailable, onlyRow, type Tx } from '../platform/data/db.ts';
import { AppError } from '../platform/errors.ts';
import { type Answered, type IdempotentRequest, once, type StoredAnswer } from '../platform/http/idempotency.ts';
import type { RequestLimits } from '../platform/http/limits.ts';
import { newId } from '../platform/ids.ts';
import type { Queue } from '../platform/data/queue.ts';
import type { Provider } from '../providers/provider.ts';
import { announceGeneration, type GenerationRow, getTool, toGeneration, type ViewSettings } from './generation-view.ts';
import type { HeadshotModels } from './headshot-models.ts';

export type AcceptOptions = ViewSettings & { db: Db; queue: Queue; library: Library; maxInFlight: number };
/** Dependencies for turning a form into a generation, on its own or as an item of a run. */
export type FormAcceptOptions = AcceptOptions &
  FormQueueOptions & {
    limits: RequestLimits;
    providerOf: (tool: ToolId) => Provider;
    headshotModels: HeadshotModels;
  };
export type AcceptCommand = {
  request: IdempotentRequest;
  toolId: string;
  pictures: Map<string, Picture>;
  texts: Record<string, string>;
};

/** A new generation's place: its priority in the queue and, for an item, its run and its turn. */
export type QueuePosition = { position: number; run: { id: string; turn: number } | null };

/** How a generation is admitted: on its own, or as an item of a run. All of it runs in the transaction. */
export type AcceptStrategy = {
  /** Locks the balance and determines the place. @throws AppError if it cannot be accepted now */
  reserve: (tx: Tx) => Promise<QueuePosition>;
  respond: (tx: Tx, generation: GenerationRow) => Promise<StoredAnswer>;
};

/**
 * Accepts a generation: idempotency key, debit, row, uploads, job and events in one transaction.
 * @throws AppError insufficient_credits, storage_full, and those of the strategy
 */
export async function acceptGeneration(
  options: AcceptOptions,
  command: AcceptCommand,
  strategy: AcceptStrategy = makeSingleStrategy(options, command.request.userId),
): Promise<Answered> {
  const { db, clock, library, queue } = options;
  const { request, toolId, texts } = command;
  const { userId } = request;
  // Check the balance before writing files. Credits granted at this very moment come too late.
  const isTooExpensive = (await readCredits(db, userId)) < costOf(getTool(toolId), texts);
  const uploads = isTooExpensive ? [] : await storeUploads(library, command.pictures);
  const accept = async (tx: Tx): Promise<StoredAnswer> => {
    const reserved = await strategy.reserve(tx);
    if (isTooExpensive) throw insufficientCredits(toolId);
    const id = await insertGeneration(tx, clock, { userId, toolId, texts }, reserved);
    await insertUploads(tx, clock, { userId, generationId: id }, uploads);
    return strategy.respond(tx, await startGeneration(tx, queue, id, reserved.position));
  };
  try {
    const answered = await once(db, request, accept);
    if (answered.isReplay) await removeUploads(library, uploads);
    return answered;
  } catch (error) {
    // A commit whose connection is lost may have succeeded: the sweep finds out whether these are orphans.
    if (!isDatabaseUnavailable(error)) await removeUploads(library, uploads);
    throw error;
  }
}

function makeSingleStrategy(options: AcceptOptions, userId: string): AcceptStrategy {
  return {
    reserve: async (tx) => ({ position: await lockAndCountInFlight(tx, options, userId), run: null }),
    respond: async (_tx, generation) => answerGeneration(options, generation),
  };
}

/** The answer to a new generation: the generation itself. */
export function answerGeneration(settings: ViewSettings, generation: GenerationRow): StoredAnswer {
  const body = toGeneration(generation, settings);
  return { status: 202, body, location: `/api/v1/generations/${generation.id}` };
}

/** The sentence that says how many credits this tool needs. */
export const insufficientCredits = (toolId: string) =>
  new AppError('insufficient_credits', { detail: getTool(toolId).says.poor });

/** Inserts the row and debits its price; returns its id. @throws AppError insufficient_credits */
export async function insertGeneration(
  tx: Tx,
  clock: Clock,
  generation: { userId: string; toolId: string; texts: Record<string, string> },
  { run }: QueuePosition,
): Promise<string> {
  const { userId, toolId, texts } = generation;
  const tool = getTool(toolId);
  const cost = costOf(tool, texts);
  const id = newId('gen');
  await sql`
    insert into generations (id, user_id, tool, cost, input, run_id, turn, created_at)
    values (${id}, ${userId}, ${toolId}, ${cost}, ${JSON.stringify(texts)}::jsonb, ${run?.id ?? null},
      ${run?.turn ?? null}, ${clock.now()})`.execute(tx);
  await debitCredits(tx, { userId, amount: cost, generationId: id, insufficientSentence: tool.says.poor });
  return id;
}

/** Enqueues an inserted generation, notifies its owner, and returns its state. */
export async function startGeneration(
  tx: Tx,
  queue: Queue,
  generationId: string,
  position: number,
): Promise<GenerationRow> {
  await queue.enqueueGeneration(tx, generationId, position);
  return announceGeneration(tx, generationId);
}

/**
 * Serialises one user's requests and returns their number of unfinished generations: fewer get a higher priority.
 * @throws AppError too_many_generations, authentication_required
 */
export async function lockAndCountInFlight(tx: Tx, options: AcceptOptions, userId: string): Promise<number> {
  await lockAccount(tx, userId);
  return refuseTooMany(tx, userId, options.maxInFlight);
}

/** Serialises one user's requests until the transaction ends. @throws AppError authentication_required */
export async function lockAccount(tx: Tx, userId: string): Promise<void> {
  if ((await lockCredits(tx, userId)) === 0) await refuseClosedAccount(tx, userId);
}

/** Returns the number of unfinished generations without items of runs. @throws AppError too_many_generations */
export async function refuseTooMany(db: Db | Tx, userId: string, maxInFlight: number): Promise<number> {
  const found = await sql<{ open: number }>`
    select count(*) as open from generations where user_id = ${userId} and run_id is null
      and status in ('queued', 'running')`.execute(db);
  const { open } = onlyRow(found);
  if (open >= maxInFlight) throw new AppError('too_many_generations', { retryAfterSeconds: 10 });
  return open;
}
