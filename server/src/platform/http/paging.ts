import type { Page } from '@plinth/contract/paging';
import { PAGE_LIMIT_DEFAULT, PAGE_LIMIT_MAX } from '@plinth/contract/limits';
import type { FastifyRequest } from 'fastify';
import { type RawBuilder, sql } from 'kysely';
import { z } from 'zod';
import { AppError, fieldError } from '../errors.ts';

/** Position in a list: after the item with this timestamp and id. */
type Cursor = { createdAt: string; id: string };
export type PageRequest = { limit: number; after: Cursor | null };

// A timestamp as printed by Postgres or JavaScript, and an id or a number. Postgres must be able to parse what matches.
const MOMENT = /^([12]\d{3}-\d\d-\d\d)[ T]([01]\d|2[0-3]):[0-5]\d:[0-5]\d(\.\d{1,6})?(Z|[+-](0\d|1[0-4])(:[0-5]\d)?)$/;
const isMoment = (text: string) => z.iso.date().safeParse(MOMENT.exec(text)?.[1]).success;
const cursorSchema = z.tuple([z.string().refine(isMoment), z.string().regex(/^[\w-]{1,80}$/)]);

/** Parses `limit` and `cursor` of a list request, and rejects unknown names. */
export function readPage({ query, routeOptions: { config } }: FastifyRequest): PageRequest {
  const parameters = query as Record<string, unknown>;
  const unknown = Object.keys(parameters).find((name) => !Object.hasOwn(config.operation?.query ?? {}, name));
  if (unknown !== undefined) throw fieldError(unknown, 'unknown_field');
  return {
    limit: readLimit(parameters.limit),
    after: parameters.cursor === undefined ? null : readCursor(parameters.cursor),
  };
}

function readLimit(value: unknown): number {
  if (value === undefined) return PAGE_LIMIT_DEFAULT;
  const limit = typeof value === 'string' && /^\d{1,3}$/.test(value) ? Number(value) : 0;
  if (limit < 1 || limit > PAGE_LIMIT_MAX) throw fieldError('limit', 'invalid_option');
  return limit;
}

function readCursor(value: unknown): Cursor {
  try {
    const [createdAt, id] = cursorSchema.parse(JSON.parse(Buffer.from(String(value), 'base64url').toString()));
    return { createdAt, id };
  } catch {
    throw new AppError('malformed_request');
  }
}

/** The tail of a page's query: after the cursor, newest first by `timeColumn`, one row more than shown. */
export function pageClause(
  { after, limit }: PageRequest,
  table: string,
  timeColumn = 'created_at',
): RawBuilder<unknown> {
  const [at, id] = [sql.ref(`${table}.${timeColumn}`), sql.ref(`${table}.id`)];
  const isAfter = after === null ? sql`true` : sql`(${at}, ${id}) < (${after.createdAt}::timestamptz, ${after.id})`;
  return sql`and ${isAfter} order by ${at} desc, ${id} desc limit ${limit + 1}`;
}

/** A row of a list. `cursor`: timestamp in microseconds, as Postgres prints it: a Date would repeat or skip rows. */
export type Listed = { id: string; cursor: string };

/** Makes a page of `limit + 1` rows. */
export function toPage<Row extends Listed, Item>(
  rows: Row[],
  { limit }: PageRequest,
  toItem: (row: Row) => Item,
): Page<Item> {
  const pageRows = rows.slice(0, limit);
  const last = rows.length > limit ? pageRows.at(-1) : undefined;
  return { items: pageRows.map(toItem), nextCursor: last === undefined ? null : writeCursor(last) };
}

function writeCursor({ cursor, id }: Listed): string {
  return Buffer.from(JSON.stringify([cursor, id])).toString('base64url');
}
