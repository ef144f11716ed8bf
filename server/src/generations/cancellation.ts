import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'kysely';
import type { Db } from '../platform/data/db.ts';

/** Detects the cancellation of a running generation, also while waiting for a provider. */

export class CanceledError extends Error {}

const POLL_MS = 1000;

/** True if its owner requested cancellation, or if it has ended. */
export async function isCancelRequested(db: Db, generationId: string): Promise<boolean> {
  const found = await sql<{ asked: boolean }>`
    select cancel_requested or status <> 'running' as asked from generations where id = ${generationId}`.execute(db);
  return found.rows[0]?.asked ?? true;
}

/** @throws CanceledError */
export async function throwIfCanceled(db: Db, generationId: string): Promise<void> {
  if (await isCancelRequested(db, generationId)) throw new CanceledError();
}

/** Awaits a call until the owner cancels; `handleLate` gets a result that arrives later. @throws CanceledError */
export async function unlessCanceled<Value>(
  db: Db,
  generationId: string,
  call: Promise<Value>,
  handleLate?: (value: Value) => unknown,
): Promise<Value> {
  const stopWatching = new AbortController();
  const canceled = watchForCancellation(db, generationId, stopWatching.signal);
  try {
    return await Promise.race([call, canceled]);
  } catch (error) {
    if (error instanceof CanceledError) void call.then(handleLate).catch(() => undefined);
    throw error;
  } finally {
    stopWatching.abort();
    canceled.catch(() => undefined);
  }
}

async function watchForCancellation(db: Db, generationId: string, signal: AbortSignal): Promise<never> {
  for (;;) {
    await sleep(POLL_MS, undefined, { signal });
    // A brief database outage is no reason to abort a call that is paid for.
    if (await isCancelRequested(db, generationId).catch(() => false)) throw new CanceledError();
  }
}
