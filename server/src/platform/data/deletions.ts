import { sql } from 'kysely';
import { z } from 'zod';
import { secondsAfter } from '../clock.ts';
import type { Db, Tx } from './db.ts';
import type { Row } from './rows.ts';
import type { Storage } from './storage.ts';

/**
 * What users deleted before it expired: noted in the deleting transaction and written to storage by the sweep, a file
 * per day, so that restoring an older backup can repeat it.
 */

const KINDS = ['account', 'media', 'return', 'key', 'endpoint'] as const;
type DeletionKind = (typeof KINDS)[number];

const FOLDER = 'deletions/';
// Files written before a kind existed lack it.
const daySchema = z.record(z.string(), z.array(z.string()));
/** Ids by kind: users, media items, returned generations, API keys, webhook endpoints. */
export type Deletions = Record<DeletionKind, string[]>;

/** Notes a deletion in the caller's transaction. */
export async function recordDeletion(tx: Tx, kind: DeletionKind, subject: string, now: Date): Promise<void> {
  await sql`
    insert into deletions (kind, subject, deleted_at) values (${kind}, ${subject}, ${now})
    on conflict do nothing`.execute(tx);
}

/** Notes deletions again that only the storage knows, because a day's file is written from the rows alone. */
export async function recordDeletions(tx: Tx, deletions: Deletions, now: Date): Promise<void> {
  for (const kind of KINDS) for (const subject of deletions[kind]) await recordDeletion(tx, kind, subject, now);
}

/** Writes the files of days with new deletions to storage. */
export async function writeDeletions(db: Db, storage: Storage): Promise<void> {
  const days = await sql<{ day: string }>`
    select distinct (deleted_at at time zone 'utc')::date::text as day from deletions where not is_written`.execute(db);
  for (const { day } of days.rows) await writeDay(db, storage, day);
}

/** Repeats until the rows are unchanged after the write, which may have replaced a newer file of another sweep. */
async function writeDay(db: Db, storage: Storage, day: string, written = ''): Promise<void> {
  const found = await sql<Row<'deletions', 'kind' | 'subject'>>`
    select kind, subject from deletions where (deleted_at at time zone 'utc')::date = ${day}::date
    order by kind, subject`.execute(db);
  const subjectsOf = (wanted: DeletionKind) =>
    found.rows.filter(({ kind }) => kind === wanted).map(({ subject }) => subject);
  // Another sweep has written the day and ended its rows.
  if (found.rows.length === 0) return;
  const content = JSON.stringify(Object.fromEntries(KINDS.map((kind) => [kind, subjectsOf(kind)])));
  if (content !== written) {
    await storage.put(`${FOLDER}${day}.json`, Buffer.from(content), 'application/json');
    return writeDay(db, storage, day, content);
  }
  const subjects = found.rows.map(({ subject }) => subject);
  await sql`update deletions set is_written = true where subject = any(${subjects})`.execute(db);
}

const KEPT_SECONDS = 2 * 86_400;

/**
 * Ends the rows of past days: a restore reads only the storage. A day ends as a whole, and once all of it is written,
 * because a late deletion rewrites the day's file from its rows.
 */
export async function endDeletions(db: Db, now: Date): Promise<void> {
  const days = await sql<{ day: string }>`
    select day::text as day from (
      select (deleted_at at time zone 'utc')::date as day, is_written from deletions) as noted
    where day < (${secondsAfter(now, -KEPT_SECONDS)} at time zone 'utc')::date
    group by day having bool_and(is_written) order by day`.execute(db);
  for (const { day } of days.rows)
    await sql`delete from deletions where (deleted_at at time zone 'utc')::date = ${day}::date`.execute(db);
}

/** A deletion is stamped with its start; after this time it has ended or failed. */
const MAX_DELETION_MS = 10 * 60_000;

/** Reads deletions from storage: all that ended since that moment, and others of the same days. */
export async function readDeletions(storage: Storage, since: Date): Promise<Deletions> {
  const all: Deletions = { account: [], media: [], return: [], key: [], endpoint: [] };
  const first = `${FOLDER}${new Date(since.getTime() - MAX_DELETION_MS).toISOString().slice(0, 10)}.json`;
  for await (const { key } of storage.list()) {
    if (!/^deletions\/\d{4}-\d\d-\d\d\.json$/.test(key) || key < first) continue;
    const written = await storage.readWhole(key);
    if (written === undefined) continue;
    const day = daySchema.parse(JSON.parse(written.toString()));
    for (const kind of KINDS) all[kind].push(...(day[kind] ?? []));
  }
  return all;
}
