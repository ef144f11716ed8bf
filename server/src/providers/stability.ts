import { setTimeout as sleep } from 'node:timers/promises';
import type { Counter } from 'prom-client';
import sharp from 'sharp';
import { z } from 'zod';
import { parseJson } from '../platform/json.ts';
import { findTraceparent } from '../platform/trace.ts';
import { readBody } from './fetch-file.ts';
import {
  countRequests,
  HOSTED_ABILITIES,
  ProviderError,
  type ProviderFailureKind,
  type ProviderInput,
  type ProviderState,
  type QueuedProvider,
} from './provider.ts';

type StabilityOptions = {
  key: string;
  url: string;
  pauseScale: number;
  requests: Counter;
};

/** Stability's image-to-video (v2beta): three picture sizes, no prompt. Its 200 is the finished file. */
export function makeStability(options: StabilityOptions): QueuedProvider {
  const counted = countRequests(options.requests, 'stability', toProviderError);
  return {
    servedBy: { kind: 'provider', name: 'Stability AI' },
    systemOf: () => 'Stability AI image-to-video',
    abilities: { ...HOSTED_ABILITIES, choices: { aspectRatio: ['1:1', '16:9'], duration: [] } },
    slots: 4,
    prepare: async (_tool, given): Promise<Prepared> => ({ picture: await prepare(given), seed: given.seed ?? 0 }),
    submit: (_tool, prepared) => counted('submit', () => submit(options, prepared as Prepared)),
    check: (_tool, requestId) => counted('status', () => check(options, requestId)),
    fetch: async (_tool, requestId) => ({
      content: await counted('fetch', () => fetchVideo(options, requestId)),
      words: null,
    }),
    // Not cancelable: the video is made and left there.
    cancel: async () => undefined,
  };
}

function toProviderError(error: unknown): ProviderError {
  return error instanceof ProviderError ? error : new ProviderError('provider_failed', { cause: error });
}

const REQUEST_TIME_MS = 60_000;
const SQUARE = { width: 768, height: 768 };
const WIDE = { width: 1024, height: 576 };

/** Fits the whole picture into a supported size; the rest is filled with its own blurred colours. */
async function prepare({ pictures, texts }: ProviderInput): Promise<Buffer> {
  const picture = pictures.get('image');
  if (picture === undefined) throw new ProviderError('provider_failed', { cause: new Error('the picture is gone') });
  const size = texts.aspectRatio === '1:1' ? SQUARE : WIDE;
  const flat = await sharp(picture.content).flatten({ background: '#ffffff' }).toBuffer();
  const whole = await sharp(flat)
    .resize({ ...size, fit: 'inside' })
    .toBuffer();
  return sharp(flat)
    .resize({ ...size, fit: 'cover' })
    .blur(40)
    .composite([{ input: whole }])
    .jpeg({ quality: 92 })
    .toBuffer();
}

type Prepared = { picture: Buffer; seed: number };

async function submit(options: StabilityOptions, { picture, seed }: Prepared): Promise<string> {
  const form = new FormData();
  form.set('image', new Blob([new Uint8Array(picture)], { type: 'image/jpeg' }), 'image.jpg');
  form.set('seed', String(seed));
  form.set('cfg_scale', '1.8');
  form.set('motion_bucket_id', '127');
  const response = await call(options, '/v2beta/image-to-video', { method: 'POST', body: form });
  // An error's body has an id, too, which is not a generation's, so the status is checked first.
  if (response.status !== 200) throw await toFailure(response, 'submit');
  const answer = z
    .looseObject({ id: z.string().regex(/^[\w-]{1,200}$/) })
    .safeParse(await response.json().catch(() => null));
  if (!answer.success) throw new ProviderError('provider_failed', { cause: answer.error });
  return answer.data.id;
}

async function check(options: StabilityOptions, requestId: string): Promise<ProviderState> {
  const { response } = await readResult(options, requestId, async ({ body }) => body?.cancel());
  return response.status === 202 ? { kind: 'running', percent: null } : { kind: 'finished' };
}

async function fetchVideo(options: StabilityOptions, requestId: string): Promise<Buffer> {
  const { response, body: content } = await readResult(options, requestId, ({ body }) => readBody(body ?? []));
  if (response.headers.get('finish-reason') === 'CONTENT_FILTERED') throw new ProviderError('provider_rejected');
  if (response.headers.get('content-type')?.startsWith('application/json') !== true) return content;
  const answer = z
    .looseObject({ video: z.base64().min(1).optional(), finish_reason: z.string().optional() })
    .safeParse(parseJson(content.toString()));
  if (!answer.success) throw new ProviderError('result_invalid', { cause: answer.error });
  if (answer.data.finish_reason === 'CONTENT_FILTERED') throw new ProviderError('provider_rejected');
  if (answer.data.video === undefined) throw new ProviderError('result_missing');
  return Buffer.from(answer.data.video, 'base64');
}

// Reads may be repeated; the endpoint requires a pause between polls.
const READ_TRIES = 3;
const READ_PAUSE_MS = 500;

/** 202 while in progress, 200 with the file, which is read at once and requested again if that fails. */
async function readResult<Taken>(
  options: StabilityOptions,
  requestId: string,
  take: (response: Response) => Promise<Taken>,
): Promise<{ response: Response; body: Taken }> {
  const path = `/v2beta/image-to-video/result/${encodeURIComponent(requestId)}`;
  for (let attempt = 1; ; attempt += 1) {
    try {
      const response = await call(options, path, { headers: { accept: 'video/*' } });
      if (response.status === 200 || response.status === 202) return { response, body: await take(response) };
      if ((response.status !== 429 && response.status < 500) || attempt === READ_TRIES)
        throw await toFailure(response, 'status');
      await response.body?.cancel();
    } catch (cause) {
      if (cause instanceof ProviderError) throw cause;
      if (attempt === READ_TRIES) throw new ProviderError('provider_failed', { cause });
    }
    await sleep(READ_PAUSE_MS * attempt * options.pauseScale);
  }
}

function call({ key, url }: StabilityOptions, path: string, init: RequestInit): Promise<Response> {
  const traceparent = findTraceparent();
  return fetch(`${url}${path}`, {
    ...init,
    headers: {
      ...(init.headers as Record<string, string> | undefined),
      authorization: `Bearer ${key}`,
      ...(traceparent !== undefined && { traceparent }),
    },
    redirect: 'error', // could leak the key to another host
    signal: AbortSignal.timeout(REQUEST_TIME_MS),
  });
}

const refusalSchema = z.looseObject({ errors: z.array(z.string()).min(1) });

async function toFailure(response: Response, operation: string): Promise<ProviderError> {
  const { status } = response;
  const body = await response.json().catch(() => null);
  const text = refusalSchema.safeParse(body).data?.errors[0] ?? '';
  const kind: ProviderFailureKind =
    status === 404 && operation !== 'submit'
      ? 'provider_not_found'
      : status === 400 || status === 403 || status === 422
        ? 'provider_rejected'
        : 'provider_failed';
  // Its messages are about our request, which the user has not seen.
  return new ProviderError(kind, { providerMessage: text, refused: { operation, status } });
}
