import { z } from 'zod';
import type { ErrorCode } from '../errors.ts';
import { PAGE_LIMIT_DEFAULT, PAGE_LIMIT_MAX } from '../limits.ts';
import { pageSchema } from '../paging.ts';

export const API_BASE = '/api/v1';

/** One route of the API: the server's handlers, the reference and the OpenAPI document are made from it. */
export type Operation = {
  method: Method;
  /** Below /api/v1, with its parameters in braces. */
  path: string;
  says: string;
  /** Everybody, or whoever signed in; `isForKeys` says where a key will do instead. */
  access: 'public' | 'session';
  /** The same answer for all: it is neither counted nor asked who asks. */
  isForAll?: true;
  /** Everybody may ask, keys as well, and is answered while nobody can say who asks. */
  isPublic?: true;
  query?: Record<string, z.ZodType>;
  json?: z.ZodType;
  /** What is answered to a field of it whose shape names no code (`z.string('name_required')`). */
  fault?: ErrorCode;
  /** Parts of a multipart form: texts by their shape, pictures as `FILE`. */
  form?: z.ZodType;
  idempotencyKey?: 'required' | 'optional';
  /** By status; the first one is what a handler answers that says nothing else. */
  answers: Record<number, Answer>;
  /** Besides those that follow from all the rest: see `listCodes`. */
  codes?: readonly ErrorCode[];
};
type Method = 'get' | 'post' | 'put' | 'delete';

/** JSON of a shape, bytes of a content type, or nothing. */
export type Answer = { says?: string; json?: z.ZodType; bytes?: string };

export type OperationGroup = { title: string; operations: readonly Operation[] };

export const FILE = z.file();

export const PAGING = {
  limit: z.int().min(1).max(PAGE_LIMIT_MAX).default(PAGE_LIMIT_DEFAULT).optional(),
  cursor: z.string().optional(),
};

/** What an operation has besides method, path, line and answer; without a word on access it needs a session. */
type More = Partial<Omit<Operation, 'method' | 'path' | 'says' | 'answers'>>;
export const PUBLIC = { access: 'public' } as const;
export const FOR_ALL = { access: 'public', isForAll: true } as const;

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
/** A list of which one page is answered, newest first. */
export const list = <P extends string>(path: P, says: string, item: z.ZodType, query: Operation['query'] = {}) =>
  get(path, says, pageSchema(item), { query: { ...PAGING, ...query } });

export const created = (json: z.ZodType, says?: string) => ({ 201: { json, ...(says !== undefined && { says }) } });
export const accepted = (json: z.ZodType, says: string) => ({ 202: { json, says } });
export const DONE = { 204: {} };
export const bytes = (type: string, says?: string) => ({ 200: { bytes: type, ...(says !== undefined && { says }) } });
