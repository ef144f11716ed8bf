import type { Session } from '@plinth/contract/auth';
import { SHOWN_USER_HEADER } from '@plinth/contract/shown-user';
import { errors, isErrorCode, sentences, type ErrorCode, type FieldError } from '@plinth/contract/errors';
import { REFRESH_RETRY_FIRST_MS } from '@plinth/contract/limits';
import { inOurLanguage } from './server-sentences.ts';
import type { OnSent, SendTelling } from './upload.ts';

/** A refused or failed request. `code` decides, `message` is the sentence for the person. */
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

type Send = {
  method?: string;
  body?: unknown;
  form?: FormData;
  idempotencyKey?: string;
  keepalive?: boolean;
  /** Asks whoever is signed in, also somebody else than this page shows. */
  isForAnyone?: boolean;
  signal?: AbortSignal;
  onSent?: OnSent;
};

export type AnswerSchema<Answer> = {
  safeParse: (answer: unknown) => { success: true; data: Answer } | { success: false; error: Error };
};

export type Api = {
  send: <Answer>(path: string, schema: AnswerSchema<Answer>, send?: Send) => Promise<Answer>;
  /** Sends one request whose answer has no body worth reading. */
  command: (path: string, send: Send) => Promise<void>;
  /** A file under the name that the server gives it, empty where it gives none; `accept` where it has several forms. */
  file: (path: string, accept?: string) => Promise<File>;
  stream: (path: string, headers: Record<string, string>, signal: AbortSignal) => Promise<Response>;
  /** Extends the session; one check at a time, however many ask. */
  refresh: () => Promise<Session>;
};

export type ApiOptions = {
  origin?: string;
  sleep?: (ms: number) => Promise<void>;
  now?: () => number;
  /** How a form is sent whose sender wants to know how much of it is sent; without it nobody is told. */
  sendTelling?: SendTelling;
  /** The id of the account that this page shows; null while it shows nobody. */
  shownUser?: () => string | null;
  /** Called with each session that was extended: it may be another person's, who signed in in another tab. */
  onSession?: (session: Session) => void;
  /** Called once when the session is over; the sentence is null when there is nothing to say. */
  onSessionEnd?: (sentence: string | null) => void;
};

/** How long an answer to a request without a file is awaited. */
const ANSWER_MS = 30_000;
const RETRYABLE_STATUSES = [502, 503, 504];
const REFRESH_PATIENCE_MS = 30_000;
/** A server with too much to do is better in a moment; one that says more than this has another trouble. */
const BUSY_LONGEST_SECONDS = 5;
const BUSY_TRIES = 3;
const SESSION_CODES: readonly string[] = ['authentication_required', 'no_active_session', 'refresh_token_not_found'];
const NETWORK_SENTENCE = 'No answer from the server. Please check your connection and try again.';
const UNEXPECTED_SENTENCE = 'An unexpected error occurred. Please try again.';

export function createApi(options: ApiOptions = {}): Api {
  const origin = options.origin ?? '';
  const sleep = options.sleep ?? ((ms: number) => new Promise((resolve) => setTimeout(resolve, ms)));
  const refresh = createRefresh(origin, options, sleep);

  /** What has a key may be sent again; who reads tries again himself. */
  async function fetchPatiently(url: string, init: Outgoing): Promise<Response> {
    for (let tries = 1; ; tries += 1) {
      const response = await fetchOnce(url, init, options.sendTelling);
      const waitSeconds = Number(response.headers.get('retry-after') ?? Infinity);
      const mayWait = response.status === 503 && waitSeconds <= BUSY_LONGEST_SECONDS && tries < BUSY_TRIES;
      if (!mayWait || !new Headers(init.headers).has('idempotency-key')) return response;
      await sleep(waitSeconds * 1000);
    }
  }

  async function fetchSignedIn(path: string, given: Outgoing, isForAnyone = false): Promise<Response> {
    const shown = isForAnyone ? null : (options.shownUser?.() ?? null);
    const headers = { ...(given.headers as Record<string, string>), ...(shown && { [SHOWN_USER_HEADER]: shown }) };
    const init = { ...given, headers };
    const first = await fetchPatiently(origin + path, init);
    if (first.ok) return first;
    const problem = await readProblem(first);
    if (!SESSION_CODES.includes(problem.code)) throw problem;
    const session = await refresh(problem);
    if (shown !== null && session.user.id !== shown) throw problem;
    const second = await fetchPatiently(origin + path, init);
    if (second.ok) return second;
    throw await readProblem(second);
  }

  return {
    async send(path, schema, send = {}) {
      const response = await fetchSignedIn(path, toInit(send), send.isForAnyone);
      const parsed = schema.safeParse(await readJson(response));
      if (parsed.success) return parsed.data;
      throw new ApiError('unexpected', UNEXPECTED_SENTENCE, {
        status: response.status,
        requestId: response.headers.get('x-request-id'),
        cause: parsed.error,
      });
    },
    async command(path, send) {
      await fetchSignedIn(path, toInit(send));
    },
    async file(path, accept) {
      const response = await fetchSignedIn(path, accept === undefined ? {} : { headers: { accept } });
      const blob = await response.blob();
      return new File([blob], readName(response.headers.get('content-disposition')), { type: blob.type });
    },
    stream(path, headers, signal) {
      return fetchSignedIn(path, { headers: { accept: 'text/event-stream', ...headers }, signal, cache: 'no-store' });
    },
    refresh: () => refresh(null),
  };
}

