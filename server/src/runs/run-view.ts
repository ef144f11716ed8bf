import { altText } from '@plinth/contract/item-facts';
import type { EventBody } from '@plinth/contract/events';
import type { GenerationStatus } from '@plinth/contract/generations';
import type { Run, RunItem } from '@plinth/contract/runs';
import type { RunCounts, RunStatus } from '@plinth/contract/run-progress';
import { sql } from 'kysely';
import { findGenerations, toGeneration, type ViewSettings } from '../generations/generation-view.ts';
import { type Db, getRow, type Tx } from '../platform/data/db.ts';
import { pageClause, type PageRequest, toPage } from '../platform/http/paging.ts';
import type { Column, Row } from '../platform/data/rows.ts';
import { findMissing, type MeasuredItem } from './ruler.ts';

/** Reads runs and their items. Counts and ends are derived from the items, never stored. */

export type RunRow = Row<
  'runs',
  'id' | 'userId' | 'name' | 'tool' | 'fields' | 'packs' | 'look' | 'createdAt' | 'closedAt' | 'canceledAt'
> & {
  counts: RunCounts;
  /** End of the last item; null if there are none. */
  lastEndAt: Date | null;
  spent: number;
  returned: number;
  cursor: string;
};

const sumOf = (reason: 'debit' | 'refund') => sql`
  (select coalesce(sum(abs(e.delta)), 0) from generations g
    join credit_ledger e on e.generation_id = g.id and e.reason = ${sql.lit(reason)} where g.run_id = r.id)`;

/** The generation whose result counts for an item `n`: its newest try, or the newest redo with a result. */
const SHOWN = sql`
  coalesce((select d.id from generations d join generated_media m on m.generation_id = d.id and m.deleted_at is null
      where d.redo_of = n.generation_id and d.returned_at is null
      order by d.redo_number desc limit 1), n.generation_id)`;

const SELECT = sql`
  select r.id, r.user_id as "userId", r.name, r.tool, r.fields, r.packs, r.look, r.created_at as "createdAt",
    r.closed_at as "closedAt", r.canceled_at as "canceledAt", r.created_at::text as cursor,
    i.counts, i."lastEndAt",
    ${sumOf('debit')} as spent, ${sumOf('refund')} as returned
  from runs r
  cross join lateral (
    select jsonb_build_object('total', count(*),
        'queued', count(*) filter (where g.status = 'queued'), 'running', count(*) filter (where g.status = 'running'),
        'succeeded', count(*) filter (where g.status = 'succeeded'),
        'failed', count(*) filter (where g.status = 'failed'),
        'canceled', count(*) filter (where g.status = 'canceled')) as counts,
      max(g.finished_at) as "lastEndAt"
    from run_items n join generations g on g.id = n.generation_id where n.run_id = r.id) i`;

export type RunState = Row<'runs', 'id' | 'userId' | 'tool' | 'fields'> & {
  isClosed: boolean;
  isCanceled: boolean;
  items: number;
};

/** What decides which items may be added, without the run's counts and sums. @throws AppError as `getOwnRun` */
export async function getOwnState(db: Db | Tx, userId: string, runId: string): Promise<RunState> {
  const found = await sql<RunState>`
    select id, user_id as "userId", tool, fields, closed_at is not null or canceled_at is not null as "isClosed", canceled_at is not null as "isCanceled",
      (select count(*) from run_items where run_id = runs.id) as items
    from runs where id = ${runId} and user_id = ${userId}`.execute(db);
  return getRow(found);
}

/** A run of this user. @throws AppError not_found, also for another user's */
export async function getOwnRun(db: Db | Tx, userId: string, runId: string): Promise<RunRow> {
  const found = await sql<RunRow>`${SELECT} where r.id = ${runId} and r.user_id = ${userId}`.execute(db);
  return getRow(found);
}

export async function listRuns(db: Db, userId: string, page: PageRequest) {
  const found = await sql<RunRow>`
    ${SELECT} where r.user_id = ${userId} ${pageClause(page, 'r')}`.execute(db);
  const measured = await readMeasured(db, found.rows);
  return toPage(found.rows, page, (row) => toRun(row, measured));
}

export function statusOf({ closedAt, canceledAt, counts }: RunRow): RunStatus {
  if (canceledAt !== null) return 'canceled';
  if (closedAt === null) return 'open';
  return isAtRest(counts) ? 'finished' : 'closed';
}

const isAtRest = ({ queued, running }: RunCounts): boolean => queued + running === 0;

/** The run's end; null while items may follow. */
export function finishedAt(row: RunRow): string | null {
  const { counts, closedAt, canceledAt, lastEndAt } = row;
  const status = statusOf(row);
  const isOver = (status === 'finished' || status === 'canceled') && isAtRest(counts);
  const ends = [closedAt, canceledAt, lastEndAt].flatMap((end) => end?.getTime() ?? []);
  return isOver ? new Date(Math.max(...ends)).toISOString() : null;
}

export async function showRun(db: Db | Tx, row: RunRow): Promise<Run> {
  return toRun(row, await readMeasured(db, [row]));
}

