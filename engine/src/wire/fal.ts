// Every HTTP request: fal's three hosts as three path prefixes (/queue, /run, /rest), uploads, files, Stability.
import type { IncomingMessage, ServerResponse } from 'node:http';
import { errorText, log } from '../log.ts';
import { send, TooLong, type Answer } from './http.ts';
import { hasKey, hasToken } from './permission.ts';
import { answerQueue } from './queue.ts';
import { answerKeySet, answerRest } from './rest.ts';
import { runNow } from './run.ts';
import { answerFile } from './serve-file.ts';
import { answerStability } from './stability.ts';
import { answerUpload, tooLarge } from './uploads.ts';
import { NOT_FOUND, type Wire } from './wire.ts';

/** Answers one HTTP request; never throws. */
export async function answerRequest(wire: Wire, request: IncomingMessage, response: ServerResponse): Promise<void> {
  try {
    const answer = await route(wire, request, response);
    if (answer) send(response, answer);
  } catch (error) {
    if (response.destroyed) return; // the caller has hung up
    const answer = explain(error);
    if (answer.status === 500) log('request_failed', { method: request.method, error: errorText(error) });
    if (response.headersSent) response.destroy();
    else send(response, { ...answer, headers: { connection: 'close' } });
  }
}

function explain(error: unknown): Answer {
  if (error instanceof TooLong) return tooLarge();
  if (error instanceof SyntaxError) {
    return { status: 400, body: { detail: 'The body is not JSON.', error_type: 'bad_request' } };
  }
  return { status: 500, body: { detail: 'Internal error', error_type: 'internal_error' } };
}

async function route(wire: Wire, request: IncomingMessage, response: ServerResponse): Promise<Answer | undefined> {
  const address = request.url ?? '/';
  if (!URL.canParse(address, 'http://engine')) return { status: 400, body: { detail: 'Bad request' } };
  const url = new URL(address, 'http://engine');
  const [prefix, ...path] = url.pathname.split('/').filter(Boolean);
  switch (prefix) {
    case 'health':
      return { status: 200, body: { status: 'ok' } };
    case 'files':
      return answerFile(wire, request, response, path);
    case 'uploads':
      return answerUpload(wire, request, path);
    case 'stability':
      return answerStability(wire, request, response, path);
    case 'queue':
    case 'run':
    case 'rest':
      return routeFal(wire, request, response, prefix, path, url.searchParams);
    default:
      return NOT_FOUND;
  }
}

async function routeFal(
  wire: Wire,
  request: IncomingMessage,
  response: ServerResponse,
  host: 'queue' | 'run' | 'rest',
  path: string[],
  query: URLSearchParams,
): Promise<Answer | undefined> {
  const whole = path.join('/');
  if (host === 'rest' && whole === '.well-known/jwks.json' && request.method === 'GET') return answerKeySet(wire);
  // Browsers hold tokens, and stream with them; everything else takes the key.
  const isStream = whole.endsWith('/stream') && host !== 'rest';
  if (!hasKey(wire, request) && !(isStream && hasToken(wire, query, whole))) {
    return { status: 401, body: { detail: 'Authentication is required.' } };
  }
  if (host === 'rest') return answerRest(wire, request, whole);
  if (host === 'run') return runNow(wire, request, response, whole);
  return answerQueue(wire, request, response, path, query);
}
