import type { Session } from '@plinth/contract/auth';
import { SHOWN_USER_HEADER } from '@plinth/contract/shown-user';
import { errors, isErrorCode, sentences, type ErrorCode, type FieldError } from '@plinth/contract/errors';
import { REFRESH_RETRY_FIRST_MS } from '@plinth/contract/limits';
import { inOurLanguage } from './server-sentences.ts';
import type { OnSent, SendWithProgress } from './upload.ts';

/** A refused or failed request. `code` is for programs, `message` is the sentence for the user. */
export class ApiError extends Error {
  readonly code: ErrorCode | 'network' | 'unexpected';
  readonly status: number;
  readonly fields: FieldError[];
  readonly requestId: string | null;

  constructor(
    code: ApiError['code'],
    message: string,
    answer: { status?: number; fields?: FieldError[]; requestId?: string | null; cause?: unknown } = {},
  ) {
    super(message, { cause: answer.cause });
    this.name = 'ApiError';
    this.code = code;
    this.status = answer.status ?? 0;
    this.fields = answer.fields ?? [];
    this.requestId = answer.requestId ?? null;
  }
}

type Send = Pick<Outgoing, 'method' | 'keepalive' | 'signal' | 'onSent'> & {
  body?: unknown;
  form?: FormData;
  idempotencyKey?: string;
  /** Requests the current session, even if another user than the one shown has signed in. */
  isForAnyone?: boolean;
};

export type AnswerSchema<Answer> = {
  safeParse: (answer: unknown) => { success: true; data: Answer } | { success: false; error: Error };
};

export type Api = ReturnType<typeof createApi>;

export type ApiOptions = {
  origin?: string;
  sleep?: (ms: number) => Promise<void>;
  now?: () => number;
  /** Sends a form with upload progress; without it progress is not reported. */
  sendWithProgress?: SendWithProgress;
  /** Id of the account that this page shows, or null. */
  shownUser?: () => string | null;
  /** Called for each extended session, which may be of another user who signed in in another tab. */
  onSession?: (session: Session) => void;
  /** Called once when the session is over; the sentence is null if there is nothing to show. */
  onSessionEnd?: (sentence: string | null) => void;
};

/** Timeout of a request without a file. */
const ANSWER_MS = 30_000;
const RETRYABLE_STATUSES = [502, 503, 504];
const REFRESH_PATIENCE_MS = 30_000;
/** An overloaded server recovers in a moment; a longer Retry-After has another cause. */
const BUSY_MAX_SECONDS = 5;
const BUSY_TRIES = 3;
const SESSION_CODES: readonly string[] = ['authentication_required', 'no_active_session', 'refresh_token_not_found'];
const NETWORK_SENTENCE = 'No answer from the server. Please check your connection and try again.';
const UNEXPECTED_SENTENCE = 'An unexpected error occurred. Please try again.';

