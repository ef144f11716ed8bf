import { randomUUID, timingSafeEqual } from 'node:crypto';
import { createReadStream, createWriteStream } from 'node:fs';
import { mkdir, rm, stat } from 'node:fs/promises';
import type { ServerResponse } from 'node:http';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import multipart from '@fastify/multipart';
import Fastify, { type FastifyError, type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify';
import { errorText, log } from '../log.ts';
import { findSkill, readInput } from '../skills/skills.ts';
import type { OnProgress, Pool } from '../pool/pool.ts';
import type { TaskEnd } from '../pool/task.ts';

/**
 * `POST /tasks`: makes one picture or film while the caller waits. The answer is lines of JSON: `queued`, any number of
 * `progress`, then `done` (followed by the file's bytes), `refused` or `failed`. Hanging up cancels the task. Nothing
 * of a task outlives its request.
 */

const REQUEST_MS = 300_000; // from the first to the last byte of a request

/** Makes an HTTP server that answers faults with `{"error":"…"}`; details of internal errors only go to the log. */
export function makeHttp(): FastifyInstance {
  const http = Fastify({
    exposeHeadRoutes: false,
    requestTimeout: REQUEST_MS,
    forceCloseConnections: true,
    frameworkErrors: (error, request, reply) => void sendError(error, request, reply),
  });
  http.addHook('onRequest', async (_request, reply) => void reply.header('cache-control', 'no-store'));
  http.setErrorHandler(sendError);
  http.setNotFoundHandler((_request, reply) => sendFault(reply, 404, 'not found'));
  http.get('/health', () => ({ status: 'ok' }));
  return http;
}

function sendError(error: FastifyError | Error, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const status = 'statusCode' in error ? (error.statusCode ?? 500) : 500;
  if (status < 500) return sendFault(reply, status, error.message);
  const isDisconnected = reply.raw.destroyed || request.raw.destroyed;
  if (!isDisconnected) log('request_failed', { method: request.method, error: errorText(error) });
  return sendFault(reply, 500, 'internal error');
}

/** Drains an unread body, so that its sender receives the answer. */
function sendFault(reply: FastifyReply, status: number, error: string): FastifyReply {
  return reply.code(status).send({ error });
}

/** Rejects requests without the key (`Authorization: Key …`) before their body is read. */
function requireKey(key: string) {
  const expected = Buffer.from(`Key ${key}`);
  return async (request: FastifyRequest, reply: FastifyReply) => {
    const actual = Buffer.from(request.headers.authorization ?? '');
    // constant-time comparison
    const isEqual = actual.length === expected.length && timingSafeEqual(actual, expected);
    return isEqual ? undefined : sendFault(reply, 401, 'the key is wrong');
  };
}

type TaskOptions = {
  pool: Pool;
  key: string;
  /** Holds a folder per running task. */
  scratchDir: string;
};

const RETRY_AFTER_SECONDS = 2;

export async function addTaskRoute(http: FastifyInstance, options: TaskOptions): Promise<void> {
  await http.register(async (scope) => {
    scope.addHook('onRequest', requireKey(options.key));
    scope.addHook('onRequest', async (_request, reply) => {
      if (!options.pool.isFull()) return;
      return sendFault(reply.header('retry-after', RETRY_AFTER_SECONDS), 503, 'too many tasks are waiting');
    });
    await scope.register(multipart, { limits: FORM_LIMITS });
    scope.post('/tasks', (request, reply) => serveTask(options, request, reply));
  });
}

async function serveTask(options: TaskOptions, request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
  const id = randomUUID();
  const folder = join(options.scratchDir, id);
  const disconnect = new AbortController();
  reply.raw.once('close', () => disconnect.abort()); // at once: while the form is read, too
  await mkdir(folder, { mode: 0o700 });
  try {
    disconnect.signal.throwIfAborted(); // the form of a caller who has gone would never end
    const { skill: name, input, pictures } = await readTaskForm(request, folder);
    const skill = findSkill(name);
    if (!skill) return sendFault(reply, 404, 'there is no such skill');
    reply.hijack();
    const read = readInput(skill, input, Object.keys(pictures));
    await answer(reply.raw, id, disconnect.signal, (onProgress) =>
      'refusal' in read
        ? Promise.resolve({ kind: 'refused', message: read.refusal })
        : options.pool.run({ id, skill: name, ...read, pictures, folder }, onProgress, disconnect.signal),
    );
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
  return reply;
}

type Work = (onProgress: OnProgress) => Promise<TaskEnd>;

async function answer(response: ServerResponse, id: string, signal: AbortSignal, work: Work): Promise<void> {
  response.writeHead(200, { 'content-type': 'application/x-ndjson', 'cache-control': 'no-store' });
  const writeLine = (line: Record<string, unknown>) => response.write(`${JSON.stringify(line)}\n`);
  writeLine({ kind: 'queued' });
  try {
    const end = await work((percent) => void writeLine({ kind: 'progress', percent }));
    log('task_ended', { task: id, end: end.kind });
    if (end.kind === 'done' && 'file' in end.result) {
      const { file, words, placement } = end.result;
      writeLine({ kind: 'done', ...words, placement, bytes: (await stat(file)).size });
      return await pipeline(createReadStream(file), response);
    }
    writeLine(end.kind === 'done' ? { kind: 'done', ...end.result, bytes: 0 } : describeFailure(end));
    response.end();
  } catch (error) {
    if (!signal.aborted) log('answer_failed', { task: id, error: errorText(error) });
    response.destroy();
  }
}

function describeFailure(end: Exclude<TaskEnd, { kind: 'done' }>): Record<string, unknown> {
  if (end.kind === 'refused') return end;
  return { kind: 'failed', reason: end.kind === 'stopped' ? end.reason : end.kind };
}

const FORM_LIMITS = {
  fileSize: 20 * 1024 * 1024,
  files: 4,
  fieldSize: 128 * 1024,
  fields: 2,
  parts: 6,
  headerPairs: 20,
};

/** An error that Fastify answers with its status: an invalid or too large form. */
const makeFault = (statusCode: number, message: string) => Object.assign(new Error(message), { statusCode });

/**
 * Reads a task: a form with the skill's name, its input as JSON, and a file per picture, streamed into `folder`.
 * @throws an error with a status
 */
async function readTaskForm(request: FastifyRequest, folder: string) {
  const texts: Record<string, unknown> = {};
  /** Field name -> path of the uploaded bytes. */
  const pictures: Record<string, string> = {};
  for await (const part of request.parts({ limits: FORM_LIMITS })) {
    if (part.type === 'field') {
      if (part.valueTruncated) throw makeFault(413, `the field ${part.fieldname} is too long`);
      texts[part.fieldname] = part.value;
      continue;
    }
    const path = join(folder, `picture-${Object.keys(pictures).length}`);
    await pipeline(part.file, createWriteStream(path, { flags: 'wx', mode: 0o600 }));
    if (part.file.truncated) throw makeFault(413, 'a picture is larger than 20 MiB');
    pictures[part.fieldname] = path;
  }
  const { skill, input = '{}' } = texts;
  if (typeof skill !== 'string') throw makeFault(400, 'the skill is missing');
  return { skill, input: readJson(input), pictures };
}

function readJson(text: unknown): unknown {
  try {
    return JSON.parse(String(text));
  } catch {
    throw makeFault(400, 'the input is not JSON');
  }
}
