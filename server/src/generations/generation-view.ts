import { type Generation, type GenerationStatus, generationStatuses } from '@plinth/contract/generations';
import { mediaUrls } from '@plinth/contract/media';
import { SECOND_TRY_SECONDS } from '@plinth/contract/limits';
import { findTool, type ToolId, toolIds } from '@plinth/contract/tools';
import { pickTexts } from '@plinth/contract/tool-fields';
import type { Tool } from '@plinth/contract/tool';
import { sql } from 'kysely';
import { hasUploads, UPLOADED_AT } from '../media/library.ts';
import { type Clock, secondsAfter } from '../platform/clock.ts';
import type { Db, Tx } from '../platform/data/db.ts';
import { AppError, fieldError } from '../platform/errors.ts';
import { appendEvent } from '../platform/data/events.ts';
import { pageClause, type PageRequest, toPage } from '../platform/http/paging.ts';
import type { Column, Row } from '../platform/data/rows.ts';

export type GenerationRow = Row<
  'generations',
  'id' | 'userId' | 'tool' | 'status' | 'cost' | 'percent' | 'cancelRequested' | 'errorCode' | 'errorMessage'
> &
  Row<'generations', 'createdAt' | 'startedAt' | 'finishedAt' | 'input' | 'redoOf' | 'runId'> &
  Row<'generations', 'understood' | 'notDrawn' | 'placement' | 'candidateBox'> & {
    mediaId: Column<'generatedMedia', 'id'> | null;
    contentType: Column<'generatedMedia', 'contentType'> | null;
    mediaType: Column<'generatedMedia', 'mediaType'> | null;
    filename: Column<'generatedMedia', 'originalFilename'>;
    redosUsed: number;
    /** Creation time of its uploads; null once one of them is deleted. */
    uploadedAt: Date | null;
    returned: boolean;
    cursor: string;
  };

export type ViewSettings = { clock: Clock; ttlSeconds: number; freeRedos: (tool: ToolId) => number };

const SELECT = sql`
  select g.id, g.user_id as "userId", g.tool, g.status, g.cost, g.percent, g.cancel_requested as "cancelRequested",
    g.error_code as "errorCode", g.error_message as "errorMessage", g.created_at as "createdAt",
    g.started_at as "startedAt", g.finished_at as "finishedAt", m.id as "mediaId", m.content_type as "contentType",
    m.media_type as "mediaType", m.original_filename as filename, g.input, g.redo_of as "redoOf",
    (select count(*) from generations r where r.redo_of = coalesce(g.redo_of, g.id)
      and r.status not in ('failed', 'canceled')) as "redosUsed",
    ${UPLOADED_AT} as "uploadedAt", g.returned_at is not null as returned, g.run_id as "runId", g.understood, g.not_drawn as "notDrawn",
    g.placement, g.candidate_box as "candidateBox", g.created_at::text as cursor
  from generations g left join generated_media m on m.generation_id = g.id`;

/** The tool of a stored generation. @throws if the catalogue no longer has it */
export function getTool(id: string): Tool {
  const tool = findTool(id);
  if (tool === undefined) throw new Error(`the tool ${id} is not in the catalogue`);
  return tool;
}

async function findGeneration(db: Db | Tx, generationId: string): Promise<GenerationRow | undefined> {
  const found = await sql<GenerationRow>`${SELECT} where g.id = ${generationId}`.execute(db);
  return found.rows[0];
}

export async function findGenerations(db: Db | Tx, generationIds: string[]): Promise<Map<string, GenerationRow>> {
  const found = await sql<GenerationRow>`${SELECT} where g.id = any(${generationIds})`.execute(db);
  return new Map(found.rows.map((row) => [row.id, row]));
}

/** A generation of this user. @throws AppError not_found, also for another user's */
export async function getOwnRow(db: Db | Tx, userId: string, generationId: string): Promise<GenerationRow> {
  const row = await findGeneration(db, generationId);
  if (row?.userId !== userId) throw new AppError('not_found');
  return row;
}

