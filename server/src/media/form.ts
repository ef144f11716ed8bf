import { createHash } from 'node:crypto';
import { mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import multipart, { type MultipartFile } from '@fastify/multipart';
import type { ErrorCode } from '@plinth/contract/errors';
import {
  IMAGE_MAX_BYTES,
  MARKS_MAX_BYTES,
  MULTIPART_MAX_BYTES,
  MULTIPART_MAX_FILES,
  MULTIPART_MAX_PARTS,
  MULTIPART_TEXT_MAX_BYTES,
} from '@plinth/contract/limits';
import type { Tool } from '@plinth/contract/tool';
import { tools } from '@plinth/contract/tools';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { AppError, fieldError } from '../platform/errors.ts';
import { hashPayload } from '../platform/http/idempotency.ts';
import { newToken } from '../platform/ids.ts';
import { type PartHeaders, watchPartHeaders } from './part-headers.ts';

export type FormFile = {
  path: string;
  bytes: number;
  sha256: string;
  declaredType: string;
  filename: string;
};
export type PictureForm = { texts: Map<string, string>; files: Map<string, FormFile> };

export type FormOptions = {
  /** Folder for pictures while a request is processed. */
  formFolder: string;
  uploadSeconds: number;
};

const MULTIPART_CODES: Record<string, ErrorCode> = {
  FST_PARTS_LIMIT: 'body_too_large',
  FST_FILES_LIMIT: 'body_too_large',
  FST_FIELDS_LIMIT: 'body_too_large',
  FST_REQ_FILE_TOO_LARGE: 'file_too_large',
  FST_PROTO_VIOLATION: 'unknown_field',
  FST_INVALID_MULTIPART_CONTENT_TYPE: 'unsupported_content_type',
  FST_NO_FORM_DATA: 'malformed_request',
};

declare module 'fastify' {
  interface FastifyContextConfig {
    /** True if the route accepts a form; elsewhere it is an unsupported content type. */
    form?: boolean;
  }
}

/** Lets routes with `config: { form: true }` read forms with pictures. */
export async function addForms(http: FastifyInstance): Promise<void> {
  http.addHook('preValidation', (request, _reply, done) => {
    if (request.isMultipart() && request.routeOptions.config.form !== true) {
      throw new AppError('unsupported_content_type');
    }
    done();
  });
  await http.register(multipart, {
    throwFileSizeLimit: false,
    limits: {
      fileSize: IMAGE_MAX_BYTES + 1,
      files: MULTIPART_MAX_FILES,
      parts: MULTIPART_MAX_PARTS,
      fieldSize: MARKS_MAX_BYTES,
      fieldNameSize: 100,
      headerPairs: 100,
    },
  });
}

/**
 * Reads a multipart form into `formFolder`, runs `work`, and always deletes the files.
 * @throws AppError for an invalid, too large or slow form, and errors of `work`
 */
export async function withForm<Result>(
  request: FastifyRequest,
  options: FormOptions,
  work: (form: PictureForm) => Promise<Result>,
): Promise<Result> {
  const form = await readPictureForm(request, options);
  try {
    return await work(form);
  } finally {
    await discardFiles(form);
  }
}

async function readPictureForm(
  request: FastifyRequest,
  { formFolder: folder, uploadSeconds }: FormOptions,
): Promise<PictureForm> {
  if (!request.isMultipart()) throw new AppError('unsupported_content_type');
  const form: PictureForm = { texts: new Map(), files: new Map() };
  const headers = watchPartHeaders(request.headers['content-type'] ?? '');
  const state: ReadState = { isRejected: false, isFileTooLarge: false, headers };
  const guard = guardBody(request, uploadSeconds, state);
  try {
    await Promise.race([readParts(request, form, folder, state), guard.aborted]);
    return form;
  } catch (error) {
    state.isRejected = true;
    await discardFiles(form);
    throw toFormError(error, headers);
  } finally {
    guard.stop();
  }
}

// Minimum upload rate; slower clients would occupy a slot for minutes.
const MIN_BYTES = 40 * 1024;
const MIN_BYTES_INTERVAL_MS = 20_000;

/** Whether a form is rejected already: then the rest is read and discarded. */
type ReadState = { isRejected: boolean; isFileTooLarge: boolean; headers: PartHeaders };

/** Monitors the body's size, duration and rate, and aborts by the sender. */
function guardBody(
  request: FastifyRequest,
  uploadSeconds: number,
  state: ReadState,
): { aborted: Promise<never>; stop: () => void } {
  let stop: () => void = () => undefined;
  const aborted = new Promise<never>((_resolve, reject) => {
    let total = 0;
    const count = (chunk: Buffer) => {
      total += chunk.byteLength;
      state.headers.push(chunk);
      // The file's own limit was exceeded first, even if the disk is slower to report it.
      if (total > MULTIPART_MAX_BYTES && !state.isFileTooLarge) reject(new AppError('body_too_large'));
    };
    const handleAbort = () => reject(new AppError('image_read_failed'));
    const handleTimeout = () => reject(new AppError('request_timeout'));
    const timer = setTimeout(handleTimeout, uploadSeconds * 1000);
    let previousTotal = 0;
    const rate = setInterval(() => {
      if (total - previousTotal < MIN_BYTES) handleTimeout();
      previousTotal = total;
    }, MIN_BYTES_INTERVAL_MS);
    request.raw.on('data', count).once('aborted', handleAbort);
    stop = () => {
      clearTimeout(timer);
      clearInterval(rate);
      request.raw.off('data', count).off('aborted', handleAbort);
    };
  });
  aborted.catch(() => undefined);
  return { aborted, stop };
}

/** Parts that may be longer than a text. */
const MARKS_FIELDS = new Set(
  Object.values<Tool>(tools).flatMap(({ fields }) =>
    Object.keys(fields).filter((name) => fields[name]?.kind === 'marks'),
  ),
);

async function readParts(request: FastifyRequest, form: PictureForm, folder: string, state: ReadState): Promise<void> {
  for await (const part of request.parts()) {
    if (form.texts.has(part.fieldname) || form.files.has(part.fieldname)) throw new AppError('malformed_request');
    if (part.type === 'file') {
      part.file.once('limit', () => (state.isFileTooLarge = true));
      const declaredType = state.headers.hasType(part.fieldname) ? part.mimetype : '';
      const file = { ...(await saveFile(part, folder)), declaredType };
      // A browser sends an empty file field as a file without name and bytes.
      if (state.isRejected || (file.bytes === 0 && !part.filename)) await discardFile(file);
      else form.files.set(part.fieldname, file);
      continue;
    }
    const text = typeof part.value === 'string' ? part.value : '';
    const maxBytes = MARKS_FIELDS.has(part.fieldname) ? MARKS_MAX_BYTES : MULTIPART_TEXT_MAX_BYTES;
    if (part.valueTruncated || part.fieldnameTruncated || Buffer.byteLength(text) > maxBytes)
      throw new AppError('body_too_large');
    form.texts.set(part.fieldname, text);
  }
}

async function saveFile(part: MultipartFile, folder: string): Promise<Omit<FormFile, 'declaredType'>> {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const path = join(folder, newToken());
  const hash = createHash('sha256');
  let bytes = 0;
  async function* measure(chunks: AsyncIterable<Buffer>) {
    for await (const chunk of chunks) {
      bytes += chunk.byteLength;
      if (bytes > IMAGE_MAX_BYTES) throw fieldError(part.fieldname, 'file_too_large');
      hash.update(chunk);
      yield chunk;
    }
  }
  try {
    await writeFile(path, measure(part.file), { flag: 'wx', mode: 0o600 });
  } catch (error) {
    await rm(path, { force: true });
    throw error;
  }
  return { path, bytes, sha256: hash.digest('hex'), filename: part.filename };
}

const discardFile = ({ path }: Pick<FormFile, 'path'>): Promise<void> => rm(path, { force: true });
const discardFiles = ({ files }: PictureForm) => Promise.all([...files.values()].map(discardFile));

function toFormError(error: unknown, { hasParts }: PartHeaders): unknown {
  if (error instanceof AppError || !(error instanceof Error)) return error;
  const code = MULTIPART_CODES[(error as { code?: string }).code ?? ''];
  if (code !== undefined) return new AppError(code, { cause: error });
  // Errors of the parser: the body is truncated or not a form.
  if (/Unexpected end|Premature close|aborted/i.test(error.message))
    return new AppError(hasParts() ? 'image_read_failed' : 'malformed_request', { cause: error });
  // "needle" is the parser's term for the boundary, which may be too long.
  if (/Malformed|Boundary|needle|Part header|Multipart/i.test(error.message))
    return new AppError('malformed_request', { cause: error });
  return error;
}

/** Hash of a form's content, independent of the order of its parts. */
export function hashForm(form: PictureForm): Buffer {
  const texts = [...form.texts].map(([name, text]) => [`text ${name}`, text] as [string, string]);
  const files = [...form.files].map(([name, file]) => [`file ${name}`, file.sha256] as [string, string]);
  return hashPayload([...texts, ...files].sort(([a], [b]) => (a < b ? -1 : 1)));
}
