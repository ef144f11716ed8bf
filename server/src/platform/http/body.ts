import { type ErrorCode, errors, type FieldError } from '@plinth/contract/errors';
import { JSON_MAX_BYTES } from '@plinth/contract/limits';
import type { FastifyInstance } from 'fastify';
import { z } from 'zod';
import { AppError, fieldError, fieldErrors } from '../errors.ts';

/** A lone surrogate, from a program that cut a text inside an emoji. No database stores it. */
const LONE_SURROGATE = /\\u[dD][89a-fA-F]/;
const replaceLoneSurrogates = (_name: string, value: unknown) =>
  typeof value === 'string' ? value.toWellFormed() : value;

/** Parses JSON bodies, which must be valid UTF-8; an empty JSON body counts as none. */
export function readOnlyJson(http: FastifyInstance): void {
  http.removeAllContentTypeParsers();
  http.addContentTypeParser('application/json', { parseAs: 'buffer' }, async (_request: unknown, body: Buffer) => {
    if (body.byteLength === 0) return undefined;
    if (hasTooManyValues(body)) throw new AppError('body_too_large');
    try {
      const text = new TextDecoder('utf-8', { fatal: true }).decode(body);
      return JSON.parse(text, LONE_SURROGATE.test(text) ? replaceLoneSurrogates : undefined) as unknown;
    } catch (cause) {
      throw new AppError('malformed_request', { cause });
    }
  });
}

/** True for more values than a body of the usual size can hold: a larger one is one picture, in base64. */
function hasTooManyValues(body: Buffer): boolean {
  let values = 0;
  for (const start of ',[{')
    for (let at = body.indexOf(start); at !== -1 && values <= JSON_MAX_BYTES; at = body.indexOf(start, at + 1))
      values += 1;
  return values > JSON_MAX_BYTES;
}

/**
 * Validates a JSON body. An invalid field gets the code in its schema (`z.string('name_required')`), else `fault`.
 * @throws AppError malformed_request if it is not an object, unknown_field
 */
export function parseBody<Schema extends z.ZodType>(schema: Schema, body: unknown, fault: ErrorCode): z.infer<Schema> {
  const parsed = schema.safeParse(body, { error: () => fault });
  if (parsed.success) return parsed.data;
  const { issues } = parsed.error;
  const unknown = issues.find(({ code, path }) => code === 'unrecognized_keys' && path.length === 0);
  if (unknown?.code === 'unrecognized_keys') throw fieldError(unknown.keys[0] ?? '', 'unknown_field');
  const [first, ...more] = [...new Map(issues.map(describeIssue).toReversed()).values()].toReversed();
  if (first === undefined || first.field === '') throw new AppError('malformed_request');
  throw fieldErrors([first, ...more]);
}

/** The name of an invalid field: nested as `margin.top`; a list has one name for all items. */
function describeIssue({ path, message }: z.core.$ZodIssue): [name: string, FieldError] {
  const field = path.filter((part) => typeof part === 'string').join('.');
  const code = message as ErrorCode;
  return [field, { field, code, detail: errors[code].detail }];
}

/** Validates the body of a request without input: none, or an object without fields. */
export function parseNoBody(body: unknown): void {
  parseBody(z.strictObject({}).optional(), body, 'malformed_request');
}
