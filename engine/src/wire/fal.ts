// fal's three hosts as three path prefixes: /queue (queue.fal.run), /run (fal.run), /rest (rest.fal.ai).
import type { IncomingMessage, ServerResponse } from 'node:http';
import { isSame, type Files } from '../files.ts';
import type { Job } from '../job-store.ts';
import type { Jobs } from '../jobs.ts';
import { errorText, log } from '../log.ts';
import { checkInput, type Input } from '../skills/fields.ts';
import { findSkill } from '../skills/skills.ts';
import { findOrigin, getHeader, readJson, send, TooLong, type Answer } from './http.ts';
import { takePictures } from './pictures.ts';
import { describeResult, describeStatus, describeSubmitted, hasEnded } from './queue-answers.ts';
import { initiateUpload, MAX_PICTURE_BYTES, readLifetimeMs, receiveUpload, serveFile, tooLarge } from './storage.ts';
import { streamStatus } from './status-stream.ts';

export interface Wire {
  jobs: Jobs;
  files: Files;
  key: string;
  tmpDir: string;
}

const MAX_SUBMIT_BYTES = Math.ceil((MAX_PICTURE_BYTES * 2 * 4) / 3) + 64 * 1024; // two pictures as base64, and words
const NOT_FOUND: Answer = { status: 404, body: { detail: 'Not found' } };

/** Answers one HTTP request; never throws. */
export async function answerRequest(wire: Wire, request: IncomingMessage, response: ServerResponse): Promise<void> {
  try {
    const answer = await route(wire, request, response);
    if (answer) send(response, answer);
  } catch (error) {
    const answer = explain(error);
    if (answer.status === 500) log('request_failed', { method: request.method, error: errorText(error) });
    if (response.headersSent) response.destroy();
    else send(response, { ...answer, headers: { connection: 'close' } });
  }
}

function explain(error: unknown): Answer {
  if (error instanceof TooLong) return tooLarge();
  if (error instanceof SyntaxError)
    return { status: 400, body: { detail: 'The body is not JSON.', error_type: 'bad_request' } };
  return { status: 500, body: { detail: 'Internal error', error_type: 'internal_error' } };
}

async function route(wire: Wire, request: IncomingMessage, response: ServerResponse): Promise<Answer | undefined> {
  const url = new URL(request.url ?? '/', 'http://engine');
  const [prefix, ...rest] = url.pathname.split('/').filter(Boolean);
  if (prefix === 'files') return answerFile(wire, request, response, rest);
  if (prefix === 'uploads' && request.method === 'PUT' && rest[0] && rest[1]) {
    return receiveUpload(request, wire.files, wire.tmpDir, { id: rest[0], token: rest[1] });
  }
  if (prefix === 'health') return { status: 200, body: { status: 'ok' } };
  if (prefix !== 'queue' && prefix !== 'run' && prefix !== 'rest') return NOT_FOUND;
  if (!isAllowed(wire, request)) return { status: 401, body: { detail: 'Authentication is required.' } };
  if (prefix === 'rest') return answerRest(wire, request, rest.join('/'));
  if (prefix === 'run') return runNow(wire, request, rest.join('/'));
  return answerQueue(wire, request, response, rest, url.searchParams);
}

function isAllowed(wire: Wire, request: IncomingMessage): boolean {
  return isSame(`Key ${wire.key}`, getHeader(request, 'authorization') ?? '');
}

async function answerFile(
  wire: Wire,
  request: IncomingMessage,
  response: ServerResponse,
  [id, name]: string[],
): Promise<Answer | undefined> {
  if (request.method !== 'GET' && request.method !== 'HEAD')
    return { status: 405, body: { detail: 'Method not allowed' } };
  const file = id && name ? await wire.files.findFile(id, name) : undefined;
  if (!file) return NOT_FOUND;
  await serveFile(request, response, file);
  return undefined;
}

