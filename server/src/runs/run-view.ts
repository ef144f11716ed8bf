import { altText } from '@plinth/contract/item-facts';
import type { EventBody } from '@plinth/contract/events';
import type { GenerationStatus } from '@plinth/contract/generations';
import { isPackId } from '@plinth/contract/pack-names';
import type { RefusedPacks } from '@plinth/contract/packs';
import type { Run, RunItem } from '@plinth/contract/runs';
import type { RunCounts, RunStatus } from '@plinth/contract/run-progress';
import { type RawBuilder, sql } from 'kysely';
import { findGenerations, toGeneration, type ViewSettings } from '../generations/generation-view.ts';
import type { Db, Tx } from '../platform/data/db.ts';
import { AppError } from '../platform/errors.ts';
import { type PageRequest, toPage } from '../platform/http/paging.ts';
import type { Column, Row } from '../platform/data/rows.ts';

/** Runs and their items, read and shown. Counts and ends are read from the items: nothing is kept twice. */

export type RunRow = Row<
  'runs',
  'id' | 'userId' | 'name' | 'tool' | 'fields' | 'packs' | 'look' | 'createdAt' | 'closedAt' | 'canceledAt'
> & {
  counts: RunCounts;
  /** When the last item ended; null while there is none. */
  lastEndAt: Date | null;
  spent: number;
  returned: number;
  incomplete: number;
  cursor: string;
};

const sumOf = (reason: 'debit' | 'refund') => sql`
  (select coalesce(sum(abs(e.delta)), 0) from generations g
    join credit_ledger e on e.generation_id = g.id and e.reason = ${sql.lit(reason)} where g.run_id = r.id)`;

/** The generation whose result stands for an item `n`: its newest try, or the newest free second try that has one. */
const SHOWN = sql`
  coalesce((select d.id from generations d join generated_media m on m.generation_id = d.id and m.deleted_at is null
      where d.redo_of = n.generation_id and d.returned_at is null
      order by d.redo_number desc limit 1), n.generation_id)`;

