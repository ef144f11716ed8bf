import { setTimeout as sleep } from 'node:timers/promises';
import type { Counter } from 'prom-client';
import { z } from 'zod';
import type { ToolId } from '@plinth/contract/tools';
import { parseJson } from '../platform/json.ts';
import { findTraceparent } from '../platform/trace.ts';
import { fetchFile } from './fetch-file.ts';
import {
  countRequests,
  type GivenInput,
  type GivenPicture,
  HOSTED_ABILITIES,
  isShowable,
  ProviderError,
  type ProviderState,
  type QueuedProvider,
  wasRefused,
} from './provider.ts';

/** How one tool is done at fal: which model, what goes in, where the file is in what comes out. */
export type FalCall = {
  model: string;
  /** `pictures` holds addresses the model can read, by field name. What is undefined of the input is not sent. */
  toInput: (given: Omit<GivenInput, 'pictures'> & { pictures: Record<string, string> }) => object;
  /** Address of the result file, or undefined when there is none. */
  fileUrl: (output: unknown) => string | undefined;
};

export type FalOptions = {
  key: string;
  /** Where fal's three services are: the real hosts, or another address. */
  addresses: { queue: string; rest: string; run: string };
  callOf: (tool: ToolId) => FalCall;
  slots: number;
  pauseScale: number;
  allowedHosts: readonly string[];
  requests: Counter;
};

// The specification's connection time-out.
const REQUEST_TIME_MS = 60_000;
// A data URL costs a third more bytes on the wire and again in the provider's log: larger pictures are uploaded.
const DATA_URL_MAX_BYTES = 1_048_576;
/** Copies at the provider end long before ours do. */
const PROVIDER_COPY_SECONDS = 3600;
const LIFECYCLE = JSON.stringify({ expiration_duration_seconds: PROVIDER_COPY_SECONDS });

/** fal's queue (https://docs.fal.ai/model-apis/model-endpoints/queue) and storage, as its own client speaks to them. */
export function makeFal(options: FalOptions): QueuedProvider {
  const counted = countRequests(options.requests, 'provider', toProviderError);
  const { callOf } = options;
  return {
    servedBy: { kind: 'provider', name: 'fal' },
    systemOf: (tool) => callOf(tool).model,
    // Seedance has no 4:5.
    abilities: { ...HOSTED_ABILITIES, choices: { aspectRatio: ['1:1', '16:9', '9:16'] } },
    slots: options.slots,
    prepare: (tool, given) => counted('upload', () => prepare(options, callOf(tool), given)),
    submit: (tool, input) => counted('submit', () => submit(options, callOf(tool).model, input)),
    check: (tool, requestId) => counted('status', () => check(options, addressOf(options, callOf(tool), requestId))),
    fetch: async (tool, requestId) => {
      const address = addressOf(options, callOf(tool), requestId);
      const url = callOf(tool).fileUrl(await counted('result', () => readOutput(options, address)));
      if (url === undefined) throw new ProviderError('result_missing');
      const content = await counted('fetch', () => fetchFile(url, options.allowedHosts, options.pauseScale));
      return { content, words: null };
    },
    cancel: async (tool, requestId) => {
      const address = `${addressOf(options, callOf(tool), requestId)}/cancel`;
      await counted('cancel', () => ask(options, 'other', address, { method: 'PUT' })).catch(() => undefined);
    },
  };
}

