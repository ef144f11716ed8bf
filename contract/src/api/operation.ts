import { z } from 'zod';
import type { ErrorCode } from '../errors.ts';
import { PAGE_LIMIT_DEFAULT, PAGE_LIMIT_MAX } from '../limits.ts';
import { pageSchema } from '../paging.ts';

export const API_BASE = '/api/v1';

/** One API route. The server's handlers, the API reference and the OpenAPI document derive from it. */
export type Operation = {
  method: Method;
  /** Relative to /api/v1, with parameters in braces. */
  path: string;
  says: string;
  access: OperationAccess;
  query?: Record<string, z.ZodType>;
  json?: z.ZodType;
  /** Error code for an invalid JSON field whose schema names none (as `z.string('name_required')` does). */
  fault?: ErrorCode;
  /** Parts of a multipart form: text parts by their schema, pictures as `FILE`. */
  form?: z.ZodType;
  idempotencyKey?: 'required' | 'optional';
  /** Responses by status. The first one is the handler's default. */
  answers: Record<number, Answer>;
  /** Error codes besides those that `listCodes` derives from the other properties. */
  codes?: readonly ErrorCode[];
};
/**
 * `session`: a signed-in user, and an API key on the paths of `isForKeys`. `browser`: anyone but a key. `public`:
 * anyone, also while authentication is unavailable. `all`: as `public`, with one response for every caller, so that the
 * route skips authentication and the rate limit.
 */
type OperationAccess = 'session' | 'browser' | 'public' | 'all';
type Method = 'get' | 'post' | 'put' | 'delete';

/** A response: JSON by its schema, bytes of one of some content types, both, or none. */
export type Answer = { says?: string; json?: z.ZodType; bytes?: readonly string[] };

export type OperationGroup = { title: string; operations: readonly Operation[] };

export const FILE = z.file();

export const PAGING = {
  limit: z.int().min(1).max(PAGE_LIMIT_MAX).default(PAGE_LIMIT_DEFAULT).optional(),
  cursor: z.string().optional(),
};

/** Optional properties of an operation. Without `access` it needs a session. */
type More = Partial<Omit<Operation, 'method' | 'path' | 'says' | 'answers'>>;
export const BROWSER = { access: 'browser' } as const;
export const PUBLIC = { access: 'public' } as const;
export const FOR_ALL = { access: 'all' } as const;

type Named<M extends Method, P extends string, Json> = Operation & { method: M; path: P; json?: Json };

const describe =
  <M extends Method>(method: M) =>
  <P extends string, Json extends z.ZodType = z.ZodNever>(
    path: P,
    says: string,
    answers: z.ZodType | Record<number, Answer>,
    more: More & { json?: Json } = {},
  ): Named<M, P, Json> => ({
    method,
    path,
    says,
    access: 'session',
    answers: answers instanceof z.ZodType ? { 200: { json: answers } } : answers,
    ...more,
  });

export const get = describe('get');
export const post = describe('post');
export const put = describe('put');
export const remove = describe('delete');
/** A paginated list, newest first. */
export const list = <P extends string>(path: P, says: string, item: z.ZodType, query: Operation['query'] = {}) =>
  get(path, says, pageSchema(item), { query: { ...PAGING, ...query } });

export const created = (json: z.ZodType, says?: string) => ({ 201: { json, ...(says !== undefined && { says }) } });
export const accepted = (json: z.ZodType, says: string) => ({ 202: { json, says } });
export const DONE = { 204: {} };
export const bytes = (types: readonly string[], says?: string) => ({
  200: { bytes: types, ...(says !== undefined && { says }) },
});
