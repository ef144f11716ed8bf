import { ApiError, type FalClient } from '@fal-ai/client';
import type { Counter } from 'prom-client';
import { z } from 'zod';
import type { ToolId } from '@plinth/contract/tools';
import { type FalAddresses, findRealStatus, makeFalClient } from './fal-client.ts';
import { fetchFile } from './fetch-file.ts';
import {
  countRequests,
  HOSTED_ABILITIES,
  type InputPicture,
  isShowable,
  ProviderError,
  type ProviderInput,
  type ProviderState,
  type QueuedProvider,
} from './provider.ts';

/** A tool's mapping to fal: the model, its input, and the file in its output. */
export type FalCall = {
  model: string;
  /** `pictures`: addresses for the model by field name. Undefined input is omitted. */
  toInput: (providerInput: Omit<ProviderInput, 'pictures'> & { pictures: Record<string, string> }) => object;
  /** Address of the result file; undefined if there is none. */
  fileUrl: (output: unknown) => string | undefined;
};

type FalOptions = {
  key: string;
  addresses: FalAddresses;
  callOf: (tool: ToolId) => FalCall;
  pauseScale: number;
  allowedHosts: readonly string[];
  requests: Counter;
};

// A data URL is a third larger on the wire and in the provider's log, so larger pictures are uploaded.
const DATA_URL_MAX_BYTES = 1_048_576;
/** Copies at the provider expire long before ours. */
const PROVIDER_COPY_SECONDS = 3600;
const PRIVACY_HEADERS = { 'x-fal-store-io': '0' };
const LIFECYCLE = { expiration_duration_seconds: PROVIDER_COPY_SECONDS };

/** fal's queue. */
export function makeFal(options: FalOptions): QueuedProvider {
  const fal = makeFalClient(options);
  const counted = countRequests(options.requests, 'provider', toProviderError);
  return {
    servedBy: { kind: 'provider', name: 'fal' },
    systemOf: (tool) => options.callOf(tool).model,
    // Seedance does not support 4:5.
    abilities: { ...HOSTED_ABILITIES, choices: { aspectRatio: ['1:1', '16:9', '9:16'] } },
    slots: 20,
    prepare: (tool, providerInput) => counted('upload', () => prepare(fal, options.callOf(tool), providerInput)),
    submit: (tool, input) => counted('submit', () => submit(fal, options.callOf(tool).model, input as object)),
    check: (tool, requestId) => counted('status', () => check(fal, options.callOf(tool).model, requestId)),
    fetch: async (tool, requestId) => {
      const { model, fileUrl } = options.callOf(tool);
      const output = await counted('result', () => readOutput(fal, model, requestId));
      const url = fileUrl(output);
      if (url === undefined) throw new ProviderError('result_missing');
      const content = await counted('fetch', () => fetchFile(url, options.allowedHosts, options.pauseScale));
      return { content, words: null };
    },
    cancel: (tool, requestId) =>
      counted('cancel', () => fal.queue.cancel(options.callOf(tool).model, { requestId })).catch(() => undefined),
  };
}

/** Builds the submit's input, with every picture at an address for the model. */
async function prepare(fal: FalClient, call: FalCall, providerInput: ProviderInput): Promise<object> {
  const pictures: Record<string, string> = {};
  for (const [field, picture] of providerInput.pictures) pictures[field] = await toUrl(fal, picture);
  return call.toInput({ ...providerInput, pictures });
}

async function toUrl(fal: FalClient, { content, contentType }: InputPicture): Promise<string> {
  if (content.byteLength <= DATA_URL_MAX_BYTES) return `data:${contentType};base64,${content.toString('base64')}`;
  const file = new Blob([new Uint8Array(content)], { type: contentType });
  return fal.storage.upload(file, { lifecycle: { expiresIn: PROVIDER_COPY_SECONDS } });
}

const submittedSchema = z.looseObject({ request_id: z.string().min(1).max(200) });

async function submit(fal: FalClient, model: string, input: object): Promise<string> {
  const answer: unknown = await fal.queue.submit(model, {
    input,
    priority: 'normal',
    headers: { ...PRIVACY_HEADERS, 'x-fal-object-lifecycle-preference': JSON.stringify(LIFECYCLE) },
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

async function check(fal: FalClient, model: string, requestId: string): Promise<ProviderState> {
  const answer = statusSchema.safeParse(await fal.queue.status(model, { requestId, logs: true }));
  if (!answer.success) throw new ProviderError('provider_failed');
  const { status, error, logs } = answer.data;
  if (status === 'COMPLETED' && (error ?? null) === null) return { kind: 'finished' };
  // A failed request's result contains the reason to show.
  if (status === 'COMPLETED') await readOutput(fal, model, requestId);
  if (status === 'IN_QUEUE') return { kind: 'queued' };
  if (status === 'IN_PROGRESS') return { kind: 'running', percent: readPercent(logs ?? []) };
  // Some queue versions answer FAILED, others COMPLETED with an error; an unknown status is a failure, too.
  throw new ProviderError('provider_failed');
}

function readPercent(logs: { message: string }[]): number | null {
  for (const { message } of logs.toReversed()) {
    const percent = Number(/^(\d{1,2})%/.exec(message)?.[1] ?? Number.NaN);
    if (!Number.isNaN(percent)) return percent;
  }
  return null;
}

async function readOutput(fal: FalClient, model: string, requestId: string): Promise<unknown> {
  const answer = await fal.queue.result(model, { requestId });
  const data: unknown = answer.data;
  const body = z.looseObject({ detail: z.unknown().optional(), error: z.unknown().optional() }).safeParse(data);
  if (body.success && ((body.data.detail ?? null) !== null || (body.data.error ?? null) !== null))
    throw new ProviderError('provider_failed', { cause: new Error('an error body with status 200') });
  return data;
}

/** Classifies fal's errors. */
function toProviderError(error: unknown, operation: string): ProviderError {
  if (error instanceof ProviderError) return error;
  if (!(error instanceof ApiError)) return new ProviderError('provider_failed', { cause: error, isLost: true });
  const status = findRealStatus(error);
  if ((status === 404 || status === 410) && operation !== 'submit' && operation !== 'upload')
    return new ProviderError('provider_not_found', { cause: error, isLost: true });
  if (status === 400 || status === 422) {
    const field = fieldRefusalSchema.safeParse(error.body).data?.detail[0];
    if (field === undefined) return new ProviderError('provider_failed', { cause: error });
    const sentence = isShowable(field.msg) ? field.msg : undefined;
    const refused = toOwnName(field.loc.at(-1));
    return new ProviderError('provider_rejected', {
      cause: error,
      sentence,
      field: refused,
      providerMessage: field.msg,
    });
  }
  return new ProviderError('provider_failed', {
    cause: error,
    isLost: status === undefined,
    refused: status === undefined ? undefined : { operation, status },
  });
}

/** Converts fal's field names to ours. @example toOwnName('aspect_ratio') // 'aspectRatio' */
const toOwnName = (name: string | number | undefined): string =>
  String(name).replace(/_(\w)/g, (_, letter: string) => letter.toUpperCase());

/** A rejection of fields. A bare message may contain hosts and keys, so it counts as a failure. */
const fieldRefusalSchema = z.looseObject({
  detail: z.array(z.looseObject({ loc: z.array(z.union([z.string(), z.number()])).min(1), msg: z.string() })).min(1),
});
