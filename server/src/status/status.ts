import { setTimeout as sleep } from 'node:timers/promises';
import {
  type PartState,
  type PartStates,
  siteParts,
  type Status,
  STATUS_DAYS,
  STATUS_LEAST_ENDED,
  type StatusDay,
} from '@plinth/contract/status';
import { toolIds } from '@plinth/contract/tools';
import type { FastifyInstance } from 'fastify';
import { type Clock, secondsAfter } from '../platform/clock.ts';
import type { Db } from '../platform/data/db.ts';
import { addRoute } from '../platform/http/route.ts';
import { keepFor } from '../platform/keep-for.ts';
import { readTallies, sumTallies, type Tallies, type Tally, toFigures } from './tallies.ts';

export type StatusOptions = { db: Db; clock: Clock; parts: PartChecks };

const DAY_SECONDS = 86_400;
/** The promise is a minute; ten seconds of it are for counting and for the way. */
const KEPT_MS = 50_000;

/** How the work goes, in figures for everybody. While the database is away there are none: nothing older is shown. */
export function addStatusRoutes(http: FastifyInstance, { db, clock, parts }: StatusOptions): void {
  const countDay = keepClosedDays(db);
  const read = keepFor(KEPT_MS, clock, async (now) => ({
    parts: await readParts(parts),
    ...(await countStatus(db, now, countDay)),
  }));
  addRoute(http, 'get /status', () => read());
}

type CountDay = (day: Date, now: Date) => Promise<Tallies>;

/** A day that has been over for a day is counted once: what ended in it cannot be returned any longer. */
function keepClosedDays(db: Db): CountDay {
  const closed = new Map<number, Tallies>();
  return async (day, now) => {
    const known = closed.get(day.getTime());
    if (known !== undefined) return known;
    const end = secondsAfter(day, DAY_SECONDS);
    const tallies = await readTallies(db, day, end);
    const isOver = secondsAfter(end, DAY_SECONDS) <= now;
    if (isOver) closed.set(day.getTime(), tallies);
    for (const old of closed.keys()) if (old < day.getTime() - STATUS_DAYS * DAY_SECONDS * 1000) closed.delete(old);
    return tallies;
  };
}

async function countStatus(db: Db, now: Date, countDay: CountDay): Promise<Omit<Status, 'parts'>> {
  const days: { date: string; tallies: Tallies }[] = [];
  for (const day of listDays(now)) days.push({ date: toDate(day), tallies: await countDay(day, now) });
  // The clock of a worker may be a little ahead.
  const lastHours = await readTallies(db, secondsAfter(now, -DAY_SECONDS), secondsAfter(now, DAY_SECONDS));
  return {
    hours24: { tools: toTools(lastHours) },
    days30: { tools: toTools(sumTallies(days.map(({ tallies }) => tallies))) },
    days: days.flatMap(({ date, tallies }) => toDay(date, [...tallies.values()])),
    toolDays: Object.fromEntries(
      toolIds.flatMap((tool) => {
        const own = days.flatMap(({ date, tallies }) => toDay(date, [tallies.get(tool)]));
        return own.length === 0 ? [] : [[tool, own]];
      }),
    ),
  };
}

/** The last days of UTC, each by its first moment, oldest first; today is the last. */
function listDays(now: Date): Date[] {
  const today = new Date(toDate(now));
  return Array.from({ length: STATUS_DAYS }, (_, at) => secondsAfter(today, (at + 1 - STATUS_DAYS) * DAY_SECONDS));
}

const toDate = (moment: Date): string => moment.toISOString().slice(0, 10);

function toTools(tallies: Tallies): Status['days30']['tools'] {
  return Object.fromEntries(
    toolIds.flatMap((tool) => {
      const tally = tallies.get(tool);
      const figures = tally && toFigures(tally);
      return figures === undefined ? [] : [[tool, figures]];
    }),
  );
}

function toDay(date: string, tallies: (Tally | undefined)[]): StatusDay[] {
  const ended = sumOf('ended', tallies);
  return ended < STATUS_LEAST_ENDED ? [] : [{ date, ended, succeeded: sumOf('succeeded', tallies) }];
}

const sumOf = (name: 'ended' | 'succeeded', tallies: (Tally | undefined)[]): number =>
  tallies.reduce((total, tally) => total + (tally?.[name] ?? 0), 0);

/** Asks one part how it is; one that throws, or says nothing in time, is down. */
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