type GenerationFilter = { status: GenerationStatus | null; tool: ToolId | null };

/** Parses the status filter of a query; null without one. @throws AppError invalid_option */
export function readStatus(value: unknown): GenerationStatus | null {
  const status = generationStatuses.find((one) => one === value);
  if (value !== undefined && status === undefined) throw fieldError('status', 'invalid_option');
  return status ?? null;
}

export async function listGenerations(
  db: Db,
  settings: ViewSettings,
  userId: string,
  filter: GenerationFilter,
  page: PageRequest,
) {
  const found = await sql<GenerationRow>`
    ${SELECT}
    where g.user_id = ${userId} and g.tool = any(${toolIds})
      and (${filter.status}::text is null or g.status = ${filter.status})
      and (${filter.tool}::text is null or g.tool = ${filter.tool})
      ${pageClause(page, 'g')}`.execute(db);
  return toPage(found.rows, page, (row) => toGeneration(row, settings));
}

export function toGeneration(row: GenerationRow, settings: ViewSettings): Generation {
  return {
    ...toEventBody(row),
    redoOf: row.redoOf,
    redosLeft: countRedosLeft(row, settings),
    returned: row.returned,
    input: hasUploads(row, settings) ? pickTexts(getTool(row.tool), row.input) : null,
    cost: row.cost,
    cancelRequested: row.cancelRequested,
    result: toResult(row),
    createdAt: row.createdAt.toISOString(),
    startedAt: row.startedAt?.toISOString() ?? null,
    finishedAt: row.finishedAt?.toISOString() ?? null,
  };
}

/** True while a result can be redone or returned. */
export function isFresh({ finishedAt }: GenerationRow, { clock }: Pick<ViewSettings, 'clock'>): boolean {
  return finishedAt === null || finishedAt > secondsAfter(clock.now(), -SECOND_TRY_SECONDS);
}

function countRedosLeft(row: GenerationRow, settings: ViewSettings): number {
  const hasFailed = row.status === 'failed' || row.status === 'canceled';
  if (row.returned || hasFailed || !isFresh(row, settings) || !hasUploads(row, settings)) return 0;
  return Math.max(0, settings.freeRedos(row.tool) - row.redosUsed);
}

function toResult(row: GenerationRow): Generation['result'] {
  if (row.status !== 'succeeded' || row.mediaId === null || row.returned) return null;
  const { understood, notDrawn, placement } = row;
  return {
    mediaId: row.mediaId,
    mediaType: row.mediaType ?? '',
    contentType: row.contentType ?? '',
    originalFilename: row.filename ?? '',
    ...mediaUrls(row.mediaId, row.contentType ?? ''),
    ...(understood !== null && notDrawn !== null && { understood, notDrawn }),
    ...(placement !== null && { placement }),
  };
}

function toEventBody(row: GenerationRow) {
  return {
    id: row.id,
    tool: row.tool,
    status: row.status,
    progress: { message: getTool(row.tool).says.working, percent: row.percent },
    // A provider's message is forgotten together with the user's words, which it may repeat.
    error:
      row.errorCode === null
        ? null
        : { code: row.errorCode, message: row.errorMessage ?? getTool(row.tool).says.failed },
    ...(row.candidateBox !== null && { candidate: toCandidate(row.candidateBox) }),
    ...(row.runId !== null && { runId: row.runId }),
    // A redo costs nothing.
    refunded: row.redoOf === null && (row.returned || row.status === 'failed' || row.status === 'canceled'),
  };
}

/** Stored as its four sides, or none. */
const toCandidate = (box: number[]): Generation['candidate'] =>
  box.length === 4 ? { box: box as [number, number, number, number] } : null;

/** Sends the generation's state to its owner's streams and returns it; see `appendEvent` for the time. */
export async function announceGeneration(tx: Tx, generationId: string): Promise<GenerationRow> {
  const row = await findGeneration(tx, generationId);
  if (row === undefined) throw new Error('a generation that is not there was to be announced');
  await appendEvent(tx, row.userId, 'generation', toEventBody(row));
  return row;
}