export function createApi(options: ApiOptions = {}) {
  const origin = options.origin ?? '';
  const sleep = options.sleep ?? ((ms: number) => new Promise((resolve) => setTimeout(resolve, ms)));
  const refresh = createRefresh(origin, options, sleep);

  /** Only a request with an idempotency key may be sent again; reads are retried by the query client. */
  async function fetchWithRetry(url: string, init: Outgoing): Promise<Response> {
    for (let tries = 1; ; tries += 1) {
      const response = await fetchOnce(url, init, options.sendWithProgress);
      const waitSeconds = Number(response.headers.get('retry-after') ?? Infinity);
      const mayWait = response.status === 503 && waitSeconds <= BUSY_MAX_SECONDS && tries < BUSY_TRIES;
      if (!mayWait || !new Headers(init.headers).has('idempotency-key')) return response;
      await sleep(waitSeconds * 1000);
    }
  }

  async function fetchSignedIn(path: string, given: Outgoing, isForAnyone = false): Promise<Response> {
    const shown = isForAnyone ? null : (options.shownUser?.() ?? null);
    const headers = { ...(given.headers as Record<string, string>), ...(shown && { [SHOWN_USER_HEADER]: shown }) };
    const init = { ...given, headers };
    const first = await fetchWithRetry(origin + path, init);
    if (first.ok) return first;
    const problem = await readProblem(first);
    if (!SESSION_CODES.includes(problem.code)) throw problem;
    const session = await refresh(problem);
    if (shown !== null && session.user.id !== shown) throw problem;
    const second = await fetchWithRetry(origin + path, init);
    if (second.ok) return second;
    throw await readProblem(second);
  }

  return {
    async send<Answer>(path: string, schema: AnswerSchema<Answer>, send: Send = {}): Promise<Answer> {
      const response = await fetchSignedIn(path, toInit(send), send.isForAnyone);
      const parsed = schema.safeParse(await readJson(response));
      if (parsed.success) return parsed.data;
      throw new ApiError('unexpected', UNEXPECTED_SENTENCE, {
        status: response.status,
        requestId: response.headers.get('x-request-id'),
        cause: parsed.error,
      });
    },
    /** Sends a request whose response body is not read. */
    async command(path: string, send: Send): Promise<void> {
      await fetchSignedIn(path, toInit(send));
    },
    /** Fetches a file with the server's file name (empty if none); `accept` chooses between several formats. */
    async file(path: string, accept?: string): Promise<File> {
      const response = await fetchSignedIn(path, accept === undefined ? {} : { headers: { accept } });
      const blob = await response.blob();
      return new File([blob], readName(response.headers.get('content-disposition')), { type: blob.type });
    },
    stream(path: string, headers: Record<string, string>, signal: AbortSignal): Promise<Response> {
      return fetchSignedIn(path, { headers: { accept: 'text/event-stream', ...headers }, signal, cache: 'no-store' });
    },
    /** Extends the session. Concurrent calls share one request. */
    refresh: () => refresh(null),
  };
}

function createRefresh(origin: string, options: ApiOptions, sleep: (ms: number) => Promise<unknown>) {
  const now = options.now ?? (() => Date.now());
  let running: Promise<Session> | null = null;

  async function refreshWithRetry(reason: ApiError | null): Promise<Session> {
    const startedAt = now();
    // Imported here because pages without a session never get here: zod would be a quarter of their script.
    const { sessionSchema } = await import('@plinth/contract/auth');
    for (let waitMs = REFRESH_RETRY_FIRST_MS; ; waitMs *= 2) {
      try {
        const response = await fetchOnce(`${origin}/api/v1/auth/refresh`, { method: 'POST', isQuick: true });
        if (!response.ok) throw await readProblem(response);
        const session = sessionSchema.parse(await readJson(response));
        options.onSession?.(session);
        return session;
      } catch (cause) {
        const failure = toApiError(cause);
        if (!isRetryable(failure)) {
          options.onSessionEnd?.(await endSession(origin, reason, failure));
          throw failure;
        }
        if (now() - startedAt + waitMs > REFRESH_PATIENCE_MS) throw failure;
        await sleep(waitMs);
      }
    }
  }

  return (reason: ApiError | null): Promise<Session> => {
    running ??= refreshWithRetry(reason).finally(() => {
      running = null;
    });
    return running;
  };
}

export function isRetryable(error: ApiError): boolean {
  return error.code === 'network' || RETRYABLE_STATUSES.includes(error.status);
}

/**
 * True if the server may have accepted a request although no response arrived. Only a refused request surely had no
 * effect, so its key is no longer needed.
 */
export function isOutcomeUnknown({ code, status }: ApiError): boolean {
  return status < 400 || status >= 500 || status === 408 || code === 'idempotency_in_progress';
}

/** True if the session is over. The reason is shown once, so the failed request itself shows nothing. */
export function isSessionOver({ code }: ApiError): boolean {
  return SESSION_CODES.includes(code);
}

/** True if the resource no longer exists. */
export const isGone = (cause: unknown): boolean => toApiError(cause).status === 404;

export function toApiError(cause: unknown): ApiError {
  return cause instanceof ApiError ? cause : new ApiError('unexpected', UNEXPECTED_SENTENCE, { cause });
}