/** A request is found below the model's first names: the rest only says which of its ways was taken. */
function addressOf({ addresses }: FalOptions, { model }: FalCall, requestId: string): string {
  const names = model.split('/').slice(0, /^(workflows|comfy)\//.test(model) ? 3 : 2);
  return `${addresses.queue}/${names.join('/')}/requests/${requestId}`;
}

type Kind = 'submit' | 'status' | 'other';
const FIRST_PAUSE_MS = 1000;
const TRIES: Record<Kind, number> = { submit: 4, status: 6, other: 4 };
// A submit that was answered 500, 502 or 504 may have been taken; 429 and 503 say that it was not.
const RETRIED: Record<Kind, number[]> = {
  submit: [429, 503],
  status: [429, 500, 502, 503, 504],
  other: [429, 502, 503, 504],
};

/** What fal refused, and what it said of it. */
class FalError extends Error {
  readonly status: number;
  readonly body: unknown;

  constructor(status: number, body: unknown) {
    super(`status ${status}`);
    this.status = status;
    this.body = body;
  }
}

type Asked = { method?: string; headers?: Record<string, string>; body?: string | Uint8Array<ArrayBuffer> };

/** Asks fal and gives its answer back. @throws FalError, or what broke the call */
async function ask(
  options: FalOptions,
  kind: Kind,
  address: string,
  { headers, ...init }: Asked = {},
): Promise<unknown> {
  const traceparent = findTraceparent();
  const answer = await send(options, kind, address, {
    ...init,
    headers: {
      authorization: `Key ${options.key}`,
      accept: 'application/json',
      'content-type': 'application/json',
      ...(traceparent !== undefined && { traceparent }),
      ...headers,
    },
  });
  const isJson = answer.headers.get('content-type')?.includes('application/json') === true;
  return isJson ? answer.json() : answer.text();
}

/** A submit that may have been accepted is never sent again. @throws FalError, or what broke the call */
async function send({ pauseScale }: FalOptions, kind: Kind, address: string, init: Asked): Promise<Response> {
  for (let tries = 1; ; tries += 1) {
    const isLast = tries === TRIES[kind];
    try {
      // A redirect could lead the key to another host.
      const answer = await fetch(address, { ...init, signal: AbortSignal.timeout(REQUEST_TIME_MS), redirect: 'error' });
      if (answer.ok) return answer;
      const said = await answer.text().catch(() => '');
      if (isLast || !RETRIED[kind].includes(answer.status)) throw new FalError(answer.status, parseJson(said));
    } catch (error) {
      if (error instanceof FalError || isLast || (kind === 'submit' && !wasRefused(error))) throw error;
    }
    await sleep(FIRST_PAUSE_MS * 2 ** (tries - 1) * pauseScale);
  }
}

/** The input of the submit: every picture at an address that the model can read. */
async function prepare(options: FalOptions, call: FalCall, given: GivenInput): Promise<object> {
  const pictures: Record<string, string> = {};
  for (const [field, picture] of given.pictures) pictures[field] = await toUrl(options, picture);
  return call.toInput({ ...given, pictures });
}

const uploadSchema = z.looseObject({ upload_url: z.url(), file_url: z.string() });

async function toUrl(options: FalOptions, { content, contentType }: GivenPicture): Promise<string> {
  if (content.byteLength <= DATA_URL_MAX_BYTES) return `data:${contentType};base64,${content.toString('base64')}`;
  const address = `${options.addresses.rest}/storage/upload/initiate?storage_type=fal-cdn-v3`;
  const begun = await ask(options, 'other', address, {
    method: 'POST',
    headers: { 'x-fal-object-lifecycle': LIFECYCLE },
    body: JSON.stringify({ content_type: contentType, file_name: `photo.${contentType.replace('image/', '')}` }),
  });
  const { upload_url: to, file_url: url } = uploadSchema.parse(begun);
  if (!isStorage(new URL(to), options.addresses)) throw new Error(`blocked host ${new URL(to).hostname}`);
  // This address is signed together with some of the headers.
  const headers = { 'content-type': contentType };
  await send(options, 'other', to, { method: 'PUT', headers, body: new Uint8Array(content) });
  return url;
}

/** Whether a picture may be brought there, because the storage says so. */
function isStorage({ protocol, hostname, origin }: URL, addresses: FalOptions['addresses']): boolean {
  const isReal = addresses.rest === 'https://rest.fal.ai' && protocol === 'https:';
  if (isReal && /\.fal\.(media|ai|run)$/.test(hostname)) return true;
  return Object.values(addresses).some((address) => new URL(address).origin === origin);
}

const submittedSchema = z.looseObject({ request_id: z.string().min(1).max(200) });

async function submit(options: FalOptions, model: string, input: unknown): Promise<string> {
  const answer = await ask(options, 'submit', `${options.addresses.queue}/${model}`, {
    method: 'POST',
    headers: {
      'x-fal-store-io': '0',
      'x-fal-queue-priority': 'normal',
      'x-fal-object-lifecycle-preference': LIFECYCLE,
    },
    body: JSON.stringify(input),
  });
  const submitted = submittedSchema.safeParse(answer);
  if (!submitted.success || !/^[\w.:-]+$/.test(submitted.data.request_id)) throw new ProviderError('provider_failed');
  return submitted.data.request_id;
}

const statusSchema = z.looseObject({
  status: z.string(),
  error: z.unknown().optional(),
  logs: z
    .array(z.looseObject({ message: z.string() }))
    .nullish()
    .catch(null),
});

async function check(options: FalOptions, address: string): Promise<ProviderState> {
  const answer = statusSchema.safeParse(await ask(options, 'status', `${address}/status?logs=1`));
  if (!answer.success) throw new ProviderError('provider_failed');
  const { status, error, logs } = answer.data;
  if (status === 'COMPLETED' && (error ?? null) === null) return { kind: 'finished' };
  // The result of a failed request says why, and its sentence is the one to show.
  if (status === 'COMPLETED') await readOutput(options, address);
  if (status === 'IN_QUEUE') return { kind: 'queued' };
  if (status === 'IN_PROGRESS') return { kind: 'running', percent: readPercent(logs ?? []) };
  // Some queue versions say FAILED, others COMPLETED with an error; anything unknown is a failure too.
  throw new ProviderError('provider_failed');
}

function readPercent(logs: { message: string }[]): number | null {
  for (const { message } of logs.toReversed()) {
    const percent = Number(/^(\d{1,2})%/.exec(message)?.[1] ?? Number.NaN);
    if (!Number.isNaN(percent)) return percent;
  }
  return null;
}

async function readOutput(options: FalOptions, address: string): Promise<unknown> {
  const data = await ask(options, 'other', address);
  const body = z.looseObject({ detail: z.unknown().optional(), error: z.unknown().optional() }).safeParse(data);
  if (body.success && ((body.data.detail ?? null) !== null || (body.data.error ?? null) !== null))
    throw new ProviderError('provider_failed', { cause: new Error('an error body with status 200') });
  return data;
}

/** Sorts the failures of the fal wire. */
function toProviderError(error: unknown, operation: string): ProviderError {
  if (error instanceof ProviderError) return error;
  if (!(error instanceof FalError)) return new ProviderError('provider_failed', { cause: error, isLost: true });
  const { status, body } = error;
  if ((status === 404 || status === 410) && operation !== 'submit')
    return new ProviderError('provider_not_found', { cause: error, isLost: true });
  if (status !== 400 && status !== 422)
    return new ProviderError('provider_failed', { cause: error, refused: { operation, status } });
  const field = fieldRefusalSchema.safeParse(body).data?.detail[0];
  if (field === undefined) return new ProviderError('provider_failed', { cause: error });
  const sentence = isShowable(field.msg) ? field.msg : undefined;
  const refused = toOwnName(field.loc.at(-1));
  return new ProviderError('provider_rejected', { cause: error, sentence, field: refused, said: field.msg });
}

/** fal's fields are called as ours, with small letters only. @example toOwnName('aspect_ratio') // 'aspectRatio' */
const toOwnName = (name: string | number | undefined): string =>
  String(name).replace(/_(\w)/g, (_, letter: string) => letter.toUpperCase());

/** A refusal of single fields. A bare sentence may be about anything, hosts and keys included: it is a failure. */
const fieldRefusalSchema = z.looseObject({
  detail: z.array(z.looseObject({ loc: z.array(z.union([z.string(), z.number()])).min(1), msg: z.string() })).min(1),
});
