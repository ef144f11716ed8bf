import { sql } from 'kysely';
import { debitCredits, lockCredits, readCredits, refuseClosedAccount } from '../credits/ledger.ts';
import { insertUploads, type Library, removeUploads, storeUploads } from '../media/library.ts';
import type { Picture } from '../media/uploads.ts';
import type { Clock } from '../platform/clock.ts';
import { type Db, isDatabaseAway, transaction, type Tx } from '../platform/data/db.ts';
import { AppError } from '../platform/errors.ts';
import { findAnswer, type IdempotentRequest, type StoredAnswer, takeKey } from '../platform/http/idempotency.ts';
import { newId } from '../platform/ids.ts';
import type { Queue } from '../platform/data/queue.ts';
import { announceGeneration, type GenerationRow, getTool, toGeneration, type ViewSettings } from './generation-view.ts';

export type AcceptOptions = ViewSettings & { db: Db; queue: Queue; library: Library; mostInFlight: number };
export type Accepted = { answer: StoredAnswer; isReplay: boolean };
export type AcceptCommand = {
  request: IdempotentRequest;
  toolId: string;
  pictures: Map<string, Picture>;
  texts: Record<string, string>;
};

/** Where a new generation stands: its place in the queue and, for an item of a run, that run and its turn. */
export type Standing = { place: number; run: { id: string; turn: number } | null };

/** How a generation is taken on besides: by itself, or as an item of a run. Both parts run in the transaction. */
export type Admission = {
  /** Locks the balance and finds the place. @throws AppError when it may not be accepted now */
  admit: (tx: Tx) => Promise<Standing>;
  /** Writes what belongs to the new generation. */
  complete: (tx: Tx, generationId: string) => Promise<void>;
  answer: (tx: Tx, generation: GenerationRow) => Promise<StoredAnswer>;
};

/**
 * Takes a generation on: debit, row, uploads, job, idempotency record and events in one transaction.
 * @throws AppError insufficient_credits, storage_full, and what the admission throws
 */
export function acceptGeneration(
  options: AcceptOptions,
  command: AcceptCommand,
  admission: Admission = admitSingle(options, command.request.userId),
): Promise<Accepted> {
  return acceptOnce(options, command.request, admission.answer, async (accept) => {
    const { db, library, clock } = options;
    const { toolId, texts } = command;
    const { userId } = command.request;
    await refusePoor(db, userId, toolId, admission);
    const uploads = await storeUploads(library, command.pictures);
    try {
      return await accept(async (tx) => {
        const standing = await admission.admit(tx);
        const id = await insertGeneration(tx, clock, { userId, toolId, texts }, standing);
        await insertUploads(tx, clock, { userId, generationId: id }, uploads);
        await admission.complete(tx, id);
        return { id, place: standing.place };
      });
    } catch (error) {
      // A database that goes away in the commit may have committed: whether these are orphans, the sweep finds out.
      if (!isDatabaseAway(error)) await removeUploads(library, uploads);
      throw error;
    }
  });
}

/** Before anything is written for an empty purse; all is decided again under the lock. @throws AppError */
async function refusePoor(db: Db, userId: string, toolId: string, admission: Admission): Promise<void> {
  const { cost, says } = getTool(toolId);
  if ((await readCredits(db, userId)) >= cost) return;
  await transaction(db, async (tx) => {
    await admission.admit(tx);
    throw new AppError('insufficient_credits', { detail: says.poor });
  });
}

/** A generation by itself. */
function admitSingle(options: AcceptOptions, userId: string): Admission {
  return {
    admit: async (tx) => ({ place: await takeTurn(tx, options, userId), run: null }),
    complete: async () => undefined,
    answer: async (_tx, generation) => answerGeneration(options, generation),
  };
}

/** A new generation is answered with itself. */
export function answerGeneration(settings: ViewSettings, generation: GenerationRow): StoredAnswer {
  const body = toGeneration(generation, settings);
  return { status: 202, body, location: `/api/v1/generations/${generation.id}` };
}

/** Writes the row and takes its price; returns its id. @throws AppError insufficient_credits */
export async function insertGeneration(
  tx: Tx,
  clock: Clock,
  asked: { userId: string; toolId: string; texts: Record<string, string> },
  { run }: Standing,
): Promise<string> {
  const { userId, toolId, texts } = asked;
  const { cost, says } = getTool(toolId);
  const id = newId('gen');
  await sql`
    insert into generations (id, user_id, tool, cost, input, run_id, turn, created_at)
    values (${id}, ${userId}, ${toolId}, ${cost}, ${JSON.stringify(texts)}::jsonb, ${run?.id ?? null},
      ${run?.turn ?? null}, ${clock.now()})`.execute(tx);
  await debitCredits(tx, { userId, amount: cost, generationId: id, poorSentence: says.poor });
  return id;
}

/** Gives a written generation its job, tells its owner, and returns how it stands. */
export async function startGeneration(
  tx: Tx,
  queue: Queue,
  generationId: string,
  place: number,
): Promise<GenerationRow> {
  await queue.enqueueGeneration(tx, generationId, place);
  return announceGeneration(tx, generationId);
}

type Insert = (tx: Tx) => Promise<{ id: string; place: number }>;

/**
 * Runs `work`, which hands over what writes the row, and completes that in the same transaction: job, event, stored
 * answer. When the same request was accepted a moment ago, nothing is written and that answer is given again.
 */
export async function acceptOnce(
  options: AcceptOptions,
  request: IdempotentRequest,
  answerWith: Admission['answer'],
  work: (accept: (insert: Insert) => Promise<StoredAnswer>) => Promise<StoredAnswer>,
): Promise<Accepted> {
  const { db, queue, clock } = options;
  const accept = (insert: Insert) =>
    transaction(db, async (tx) => {
      const { id, place } = await insert(tx);
      const accepted = await answerWith(tx, await startGeneration(tx, queue, id, place));
      if (!(await takeKey(tx, request, accepted, clock.now())))
        throw new AppError('idempotency_in_progress', { retryAfterSeconds: 1 });
      return accepted;
    });
  try {
    return { answer: await work(accept), isReplay: false };
  } catch (error) {
    // What is refused may be missing because the same request has just taken it: a credit, a place, a sku, a redo.
    const earlier = error instanceof AppError ? await findAnswer(db, request) : undefined;
    if (earlier === undefined) throw error;
    return { answer: earlier, isReplay: true };
  }
}

/**
 * Lets one person's requests through one after the other, and returns how many of their generations are unfinished: the
 * fewer, the sooner the next one's turn.
 * @throws AppError too_many_generations, authentication_required
 */
export async function takeTurn(tx: Tx, options: AcceptOptions, userId: string): Promise<number> {
  await lockOwner(tx, userId);
  return refuseTooMany(tx, userId, options.mostInFlight);
}

/**
 * Makes one person's requests wait for each other until the transaction ends. @throws AppError authentication_required
 */
export async function lockOwner(tx: Tx, userId: string): Promise<void> {
  if ((await lockCredits(tx, userId)) === 0) await refuseClosedAccount(tx, userId);
}

/** Returns how many are unfinished, items of runs apart. @throws AppError too_many_generations */
export async function refuseTooMany(db: Db | Tx, userId: string, mostInFlight: number): Promise<number> {
  const found = await sql<{ open: number }>`
    select count(*) as open from generations where user_id = ${userId} and run_id is null
      and status in ('queued', 'running')`.execute(db);
  const open = found.rows[0]?.open ?? 0;
  if (open >= mostInFlight) throw new AppError('too_many_generations', { retryAfterSeconds: 10 });
  return open;
}
