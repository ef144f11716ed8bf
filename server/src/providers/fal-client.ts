import { setTimeout as sleep } from 'node:timers/promises';
import { ApiError, createFalClient, type FalClient } from '@fal-ai/client';
import { parseJson } from '../platform/json.ts';
import { findTraceparent } from '../platform/trace.ts';
import { readBody } from './fetch-file.ts';
import { isConnectionRefused } from './provider.ts';

/** Addresses of fal's three services: the real hosts or others. */
export type FalAddresses = { queue: string; rest: string; run: string };

const HOSTS: Record<string, keyof FalAddresses> = {
  'queue.fal.run': 'queue',
  'rest.fal.ai': 'rest',
  'rest.alpha.fal.ai': 'rest',
  'fal.run': 'run',
};

// The specification's connection timeout.
const REQUEST_TIME_MS = 60_000;
// Status of an aborted call: not in the client's list of retries, so it is never repeated.
const OUTCOME_UNKNOWN = 520;
// Status of a call that was blocked because it would have left the configured hosts.
const BLOCKED = 421;

type FalClientOptions = {
  key: string;
  addresses: FalAddresses;
  pauseScale: number;
};

/**
 * Makes a fal client with its own fetch: maps fal's hosts to the configured addresses and blocks others, retries (the
 * client's delays are not configurable), and never repeats a submit that may have been accepted.
 */
export function makeFalClient(options: FalClientOptions): FalClient {
  const falFetch = async (input: string | URL | Request, init?: RequestInit): Promise<Response> => {
    const url = new URL(input instanceof Request ? input.url : input);
    const address = route(url, options.addresses);
    const kind = findKind(url, init?.method);
    const headers = new Headers(init?.headers);
    const traceparent = findTraceparent();
    // An upload's address is signed together with some of the headers.
    if (HOSTS[url.hostname] !== undefined && traceparent !== undefined) headers.set('traceparent', traceparent);
    for (let tries = 1; ; tries += 1) {
      // A redirect could leak the key to another host.
      const request = { ...init, headers, signal: AbortSignal.timeout(REQUEST_TIME_MS), redirect: 'error' } as const;
      const answer = await fetch(address, request)
        .then(readWhole)
        .catch((error: unknown) => error);
      if (answer instanceof Response && !RETRIED_STATUSES[kind].includes(answer.status) && !isLost(kind, answer))
        return answer;
      const isRetryable =
        answer instanceof Response ? !isLost(kind, answer) : kind !== 'submit' || isConnectionRefused(answer);
      if (!isRetryable || tries === TRIES[kind]) throw unknownOutcome(answer);
      await sleep(FIRST_PAUSE_MS * 2 ** (tries - 1) * options.pauseScale);
    }
  };
  return createFalClient({ credentials: options.key, fetch: falFetch, suppressLocalCredentialsWarning: true });
}

/**
 * Reads the body here, because the client repeats a call, even a submit, whose answer breaks off. On an error body
 * that is not JSON it would lose the status.
 */
async function readWhole({ body, status, statusText }: Response): Promise<Response> {
  const text = (await readBody(body ?? [])).toString();
  const isObject = typeof (parseJson(text) ?? '') === 'object';
  const contentType = isObject ? 'application/json' : 'text/plain';
  return new Response(text === '' ? null : text, { status, statusText, headers: { 'content-type': contentType } });
}

type Kind = 'submit' | 'status' | 'other';
const FIRST_PAUSE_MS = 1000;
const TRIES: Record<Kind, number> = { submit: 4, status: 6, other: 4 };
// A submit answered with 500 may have been accepted; with 429 or 503 it was not.
const RETRIED_STATUSES: Record<Kind, number[]> = {
  submit: [429, 503],
  status: [429, 500, 502, 503, 504],
  other: [429, 502, 503, 504],
};

function findKind(url: URL, method = 'GET'): Kind {
  if (HOSTS[url.hostname] !== 'queue') return 'other';
  if (method === 'POST') return 'submit';
  return url.pathname.endsWith('/status') ? 'status' : 'other';
}

/** True if a gateway failed on a submit, which the service may have accepted. */
function isLost(kind: Kind, { status }: Response): boolean {
  return kind === 'submit' && (status === 502 || status === 504);
}

function route(url: URL, addresses: FalAddresses): string {
  const service = HOSTS[url.hostname];
  if (service !== undefined) return `${addresses[service]}${url.pathname}${url.search}`;
  // The upload address as returned by the storage.
  const isRealStorage =
    addresses.rest === 'https://rest.fal.ai' &&
    url.protocol === 'https:' &&
    /\.fal\.(media|ai|run)$/.test(url.hostname);
  if (isRealStorage || Object.values(addresses).some((address) => new URL(address).origin === url.origin))
    return url.href;
  throw new ApiError({ message: `blocked host ${url.hostname}`, status: BLOCKED, body: null, requestId: '' });
}

function unknownOutcome(answer: unknown): ApiError<{ status: number | undefined }> {
  const status = answer instanceof Response ? answer.status : undefined;
  const message = answer instanceof Error ? answer.message : 'no usable answer';
  return new ApiError({ message, status: OUTCOME_UNKNOWN, body: { status }, requestId: '' });
}

/** The provider's actual HTTP status; undefined without an answer. */
export function findRealStatus(error: ApiError<unknown>): number | undefined {
  if (error.status === BLOCKED) return undefined;
  return error.status === OUTCOME_UNKNOWN ? (error.body as { status?: number }).status : error.status;
}
