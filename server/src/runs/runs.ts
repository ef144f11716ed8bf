import type { ToolId } from '@plinth/contract/tools';
import { sql } from 'kysely';
import { lockAccount } from '../generations/accept.ts';
import { cancelRunGenerations, lockRunGenerations } from '../generations/cancel.ts';
import type { ViewSettings } from '../generations/generation-view.ts';
import { readLook } from '../looks/looks.ts';
import { expiryLimit, type Library } from '../media/library.ts';
import { type Clock, secondsAfter } from '../platform/clock.ts';
import { changeInBatches, ONE_BATCH } from '../platform/data/batches.ts';
import { type Db, transaction, type Tx } from '../platform/data/db.ts';
import { type Answered, type IdempotentRequest, once, overwriteAnswers } from '../platform/http/idempotency.ts';
import { newId } from '../platform/ids.ts';
import { getOwnRun, getOwnState, showRun, statusOf } from './run-view.ts';

/** The life cycle of a run, without its items. */

type RunCommand = {
  request: IdempotentRequest;
  name: string;
  tool: ToolId;
  fields: Record<string, string>;
  packs: string[];
  lookId: string | null;
};

export function createRun(db: Db, { request, name, tool, fields, packs, lookId }: RunCommand): Promise<Answered> {
  const { userId, at } = request;
  const create = async (tx: Tx) => {
    await lockAccount(tx, userId);
    const id = newId('run');
    const look = lookId === null ? null : JSON.stringify(await readLook(tx, userId, lookId));
    await sql`
      insert into runs (id, user_id, name, tool, fields, packs, look, created_at)
      values (${id}, ${userId}, ${name}, ${tool}, ${JSON.stringify(fields)}::jsonb, ${packs}, ${look}::jsonb,
        ${at})`.execute(tx);
    const run = await showRun(tx, await getOwnRun(tx, userId, id));
    return { status: 201, body: run, location: `/api/v1/runs/${id}` };
  };
  return once(db, request, create);
}

/** Closes a run for further items; no effect if it is closed or canceled already. @throws AppError not_found */
export async function closeRun(db: Db, clock: Clock, userId: string, runId: string): Promise<void> {
  await transaction(db, async (tx) => {
    await lockAccount(tx, userId);
    await getOwnState(tx, userId, runId);
    await sql`
      update runs set closed_at = ${clock.now()}, is_news = true
      where id = ${runId} and closed_at is null and canceled_at is null`.execute(tx);
  });
}

/** Cancels a run: refunds waiting items, asks running ones to end. Skips finished runs. @throws AppError not_found */
export async function cancelRun(db: Db, settings: ViewSettings, userId: string, runId: string): Promise<void> {
  await transaction(db, async (tx) => {
    await getOwnState(tx, userId, runId);
    // Lock before the balance, as at each end of a generation, to prevent a deadlock.
    await lockRunGenerations(tx, runId);
    await lockAccount(tx, userId);
    const run = await getOwnRun(tx, userId, runId);
    if (statusOf(run) === 'finished' || run.canceledAt !== null) return;
    // No item is accepted from here on, and all accepted ones are visible.
    await cancelRunGenerations(tx, settings, runId);
    await sql`update runs set canceled_at = ${settings.clock.now()}, is_news = true where id = ${runId}`.execute(tx);
  });
}

const KEPT_SECONDS = 30 * 86_400;
/** Runs deleted in one statement, each with up to 500 items. */
const RUNS_AT_ONCE = 20;

/** Deletes file names and words together with the pictures, closes idle runs, and deletes runs after 30 days. */
export async function forgetRuns(library: Pick<Library, 'db' | 'clock' | 'ttlSeconds'>): Promise<void> {
  const { db, clock } = library;
  const limit = expiryLimit(library);
  await changeInBatches(
    db,
    sql`
      update run_items set filename = null
      where ctid = any(array(
        select ctid from run_items i where filename is not null and created_at <= ${limit}
          and not exists (select from generations g where g.id = i.generation_id and g.created_at > ${limit})
        ${ONE_BATCH}))`,
  );
  await changeInBatches(
    db,
    sql`
      update runs set fields = '{}', is_news = true,
        closed_at = case when canceled_at is null then coalesce(closed_at, ${clock.now()}) else closed_at end
      where ctid = any(array(
        select ctid from runs r
        where created_at <= ${limit} and (fields <> '{}' or coalesce(closed_at, canceled_at) is null)
          and not exists (select from generations g where g.run_id = r.id and g.created_at > ${limit})
        ${ONE_BATCH}))`,
  );
  // Also from stored idempotent answers: a run's fields, an item's file name and words.
  await overwriteAnswers(db, limit, ['runs', 'runs/%/retry'], ['fields'], {});
  await overwriteAnswers(db, limit, ['runs/%/items'], ['filename'], null);
  await overwriteAnswers(db, limit, ['runs/%/items'], ['alt'], null);
  await overwriteAnswers(db, limit, ['runs/%/items'], ['generation', 'input'], null);
  const runLimit = secondsAfter(clock.now(), -KEPT_SECONDS);
  await changeInBatches(
    db,
    sql`
      delete from runs where ctid = any(array(
        select ctid from runs r where created_at <= ${runLimit}
          and not exists (select from generations g where g.run_id = r.id
            and (g.created_at > ${runLimit} or g.finished_at is null))
        limit ${RUNS_AT_ONCE} for update skip locked))`,
    RUNS_AT_ONCE,
  );
}

/** Deletes one user's runs and their items. */
export async function deleteRunsOf(tx: Tx, userId: string): Promise<void> {
  await sql`delete from runs where user_id = ${userId}`.execute(tx);
}
