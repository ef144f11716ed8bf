import { setTimeout as sleep } from 'node:timers/promises';
import { deleteOldSignIns } from './auth/oidc.ts';
import { deleteOldSessions } from './auth/sessions.ts';
import { auditNextAccounts } from './credits/audit.ts';
import { reviveGeneration } from './generations/revive.ts';
import { expiryLimit } from './media/library.ts';
import { removeOrphans } from './media/orphans.ts';
import { deleteExpiredWords } from './generations/retention.ts';
import { deleteExpiredMedia, deleteExpiredUploads, deleteUnusedUploads } from './media/retention.ts';
import { saveEngineUp, saveOrphanCount, saveSweepTime } from './platform/data/housekeeping-state.ts';
import { closeAbandonedPurchases } from './payments/checkout.ts';
import { reconcilePurchases } from './payments/reconcile.ts';
import { secondsAfter, systemClock } from './platform/clock.ts';
import { DRIFT_UNREADY_SECONDS, DRIFT_WARN_SECONDS, measureDrift } from './platform/data/clock-drift.ts';
import { type Db, isDatabaseUnavailable } from './platform/data/db.ts';
import { endDeletions, writeDeletions } from './platform/data/deletions.ts';
import { deleteEventsBefore } from './platform/data/events.ts';
import { deleteOldIdempotencyKeys } from './platform/http/idempotency.ts';
import { listGenerationsWithoutJob, type Queue } from './platform/data/queue.ts';
import { compactTotals } from './platform/data/running-totals.ts';
import type { Parts } from './parts.ts';
import { forgetRuns } from './runs/runs.ts';
import { deleteOldDeliveries } from './webhooks/endpoints.ts';

const ORPHAN_SWEEP_EVERY = 30;
/** How far back an interrupted stream can resume. */
const EVENTS_SECONDS = 3600;
const OLD_SESSIONS_SECONDS = 30 * 86_400;
/** A job is written together with its generation, so it is lost if it is missing after this time. */
const LOST_JOB_SECONDS = 60;
/** Time limit of a sweep's ledger audit; the next sweep continues it. */
const WALK_MS = 5000;
const REPORT_SECONDS = 30;
/** After this time without a report of a worker's engine, the installation has none. */
export const ENGINE_GONE_SECONDS = 4 * REPORT_SECONDS;

/** Sweeps, reconciles and reports immediately and then at every interval, until the process stops. */
export async function runHousekeeping(parts: Parts): Promise<void> {
  const { db, intervalSeconds, isEngineUp } = parts;
  await Promise.all([
    repeat(parts, 'sweep', intervalSeconds, (round) => sweep(parts, round % ORPHAN_SWEEP_EVERY === 0)),
    // Separate, so that a slow payment company does not delay deletions.
    repeat(parts, 'reconciling', intervalSeconds, () => reconcilePurchases(parts, parts.processors)),
    // Separate, so that a long sweep is not taken for a dead worker.
    repeat(parts, 'engine report', REPORT_SECONDS, async () => isEngineUp() && saveEngineUp(db)),
  ]);
}

async function repeat(
  { log, stopping }: Parts,
  what: string,
  intervalSeconds: number,
  work: (round: number) => Promise<unknown>,
): Promise<void> {
  for (let round = 0; !stopping.aborted; round += 1) {
    // Interrupted work is completed after the next start.
    await work(round).catch((error: unknown) => stopping.aborted || log.error({ err: error }, what));
    await sleep(intervalSeconds * 1000, undefined, { signal: stopping, ref: false }).catch(() => undefined);
  }
}

async function sweep(parts: Parts, withOrphans: boolean): Promise<void> {
  const { library, db, clock, log } = parts;
  const now = clock.now();
  const drift = await measureDrift(db, systemClock);
  // With a wrong clock, files could be deleted too early. Machines with a right clock do it meanwhile.
  if (drift > DRIFT_UNREADY_SECONDS)
    return log.error({ drift }, "our clock is ahead of the database's: nothing is deleted");
  if (Math.abs(drift) > DRIFT_WARN_SECONDS) log.warn({ drift }, "our clock is not the database's");
  const isWhole = await runEach(parts, [
    () => deleteExpiredUploads(library),
    () => deleteUnusedUploads(library),
    () => deleteExpiredMedia(library),
    () => deleteEventsBefore(db, secondsAfter(now, -EVENTS_SECONDS)),
    () => deleteOldIdempotencyKeys(db, now),
    () => deleteExpiredWords(library),
    () => forgetRuns(library),
    () => deleteOldDeliveries(db, now, expiryLimit(library)),
    async () => withOrphans && saveOrphanCount(db, await removeOrphans(library, log)),
    () => writeDeletions(db, library.storage),
    () => endDeletions(db, now),
    () => deleteOldSessions(db, secondsAfter(now, -OLD_SESSIONS_SECONDS)),
    () => deleteOldSignIns(db, now),
    () => closeAbandonedPurchases(db, clock),
    () => reviveLostJobs(db, parts.queue, secondsAfter(now, -LOST_JOB_SECONDS)),
    () => compactTotals(db),
  ]);
  if (isWhole) await saveSweepTime(db, now);
  const violations = await auditNextAccounts(db, clock, WALK_MS);
  if (violations > 0) log.error({ violations }, 'the ledger does not add up: see npm run admin -- check');
}

/** Runs tasks in sequence; a failure does not stop the next ones, except an outage of the database. */
async function runEach({ log, stopping }: Parts, steps: (() => Promise<unknown>)[]): Promise<boolean> {
  let failed = 0;
  for (const step of steps) {
    try {
      await step();
    } catch (error) {
      if (stopping.aborted || isDatabaseUnavailable(error)) throw error;
      failed += 1;
      log.error({ err: error }, 'sweep');
    }
  }
  return failed === 0;
}

/** Enqueues unfinished generations without a job, so that nothing paid is lost. */
async function reviveLostJobs(db: Db, queue: Queue, olderThan: Date): Promise<void> {
  for (const generationId of await listGenerationsWithoutJob(db, olderThan)) {
    await reviveGeneration(db, queue, generationId);
  }
}
