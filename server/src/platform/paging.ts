import type { Page } from '@plinth/contract/paging';
import { PAGE_LIMIT_DEFAULT, PAGE_LIMIT_MAX } from '@plinth/contract/limits';
import { z } from 'zod';
import { AppError, fieldError } from './errors.ts';

/** Where a list goes on: after the item with this moment and id. */
export type Cursor = { createdAt: string; id: string };
export type PageRequest = { limit: number; after: Cursor | null };

const cursorSchema = z.tuple([z.string().max(40), z.string().max(80)]);

/** Reads `limit` and `cursor` of a list request; `known` names the further parameters the route takes. */
export function readPage(query: unknown, known: string[] = []): PageRequest {
  const given = query as Record<string, unknown>;
  const unknown = Object.keys(given).find((name) => name !== 'limit' && name !== 'cursor' && !known.includes(name));
  if (unknown !== undefined) throw fieldError(unknown, 'unknown_field');
  return { limit: readLimit(given.limit), after: given.cursor === undefined ? null : readCursor(given.cursor) };
}

function readLimit(given: unknown): number {
  if (given === undefined) return PAGE_LIMIT_DEFAULT;
  const limit = typeof given === 'string' && /^\d{1,3}$/.test(given) ? Number(given) : 0;
  if (limit < 1 || limit > PAGE_LIMIT_MAX) throw fieldError('limit', 'invalid_option');
  return limit;
}

function readCursor(given: unknown): Cursor {
  try {
    const [createdAt, id] = cursorSchema.parse(JSON.parse(Buffer.from(String(given), 'base64url').toString()));
    if (Number.isNaN(Date.parse(createdAt))) throw new AppError('malformed_request');
    return { createdAt, id };
  } catch {
    throw new AppError('malformed_request');
  }
}

/**
 * Cuts a page out of `limit + 1` rows. `position` is the row's place in the list, to the microsecond, as Postgres
 * prints it: a JavaScript date would round it and repeat or drop rows.
 */
export function toPage<Row, Item>(
  rows: Row[],
  request: PageRequest,
  position: (row: Row) => Cursor,
  toItem: (row: Row) => Item,
): Page<Item> {
  const shown = rows.slice(0, request.limit);
  const last = shown.at(-1);
  const more = rows.length > request.limit && last !== undefined;
  return { items: shown.map(toItem), nextCursor: more ? writeCursor(position(last)) : null };
}

function writeCursor(cursor: Cursor): string {
  return Buffer.from(JSON.stringify([cursor.createdAt, cursor.id])).toString('base64url');
}
