import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'kysely';
import { type Clock, secondsAfter } from '../platform/clock.ts';
import { type Db, isDatabaseUnavailable, transaction, type Tx } from '../platform/data/db.ts';
import { appendEvent, lockUser } from '../platform/data/events.ts';
import type { Log } from '../platform/log.ts';
import type { Row } from '../platform/data/rows.ts';
import { queueWebhooks } from '../webhooks/outbox.ts';
import { finishedAt, getOwnRun, type RunRow, showRun, toRunNews } from './run-view.ts';

/** Announces the state of runs to their owners, at most twice a second per run; the last state is always sent. */

type AnnouncementOptions = { db: Db; clock: Clock; log: Log; stopping: AbortSignal };

const EVERY_MS = 250;
const MIN_SECONDS = 0.5;
const MAX_AT_ONCE = 100;

export async function announceRuns({ db, clock, log, stopping }: AnnouncementOptions): Promise<void> {
  while (!stopping.aborted) {
    await announceWaiting(db, clock).catch((error: unknown) => {
      // The outage is logged elsewhere; announcements wait.
      if (!stopping.aborted && !isDatabaseUnavailable(error)) log.error({ err: error }, 'news of runs');
    });
    await sleep(EVERY_MS, undefined, { signal: stopping, ref: false }).catch(() => undefined);
  }
}

async function announceWaiting(db: Db, clock: Clock): Promise<void> {
  const waiting = await sql<Row<'runs', 'id' | 'userId'>>`
    select id, user_id as "userId" from runs where ${isDue(clock)}
    order by announced_at nulls first limit ${MAX_AT_ONCE}`.execute(db);
  for (const run of waiting.rows) await announceRun(db, clock, run);
}

const isDue = (clock: Clock) =>
  sql`is_news and (announced_at is null or announced_at <= ${secondsAfter(clock.now(), -MIN_SECONDS)})`;

async function announceRun(db: Db, clock: Clock, { id, userId }: Row<'runs', 'id' | 'userId'>): Promise<void> {
  await transaction(db, async (tx) => {
    // The same lock order as at the end of an item.
    await lockUser(tx, userId);
    const taken = await sql`
      update runs set is_news = false, announced_at = ${clock.now()} where id = ${id} and ${isDue(clock)}`.execute(tx);
    if (taken.numAffectedRows !== 1n) return;
    const run = await getOwnRun(tx, userId, id);
    await appendEvent(tx, userId, 'run', toRunNews(run));
    await tellEnd(tx, clock, run);
  });
}

/** Notifies the owner's webhook endpoints once per end, unless a retry reopens the run first. */
async function tellEnd(tx: Tx, clock: Clock, row: RunRow): Promise<void> {
  if (finishedAt(row) === null) return;
  const first = await sql`update runs set is_end_told = true where id = ${row.id} and not is_end_told`.execute(tx);
  if (first.numAffectedRows !== 1n) return;
  const run = await showRun(tx, row);
  await queueWebhooks(tx, row.userId, { event: 'run.finished', now: clock.now(), data: () => run });
}
