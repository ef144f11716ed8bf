import { z } from 'zod';
import type { ErrorCode } from '../errors.ts';
import { PAGE_LIMIT_DEFAULT, PAGE_LIMIT_MAX } from '../limits.ts';

/** What one route of the API takes and answers: the reference and the OpenAPI document are made from it. */
export type Operation = {
  method: 'get' | 'post' | 'put' | 'delete';
  /** Below /api/v1, with its parameters in braces. */
  path: string;
  /** One line. */
  says: string;
  /** Everybody, or whoever signed in; where a key will do instead is told by `isForKeys`. */
  access: 'public' | 'session';
  /** The same answer for all: it is neither counted nor asked who asks. */
  isForAll?: true;
  query?: Record<string, z.ZodType>;
  json?: z.ZodType;
  /** Parts of a multipart form: texts by their shape, pictures as `FILE`. */
  form?: z.ZodType;
  idempotencyKey?: 'required' | 'optional';
  /** By status. */
  answers: Record<number, Answer>;
  /** Besides those that follow from all the rest: see `listCodes`. */
  codes?: readonly ErrorCode[];
};

/** JSON of a shape, bytes of a content type, or nothing. */
export type Answer = { says: string; json?: z.ZodType; bytes?: string };

export type OperationGroup = { title: string; operations: readonly Operation[] };

/** A picture in a form. */
export const FILE = z.file();

export const PAGING = {
  limit: z.int().min(1).max(PAGE_LIMIT_MAX).default(PAGE_LIMIT_DEFAULT).optional(),
  cursor: z.string().optional(),
};

export const done = (says: string) => ({ 204: { says } });
export const answer = (json: z.ZodType, says: string) => ({ 200: { says, json } });
