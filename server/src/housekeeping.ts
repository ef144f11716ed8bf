import { setTimeout as sleep } from 'node:timers/promises';
import { forgetSignIns } from './auth/oidc.ts';
import { deleteOldSessions } from './auth/sessions.ts';
import { walkLedger } from './credits/audit.ts';
import { reviveGeneration } from './generations/revive.ts';
import { expiryLimit } from './media/library.ts';
import { removeOrphans } from './media/orphans.ts';
import { forgetExpiredWords } from './generations/retention.ts';
import { deleteExpiredMedia, deleteExpiredUploads, deleteLeftUploads } from './media/retention.ts';
import { noteOrphans, noteSweep } from './platform/data/housekeeping-notes.ts';
import { closeAbandonedPurchases } from './payments/checkout.ts';
import { reconcilePurchases } from './payments/reconcile.ts';
import { secondsAfter, systemClock } from './platform/clock.ts';
import { DRIFT_UNREADY_SECONDS, DRIFT_WARN_SECONDS, measureDrift } from './platform/data/clock-drift.ts';
import { type Db, isDatabaseAway } from './platform/data/db.ts';
import { writeDeletions } from './platform/data/deletions.ts';
import { deleteEventsBefore } from './platform/data/events.ts';
import { forgetKeys } from './platform/http/idempotency.ts';
import { findGenerationsWithoutJob, type Queue } from './platform/data/queue.ts';
import { addUpTotals } from './platform/data/running-totals.ts';
import type { Parts } from './parts.ts';
import { forgetRuns } from './runs/runs.ts';
import { forgetDeliveries } from './webhooks/endpoints.ts';

const ORPHAN_SWEEP_EVERY = 30;
/** How far back a stream that was cut off can go on. */
const EVENTS_SECONDS = 3600;
const OLD_SESSIONS_SECONDS = 30 * 86_400;
/** A job is written with its generation, so one that is missing this long after it is lost. */
const LOST_JOB_SECONDS = 60;
/** How long one sweep may walk through the ledger; the next one goes on. */
const WALK_MS = 5000;

/** Sweeps and reconciles at once and then at every interval, until the process stops. */
export async function runHousekeeping(parts: Parts): Promise<void> {
  await Promise.all([
    repeat(parts, 'sweep', (round) => sweep(parts, round % ORPHAN_SWEEP_EVERY === 0)),
    // A slow payment company keeps no file from being deleted.
    repeat(parts, 'reconciling', () => reconcilePurchases(parts, parts.processors)),
  ]);
}

async function repeat(parts: Parts, what: string, work: (round: number) => Promise<unknown>): Promise<void> {
  const { log, intervalSeconds, stopping } = parts;
  for (let round = 0; !stopping.aborted; round += 1) {
    // What is cut off by the end of the process is done at the next start.
    await work(round).catch((error: unknown) => stopping.aborted || log.error({ err: error }, what));
    await sleep(intervalSeconds * 1000, undefined, { signal: stopping, ref: false }).catch(() => undefined);
  }
}

async function sweep(parts: Parts, withOrphans: boolean): Promise<void> {
  const { library, db, clock, log } = parts;
  const now = clock.now();
  const drift = await measureDrift(db, systemClock);
  // What is deleted too early is gone for good; a machine whose clock is right does it meanwhile.
  if (drift > DRIFT_UNREADY_SECONDS)
    return log.error({ drift }, "our clock is ahead of the database's: nothing is deleted");
  if (Math.abs(drift) > DRIFT_WARN_SECONDS) log.warn({ drift }, "our clock is not the database's");
  const isWhole = await doEach(parts, [
    () => deleteExpiredUploads(library),
    () => deleteLeftUploads(library),
    () => deleteExpiredMedia(library),
    () => deleteEventsBefore(db, secondsAfter(now, -EVENTS_SECONDS)),
    () => forgetKeys(db, now),
    () => forgetExpiredWords(library),
    () => forgetRuns(library),
    () => forgetDeliveries(db, now, expiryLimit(library)),
    async () => withOrphans && noteOrphans(db, await removeOrphans(library, log)),
    () => writeDeletions(db, library.storage),
    () => deleteOldSessions(db, secondsAfter(now, -OLD_SESSIONS_SECONDS)),
    () => forgetSignIns(db, now),
    () => closeAbandonedPurchases(db, clock),
    () => reviveLostJobs(db, parts.queue, secondsAfter(now, -LOST_JOB_SECONDS)),
    () => addUpTotals(db),
  ]);
  if (isWhole) await noteSweep(db, now);
  const violations = await walkLedger(db, clock, WALK_MS);
  if (violations > 0) log.error({ violations }, 'the ledger does not add up: see npm run admin -- check');
}

/** One after the other, each whatever became of the one before; a database that is away ends them all. */
async function doEach({ log, stopping }: Parts, steps: (() => Promise<unknown>)[]): Promise<boolean> {
  let failed = 0;
  for (const step of steps) {
    try {
      await step();
    } catch (error) {
      if (stopping.aborted || isDatabaseAway(error)) throw error;
      failed += 1;
      log.error({ err: error }, 'sweep');
    }
  }
  return failed === 0;
}

/** An open generation that no job stands for gets a new one: nothing that was paid is forgotten. */
async function reviveLostJobs(db: Db, queue: Queue, olderThan: Date): Promise<void> {
  for (const generationId of await findGenerationsWithoutJob(db, olderThan)) {
    await reviveGeneration(db, queue, generationId);
  }
}
