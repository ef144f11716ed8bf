import { refusalCodes } from '@plinth/contract/generations';
import { STATUS_LEAST_ENDED, type ToolFigures } from '@plinth/contract/status';
import type { ToolId } from '@plinth/contract/tools';
import { sql } from 'kysely';
import type { Db } from '../platform/data/db.ts';
import type { Row } from '../platform/data/rows.ts';

/** What ended of one tool in one span; `durations` holds how many took so many tenths of a second. */
export type Tally = Omit<ToolFigures, 'medianSeconds' | 'p95Seconds'> & { durations: Map<number, number> };
export type Tallies = Map<ToolId, Tally>;

type Group = Row<'generations', 'tool' | 'status'> & {
  isRefused: boolean;
  /** Of those that succeeded. */
  tenths: number | null;
  ended: number;
  returned: number;
};

/** Counts what ended from one moment to another; the second is not part of it. One statement, by an index. */
export async function readTallies(db: Db, from: Date, to: Date): Promise<Tallies> {
  const found = await sql<Group>`
    select tool, status, coalesce(error_code = any(${refusalCodes}), false) as "isRefused",
      case when status = 'succeeded'
        then greatest(0, round(date_part('epoch', finished_at - created_at) * 10)) end as tenths,
      count(*) as ended,
      coalesce(sum(cost) filter (where status <> 'succeeded' or returned_at is not null), 0) as returned
    from generations where finished_at >= ${from} and finished_at < ${to} group by 1, 2, 3, 4`.execute(db);
  const tallies: Tallies = new Map();
  for (const group of found.rows) add(tallies, group.tool, toTally(group));
  return tallies;
}

function toTally({ status, isRefused, tenths, ended, returned }: Group): Tally {
  return {
    ended,
    succeeded: status === 'succeeded' ? ended : 0,
    refused: isRefused ? ended : 0,
    failed: status === 'failed' && !isRefused ? ended : 0,
    creditsReturned: returned,
    durations: new Map(tenths === null ? [] : [[tenths, ended]]),
  };
}

/** Several spans as one. */
export function sumTallies(spans: Iterable<Tallies>): Tallies {
  const sum: Tallies = new Map();
  for (const tallies of spans) for (const [tool, tally] of tallies) add(sum, tool, tally);
  return sum;
}

const COUNTS = ['ended', 'succeeded', 'refused', 'failed', 'creditsReturned'] as const;

function add(tallies: Tallies, tool: ToolId, more: Tally): void {
  const sum = tallies.get(tool) ?? {
    ...{ ended: 0, succeeded: 0, refused: 0, failed: 0, creditsReturned: 0 },
    durations: new Map<number, number>(),
  };
  for (const name of COUNTS) sum[name] += more[name];
  for (const [tenths, count] of more.durations) sum.durations.set(tenths, (sum.durations.get(tenths) ?? 0) + count);
  tallies.set(tool, sum);
}

/** The public figures of a tool; undefined where there is too little to say anything. */
export function toFigures({ durations, ...counts }: Tally): ToolFigures | undefined {
  if (counts.ended < STATUS_LEAST_ENDED) return undefined;
  return { ...counts, medianSeconds: findSeconds(durations, 50), p95Seconds: findSeconds(durations, 95) };
}

/** The shortest time within which so many of a hundred were done (nearest rank), in seconds; null where none was. */
function findSeconds(durations: Tally['durations'], percent: number): number | null {
  const total = [...durations.values()].reduce((sum, count) => sum + count, 0);
  let done = 0;
  for (const [tenths, count] of [...durations].toSorted(([one], [other]) => one - other)) {
    done += count;
    if (done * 100 >= total * percent) return tenths / 10;
  }
  return null;
}