function toRun(row: RunRow, measured: MeasuredRuns): Run {
  const { id, name, tool, fields, packs, look, counts, createdAt } = row;
  const missing = [...findMissing(row, measured.get(id) ?? []).values()];
  return {
    id,
    name,
    tool,
    fields,
    packs,
    look,
    status: statusOf(row),
    counts,
    incomplete: missing.filter((files) => files.length > 0).length,
    credits: { spent: row.spent, returned: row.returned },
    createdAt: createdAt.toISOString(),
    finishedAt: finishedAt(row),
  };
}

/** The event sent to the owner's streams. */
export function toRunNews(row: RunRow): EventBody<'run'> {
  return { id: row.id, status: statusOf(row), counts: row.counts };
}

type ItemRow = Row<
  'runItems',
  'id' | 'sku' | 'filename' | 'heightCm' | 'asin' | 'ean' | 'role' | 'handle' | 'runId'
> & { generationId: Column<'generations', 'id'>; cursor: string } & Row<'runs', 'packs' | 'look'>;

type MeasuredRuns = ReadonlyMap<string, readonly MeasuredItem[]>;

/** The items with a result of those runs that have packs. */
export async function readMeasured(db: Db | Tx, runs: readonly Pick<RunRow, 'id' | 'packs'>[]): Promise<MeasuredRuns> {
  const ids = runs.filter(({ packs }) => packs.length > 0).map(({ id }) => id);
  if (ids.length === 0) return new Map();
  const found = await sql<MeasuredItem & Row<'runItems', 'runId'>>`
    select n.run_id as "runId", n.id, n.height_cm as "heightCm", m.pack_subject as subject
    from run_items n join generated_media m on m.generation_id = ${SHOWN} and m.deleted_at is null
    where n.run_id = any(${ids})`.execute(db);
  return Map.groupBy(found.rows, ({ runId }) => runId);
}

const SELECT_ITEMS = sql`
  select n.id, n.sku, n.filename, n.height_cm as "heightCm", n.asin, n.ean, n.role, n.handle, n.created_at::text as cursor, ${SHOWN} as "generationId",
    r.id as "runId", r.packs, r.look
  from run_items n join generations g on g.id = n.generation_id join runs r on r.id = n.run_id`;

export async function listItems(
  db: Db,
  settings: ViewSettings,
  runId: string,
  status: GenerationStatus | null,
  page: PageRequest,
) {
  const found = await sql<ItemRow>`
    ${SELECT_ITEMS}
    where n.run_id = ${runId} and (${status}::text is null or g.status = ${status}) ${pageClause(page, 'n')}`.execute(
    db,
  );
  const listed = toPage(found.rows, page, (row) => row);
  return { ...listed, items: await toItems(db, settings, listed.items) };
}

/** One item. @throws AppError not_found */
export async function getItem(db: Db | Tx, settings: ViewSettings, itemId: string): Promise<RunItem> {
  const found = await sql<ItemRow>`${SELECT_ITEMS} where n.id = ${itemId}`.execute(db);
  return getRow({ rows: await toItems(db, settings, found.rows) });
}

/** All items of a run, oldest first. */
export async function readItems(db: Db, settings: ViewSettings, runId: string): Promise<RunItem[]> {
  const found = await sql<ItemRow>`
    ${SELECT_ITEMS} where n.run_id = ${runId} order by n.created_at, n.id`.execute(db);
  return toItems(db, settings, found.rows);
}

/** The price of each item's newest paid try, by item id; a free redo does not change it. */
export async function readCosts(db: Db, runId: string): Promise<Map<string, number>> {
  const found = await sql<Row<'runItems', 'id'> & Row<'generations', 'cost'>>`
    select n.id, g.cost from run_items n join generations g on g.id = n.generation_id where n.run_id = ${runId}
  `.execute(db);
  return new Map(found.rows.map(({ id, cost }) => [id, cost]));
}

async function toItems(db: Db | Tx, settings: ViewSettings, rows: ItemRow[]): Promise<RunItem[]> {
  const ids = rows.map(({ generationId }) => generationId);
  const found = await findGenerations(db, ids);
  const items = rows.map(({ generationId, runId: _run, packs: _packs, look: _look, cursor: _cursor, ...item }) => {
    const row = found.get(generationId);
    if (row === undefined) throw new Error(`the item ${item.id} has no generation`);
    const generation = toGeneration(row, settings);
    const words = generation.result?.understood ?? [generation.input?.['prompt'] ?? ''];
    return { ...item, alt: altText(item, words), generation };
  });
  const hasResult = items.some(({ generation }) => generation.result !== null);
  const missing = rows[0] && hasResult ? await findMissingOf(db, rows[0]) : undefined;
  return items.map((item) => ({ ...item, missingFiles: missing?.get(item.id) ?? [] }));
}

/** Measures all items of the run, which share one scale. */
async function findMissingOf(db: Db | Tx, { runId: id, packs, look }: ItemRow) {
  const measured = await readMeasured(db, [{ id, packs }]);
  return findMissing({ packs, look }, measured.get(id) ?? []);
}