/**
 * The sentence to show if the session could not be extended. The server clears a dead cookie, so the first response
 * counts.
 */
function endSentence(reason: ApiError | null, failure: ApiError): string | null {
  const codes = [reason?.code, failure.code];
  if (codes.includes('refresh_token_not_found')) return 'Session expired. Please log in again.';
  if (failure.code === 'no_active_session') return null;
  return sentences.sessionBroken;
}

/**
 * Ends a session that could not be extended, and returns the sentence to show. Its cookie may still be valid unless the
 * server refused it.
 */
async function endSession(origin: string, reason: ApiError | null, failure: ApiError): Promise<string | null> {
  const sentence = endSentence(reason, failure);
  if (sentence !== sentences.sessionBroken) return sentence;
  const signOut = fetchOnce(`${origin}/api/v1/auth/sign-out`, { method: 'POST', isQuick: true });
  return (await signOut.catch(() => null))?.ok ? sentence : sentences.cleanupFailed;
}

type Outgoing = RequestInit & { onSent?: OnSent; isQuick?: boolean };

function toInit({ body, form, idempotencyKey, isForAnyone: _ofSession, ...rest }: Send): Outgoing {
  const headers = {
    accept: 'application/json',
    ...(body !== undefined && { 'content-type': 'application/json' }),
    ...(idempotencyKey !== undefined && { 'idempotency-key': idempotencyKey }),
  };
  return { ...rest, headers, body: form ?? JSON.stringify(body), isQuick: form === undefined };
}

async function fetchOnce(
  url: string,
  { onSent, isQuick, ...init }: Outgoing,
  sendWithProgress?: SendWithProgress,
): Promise<Response> {
  const { signal } = init;
  try {
    if (onSent && sendWithProgress) return await sendWithProgress(url, init, onSent);
    const limit = isQuick ? AbortSignal.timeout(ANSWER_MS) : null;
    return await fetch(url, {
      ...init,
      signal: limit && signal ? AbortSignal.any([signal, limit]) : (signal ?? limit),
    });
  } catch (cause) {
    if (signal?.aborted) throw cause;
    if (!(await areReadable(init.body)))
      throw new ApiError('image_read_failed', errors.image_read_failed.detail, { cause });
    throw new ApiError('network', NETWORK_SENTENCE, { cause });
  }
}

/**
 * True if the files of a form can still be read. Moving or changing one breaks an upload just like a lost connection.
 */
async function areReadable(body: RequestInit['body']): Promise<boolean> {
  const files = body instanceof FormData ? [...body.values()].filter((value) => typeof value !== 'string') : [];
  return Promise.all(files.map((file) => file.slice(0, 1).arrayBuffer())).then(
    () => true,
    () => false,
  );
}

async function readProblem(response: Response): Promise<ApiError> {
  const requestId = response.headers.get('x-request-id');
  const problem = await readJson(response).catch(() => null);
  const { code, detail, fields } = (problem ?? {}) as { code?: unknown; detail?: unknown; fields?: unknown };
  if (typeof code !== 'string' || !isErrorCode(code) || typeof detail !== 'string') {
    return new ApiError('unexpected', UNEXPECTED_SENTENCE, { status: response.status, requestId });
  }
  return new ApiError(code, inOurLanguage(detail), {
    status: response.status,
    fields: Array.isArray(fields) ? (fields as FieldError[]) : [],
    requestId,
  });
}

/**
 * Returns the file name of a Content-Disposition header (RFC 6266; our server writes both forms), or an empty string.
 */
function readName(disposition: string | null): string {
  const [, encoded] = /filename\*=UTF-8''([^;]+)/i.exec(disposition ?? '') ?? [];
  return encoded === undefined ? '' : decodeURIComponent(encoded);
}

async function readJson(response: Response): Promise<unknown> {
  try {
    return await response.json();
  } catch (cause) {
    throw new ApiError('network', NETWORK_SENTENCE, { cause });
  }
}
