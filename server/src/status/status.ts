import { setTimeout as sleep } from 'node:timers/promises';
import { refusalCodes } from '@plinth/contract/generations';
import {
  type PartState,
  type PartStates,
  siteParts,
  type Status,
  STATUS_DAYS,
  STATUS_MIN_ENDED,
  type StatusDay,
  type ToolFigures,
} from '@plinth/contract/status';
import { type ToolId, toolIds } from '@plinth/contract/tools';
import type { FastifyInstance } from 'fastify';
import { sql } from 'kysely';
import { type Clock, secondsAfter } from '../platform/clock.ts';
import type { Db } from '../platform/data/db.ts';
import type { Column, Row } from '../platform/data/rows.ts';
import { addRoute } from '../platform/http/route.ts';
import { cacheFor } from '../platform/cache-for.ts';

type StatusOptions = { db: Db; clock: Clock; parts: PartChecks };

const DAY_SECONDS = 86_400;
/** The contract allows 60 s; ten of them are reserved for the query and delivery. */
const KEPT_MS = 50_000;

/** The public status. Has no figures during an outage of the database, rather than outdated ones. */
export function addStatusRoutes(http: FastifyInstance, { db, clock, parts }: StatusOptions): void {
  const read = cacheFor(KEPT_MS, clock, async (now) => ({
    parts: await readParts(parts),
    ...(await countStatus(db, now)),
  }));
  addRoute(http, 'get /status', () => read());
}

async function countStatus(db: Db, now: Date): Promise<Omit<Status, 'parts'>> {
  const today = new Date(now.toISOString().slice(0, 10));
  const from = secondsAfter(today, (1 - STATUS_DAYS) * DAY_SECONDS);
  // A worker's clock may be slightly ahead.
  const to = secondsAfter(now, DAY_SECONDS);
  const hours24 = await countTools(db, secondsAfter(now, -DAY_SECONDS), to);
  const days30 = await countTools(db, from, to);
  const days = await countDays(db, from, to);
  const daysOf = (wanted: ToolId | null): StatusDay[] =>
    days.flatMap(({ tool, ...day }) => (tool === wanted ? [day] : []));
  const toolDays = toolIds.map((tool) => [tool, daysOf(tool)] as const).filter(([, own]) => own.length > 0);
  return { hours24, days30, days: daysOf(null), toolDays: Object.fromEntries(toolDays) };
}

type ToolRow = Row<'generations', 'tool'> &
  Omit<ToolFigures, 'medianSeconds' | 'p95Seconds'> & { seconds: number[] | null };

/**
 * Tools with enough ended generations in a period; its end is exclusive. An item of a run (it has a turn) is timed from
 * its start, because it waits behind the others of its run.
 */
async function countTools(db: Db, from: Date, to: Date): Promise<Status['days30']> {
  const found = await sql<ToolRow>`
    select tool, count(*) as ended,
      count(*) filter (where status = 'succeeded') as succeeded,
      count(*) filter (where is_refused) as refused,
      count(*) filter (where status = 'failed' and not is_refused) as failed,
      coalesce(sum(cost) filter (where status <> 'succeeded' or returned_at is not null), 0) as "creditsReturned",
      percentile_disc(array[0.5, 0.95]) within group (order by seconds) filter (where status = 'succeeded') as seconds
    from generations, lateral (select
      coalesce(error_code = any(${refusalCodes}), false) as is_refused,
      case when turn is null then created_at else coalesce(started_at, created_at) end as began
    ) as begun, lateral (select
      greatest(0, round(date_part('epoch', finished_at - began) * 10) / 10) as seconds
    ) as timed
    where finished_at >= ${from} and finished_at < ${to}
    group by tool having count(*) >= ${STATUS_MIN_ENDED}`.execute(db);
  const tools: Status['days30']['tools'] = {};
  for (const { tool, seconds, ...counts } of found.rows) {
    const [medianSeconds = null, p95Seconds = null] = seconds ?? [];
    tools[tool] = { ...counts, medianSeconds, p95Seconds };
  }
  return { tools };
}

/** UTC days with enough ended generations, oldest first, per tool and (null) for all tools. */
async function countDays(db: Db, from: Date, to: Date): Promise<(StatusDay & { tool: ToolId | null })[]> {
  const found = await sql<StatusDay & { tool: Column<'generations', 'tool'> | null }>`
    select tool, date, count(*) as ended, count(*) filter (where status = 'succeeded') as succeeded
    from generations, lateral (select to_char(finished_at at time zone 'UTC', 'YYYY-MM-DD') as date) as computed
    where finished_at >= ${from} and finished_at < ${to}
    group by grouping sets ((date), (tool, date)) having count(*) >= ${STATUS_MIN_ENDED}
    order by date`.execute(db);
  return found.rows;
}

/** Checks one part; it is down if the check throws or times out. */
export type PartChecks = Record<keyof PartStates, () => Promise<PartState>>;

const SLOW_MS = 1000;
const LATE_MS = 3000;

export async function readParts(checks: PartChecks): Promise<PartStates> {
  const states = await Promise.all(siteParts.map(async (part) => [part, await judge(checks[part])] as const));
  return Object.fromEntries(states) as PartStates;
}

async function judge(check: () => Promise<PartState>): Promise<PartState> {
  const startedAt = performance.now();
  const late = sleep<PartState>(LATE_MS, 'down', { ref: false });
  const state = await Promise.race([check().catch((): PartState => 'down'), late]);
  return state === 'up' && performance.now() - startedAt > SLOW_MS ? 'slow' : state;
}