async function answerRest(wire: Wire, request: IncomingMessage, path: string): Promise<Answer> {
  if (request.method !== 'POST') return NOT_FOUND;
  if (path === 'storage/upload/initiate') return initiateUpload(request, wire.files);
  return path === 'storage/upload/initiate-multipart' ? tooLarge() : NOT_FOUND;
}

async function answerQueue(
  wire: Wire,
  request: IncomingMessage,
  response: ServerResponse,
  path: string[],
  query: URLSearchParams,
): Promise<Answer | undefined> {
  const [owner, app, requests, id, ...action] = path;
  if (requests !== 'requests' || !id) {
    if (request.method !== 'POST') return NOT_FOUND;
    const job = await submit(wire, request, path.join('/'));
    return job ? describeSubmitted(job, wire.jobs.queuePosition(job), findOrigin(request)) : NOT_FOUND;
  }
  const job = wire.jobs.find(id);
  const isTheirs = `${job?.app}/`.startsWith(`${owner}/${app}/`); // polled without the sub-path it was submitted to
  const call = `${request.method} ${action.join('/')}`;
  if (call === 'PUT cancel') return cancel(wire, isTheirs ? id : '');
  if (!job || !isTheirs) return NOT_FOUND;
  const withLogs = query.get('logs') === '1' || query.get('logs') === 'true';
  const describe = () => describeStatus(job, wire.jobs.queuePosition(job), findOrigin(request), withLogs);
  if (call === 'GET status') return describe();
  if (call === 'GET ') return describeResult(job, findOrigin(request));
  if (call !== 'GET status/stream') return NOT_FOUND;
  streamStatus(response, {
    requestId: id,
    read: () => describe().body,
    hasEnded: () => hasEnded(job),
    onChange: (listener) => wire.jobs.onChange(id, listener),
  });
  return undefined;
}

async function submit(wire: Wire, request: IncomingMessage, app: string): Promise<Job | undefined> {
  const skill = findSkill(app);
  if (!skill) return undefined;
  const body = await readJson(request, MAX_SUBMIT_BYTES);
  const input: Input = typeof body === 'object' && body !== null && !Array.isArray(body) ? (body as Input) : {};
  const schemaProblems = checkInput(skill.fields, input);
  const taken = await takePictures(skill.fields, input, wire.files, request.headers.host ?? '');
  const startWithinSeconds = Number(getHeader(request, 'x-fal-request-timeout'));
  const outputLivesMs = readLifetimeMs(getHeader(request, 'x-fal-object-lifecycle-preference'));
  return wire.jobs.submit({
    app,
    input: taken.input,
    pictures: taken.pictures,
    problems: [...schemaProblems, ...taken.problems],
    isLowPriority: getHeader(request, 'x-fal-queue-priority') === 'low',
    ...(startWithinSeconds > 0 && { startWithinMs: startWithinSeconds * 1000 }),
    ...(outputLivesMs !== undefined && { outputLivesMs }),
  });
}

async function cancel(wire: Wire, id: string): Promise<Answer> {
  const answer = await wire.jobs.cancel(id);
  if (answer === 'requested') return { status: 202, body: { status: 'CANCELLATION_REQUESTED' } };
  if (answer === 'completed') return { status: 400, body: { status: 'ALREADY_COMPLETED' } };
  return { status: 404, body: { status: 'NOT_FOUND' } };
}

/** fal.run: the same job, but the caller waits for its result on this connection. */
async function runNow(wire: Wire, request: IncomingMessage, app: string): Promise<Answer> {
  const job = request.method === 'POST' ? await submit(wire, request, app) : undefined;
  if (!job) return NOT_FOUND;
  await new Promise<void>((resolve) => {
    const look = () => {
      if (!hasEnded(job)) return;
      stop();
      resolve();
    };
    const stop = wire.jobs.onChange(job.id, look);
    look();
  });
  return describeResult(job, findOrigin(request));
}