const SELECT = sql`
  select r.id, r.user_id as "userId", r.name, r.tool, r.fields, r.packs, r.look, r.created_at as "createdAt",
    r.closed_at as "closedAt", r.canceled_at as "canceledAt", r.created_at::text as cursor,
    i.counts, i."lastEndAt",
    (select count(*) from run_items n
      join generated_media m on m.generation_id = ${SHOWN} and m.deleted_at is null
      where n.run_id = r.id and r.packs <> '{}' and m.refused_packs ?| r.packs) as incomplete,
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

type RunState = Row<'runs', 'tool'> & { isClosed: boolean; isCanceled: boolean; items: number };

/** What decides whether something may be added. @throws AppError not_found */
export async function getOwnState(db: Db | Tx, userId: string, runId: string): Promise<RunState> {
  const found = await sql<RunState>`
    select tool, closed_at is not null or canceled_at is not null as "isClosed", canceled_at is not null as "isCanceled",
      (select count(*) from run_items where run_id = runs.id) as items
    from runs where id = ${runId} and user_id = ${userId}`.execute(db);
  const state = found.rows[0];
  if (state === undefined) throw new AppError('not_found');
  return state;
}

/** A run of this user. @throws AppError not_found, also for a run of somebody else */
export async function getOwnRun(db: Db | Tx, userId: string, runId: string): Promise<RunRow> {
  const found = await sql<RunRow>`${SELECT} where r.id = ${runId} and r.user_id = ${userId}`.execute(db);
  const row = found.rows[0];
  if (row === undefined) throw new AppError('not_found');
  return row;
}

export async function listRuns(db: Db, userId: string, page: PageRequest) {
  const found = await sql<RunRow>`
    ${SELECT}
    where r.user_id = ${userId} and ${isAfter(page, 'r')}
    order by r.created_at desc, r.id desc limit ${page.limit + 1}`.execute(db);
  return toPage(found.rows, page, (row) => ({ createdAt: row.cursor, id: row.id }), toRun);
}

const isAfter = ({ after }: PageRequest, table: string): RawBuilder<unknown> =>
  after === null
    ? sql`true`
    : sql`(${sql.ref(`${table}.created_at`)}, ${sql.ref(`${table}.id`)}) < (${after.createdAt}::timestamptz, ${after.id})`;

export function statusOf({ closedAt, canceledAt, counts }: RunRow): RunStatus {
  if (canceledAt !== null) return 'canceled';
  if (closedAt === null) return 'open';
  return isAtRest(counts) ? 'finished' : 'closed';
}

const isAtRest = ({ queued, running }: RunCounts): boolean => queued + running === 0;

export function toRun(row: RunRow): Run {
  const { id, name, tool, fields, packs, look, counts, createdAt, closedAt, canceledAt, lastEndAt } = row;
  const status = statusOf(row);
  const isOver = (status === 'finished' || status === 'canceled') && isAtRest(counts);
  const ends = [closedAt, canceledAt, lastEndAt].flatMap((end) => end?.getTime() ?? []);
  return {
    id,
    name,
    tool,
    fields,
    packs,
    look,
    status,
    counts,
    incomplete: row.incomplete,
    credits: { spent: row.spent, returned: row.returned },
    createdAt: createdAt.toISOString(),
    finishedAt: isOver ? new Date(Math.max(...ends)).toISOString() : null,
  };
}

/** The event for the owner's streams. */
export function toRunNews(row: RunRow): EventBody<'run'> {
  return { id: row.id, status: statusOf(row), counts: row.counts };
}

export type ItemRow = Row<'runItems', 'id' | 'sku' | 'filename' | 'heightCm' | 'asin' | 'ean' | 'role' | 'handle'> & {
  generationId: Column<'generations', 'id'>;
  packs: Column<'runs', 'packs'>;
  refusedPacks: Column<'generatedMedia', 'refusedPacks'>;
  cursor: string;
};

const SELECT_ITEMS = sql`
  select n.id, n.sku, n.filename, n.height_cm as "heightCm", n.asin, n.ean, n.role, n.handle, n.created_at::text as cursor, ${SHOWN} as "generationId",
    case when r.packs <> '{}' then (select m.refused_packs from generated_media m
      where m.generation_id = ${SHOWN} and m.deleted_at is null) end as "refusedPacks", r.packs
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
    where n.run_id = ${runId} and (${status}::text is null or g.status = ${status}) and ${isAfter(page, 'n')}
    order by n.created_at desc, n.id desc limit ${page.limit + 1}`.execute(db);
  const items = await toItems(db, settings, found.rows);
  const listed = toPage(
    found.rows,
    page,
    (row) => ({ createdAt: row.cursor, id: row.id }),
    (row) => row,
  );
  return { ...listed, items: items.slice(0, listed.items.length) };
}

/** One item. @throws AppError not_found */
export async function getItem(db: Db | Tx, settings: ViewSettings, itemId: string): Promise<RunItem> {
  const found = await sql<ItemRow>`${SELECT_ITEMS} where n.id = ${itemId}`.execute(db);
  const [item] = await toItems(db, settings, found.rows);
  if (item === undefined) throw new AppError('not_found');
  return item;
}

/** All items of a run, oldest first. */
export async function readItems(db: Db, settings: ViewSettings, runId: string): Promise<RunItem[]> {
  const found = await sql<ItemRow>`
    ${SELECT_ITEMS} where n.run_id = ${runId} order by n.created_at, n.id`.execute(db);
  return toItems(db, settings, found.rows);
}

async function toItems(db: Db | Tx, settings: ViewSettings, rows: ItemRow[]): Promise<RunItem[]> {
  const ids = rows.map(({ generationId }) => generationId);
  const generations = await findGenerations(db, ids);
  return rows.map(({ generationId, packs, refusedPacks, cursor: _cursor, ...item }) => {
    const found = generations.get(generationId);
    if (found === undefined) throw new Error(`the item ${item.id} has no generation`);
    const missingFiles = listMissing(packs, refusedPacks ?? {});
    const generation = toGeneration(found, settings);
    const words = generation.result?.understood ?? [generation.input?.['prompt'] ?? ''];
    return { ...item, alt: altText(item, words), generation, missingFiles };
  });
}

function listMissing(packs: string[], refused: RefusedPacks): RunItem['missingFiles'] {
  return packs.filter(isPackId).flatMap((pack) => {
    const refusal = refused[pack];
    return refusal === undefined ? [] : [{ pack, refusal }];
  });
}