function createRefresh(origin: string, options: ApiOptions, sleep: (ms: number) => Promise<unknown>) {
  const now = options.now ?? (() => Date.now());
  let running: Promise<Session> | null = null;

  async function refreshWithRetry(reason: ApiError | null): Promise<Session> {
    const startedAt = now();
    // Of the pages that show nobody, which never get here, zod would be a quarter.
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
          options.onSessionEnd?.(endSentence(reason, failure));
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

/** Whether the session is over. What is to be said of that is said once: who asked for something says nothing. */
export function isSessionOver({ code }: ApiError): boolean {
  return SESSION_CODES.includes(code);
}

export function toApiError(cause: unknown): ApiError {
  return cause instanceof ApiError ? cause : new ApiError('unexpected', UNEXPECTED_SENTENCE, { cause });
}

/** What to say when the session could not be kept. The server clears a dead cookie, so the first answer counts. */
function endSentence(reason: ApiError | null, failure: ApiError): string | null {
  const codes = [reason?.code, failure.code];
  if (codes.includes('refresh_token_not_found')) return 'Session expired. Please log in again.';
  if (failure.code === 'no_active_session') return null;
  return sentences.sessionBroken;
}

type Outgoing = RequestInit & { onSent?: OnSent; isQuick?: boolean };

function toInit({ method = 'GET', body, form, idempotencyKey, keepalive, signal, onSent }: Send): Outgoing {
  const headers: Record<string, string> = { accept: 'application/json' };
  if (body !== undefined) headers['content-type'] = 'application/json';
  if (idempotencyKey !== undefined) headers['idempotency-key'] = idempotencyKey;
  return {
    method,
    headers,
    body: form ?? (body === undefined ? null : JSON.stringify(body)),
    keepalive: keepalive ?? false,
    signal: signal ?? null,
    isQuick: form === undefined,
    ...(onSent && { onSent }),
  };
}

async function fetchOnce(
  url: string,
  { onSent, isQuick, ...init }: Outgoing,
  sendTelling?: SendTelling,
): Promise<Response> {
  const { signal } = init;
  try {
    if (onSent && sendTelling) return await sendTelling(url, init, onSent);
    const limit = isQuick ? AbortSignal.timeout(ANSWER_MS) : null;
    return await fetch(url, {
      ...init,
      signal: limit && signal ? AbortSignal.any([signal, limit]) : (signal ?? limit),
    });
  } catch (cause) {
    if (signal?.aborted) throw cause;
    if (!(await areThere(init.body)))
      throw new ApiError('image_read_failed', errors.image_read_failed.detail, { cause });
    throw new ApiError('network', NETWORK_SENTENCE, { cause });
  }
}

/** Whether the files of a form can be read still: who moves or changes one breaks its sending like a broken line. */
async function areThere(body: RequestInit['body']): Promise<boolean> {
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

/** The name of a file as a server gives it (RFC 6266, its own sending writes both forms); empty where there is none. */
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
