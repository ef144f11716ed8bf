import { candidateSchema, type Subject, subjectSchema } from '@plinth/contract/marks';
import { placedProductSchema } from '@plinth/contract/placement';
import type { ToolId } from '@plinth/contract/tools';
import type { Counter } from 'prom-client';
import { z } from 'zod';
import {
  countRequests,
  type DirectProvider,
  type FetchedResult,
  isConnectionRefused,
  isShowable,
  ProviderError,
  type ProviderInput,
  type Watch,
} from './provider.ts';

/** A tool's mapping to the built-in engine: its skill and the skill's field names. */
export type EngineCall = {
  skill: string;
  /** Our picture field -> the skill's. */
  pictures: Readonly<Record<string, string>>;
  toInput: (given: ProviderInput) => object;
};

type EngineWire = { url: string; key: string; requests: Counter };

/** The engine's own limits (`engine/src/pixels/decode.ts`) in pixels, checked before payment. */
const ABILITIES = {
  minSide: 64,
  maxSide: 16_384,
  maxRatio: 8,
  takesGuides: true,
  framesProduct: true,
  instead: { hairStyle: { target_hair: 'The built-in engine keeps your own hair.' } },
} as const;

/** The built-in engine: `POST /tasks`, answered by JSON lines followed by the file (`engine/src/wire/tasks.ts`). */
export function makeEngine(wire: EngineWire, callOf: (tool: ToolId) => EngineCall): DirectProvider {
  return {
    servedBy: { kind: 'built-in', name: 'Built-in engine' },
    systemOf: () => 'Plinth engine',
    abilities: ABILITIES,
    // As many as it works on concurrently.
    slots: 2,
    run: (tool, given, watch) => runSkill(wire, callOf(tool), given, watch),
  };
}

const countedBy = ({ requests }: EngineWire) => countRequests(requests, 'built-in', toProviderError);

/** Returns the file that a skill makes. @throws ProviderError */
export function runSkill(
  wire: EngineWire,
  call: EngineCall,
  given: ProviderInput,
  watch: Watch,
): Promise<FetchedResult> {
  return countedBy(wire)('run', async () => {
    const { content, understood, notDrawn, placement } = await ask(wire, call, given, watch);
    if (content.byteLength === 0) throw new ProviderError('result_missing');
    return { content, words: understood && notDrawn ? { understood, notDrawn } : null, placement };
  });
}

const FIND_SUBJECT: EngineCall = {
  skill: 'find-subject',
  pictures: { image: 'image_url' },
  toInput: ({ guides }) => ({ marks: guides?.['marks'] }),
};

/** Detects the product of the picture `image`. @throws ProviderError */
export async function findSubject(wire: EngineWire, given: ProviderInput, signal: AbortSignal): Promise<Subject> {
  const { answer } = await countedBy(wire)('look', () => ask(wire, FIND_SUBJECT, given, { signal }));
  const subject = subjectSchema.safeParse(answer);
  if (!subject.success) throw new ProviderError('provider_failed', { cause: subject.error });
  return subject.data;
}

async function ask({ url, key }: EngineWire, call: EngineCall, given: ProviderInput, watch: Watch): Promise<Answer> {
  // As bytes: if a call is aborted while undici reads a form, it leaves a rejection unhandled, which ends the process.
  const form = new Response(makeForm(call, given));
  const body = await form.arrayBuffer();
  const answer = await fetch(`${url}/tasks`, {
    method: 'POST',
    headers: { authorization: `Key ${key}`, 'content-type': form.headers.get('content-type') ?? '' },
    body,
    signal: watch.signal,
    redirect: 'error',
  });
  if (answer.status !== 200 || answer.body === null) throw await toRefusal(answer);
  return readAnswer(answer.body, watch);
}

function makeForm({ skill, pictures, toInput }: EngineCall, given: ProviderInput): FormData {
  const form = new FormData();
  form.set('skill', skill);
  form.set('input', JSON.stringify(toInput(given)));
  for (const [field, { content, contentType }] of given.pictures)
    form.set(pictures[field] ?? field, new Blob([new Uint8Array(content)], { type: contentType }), field);
  return form;
}

const DEFAULT_PAUSE_SECONDS = 1;

async function toRefusal(answer: Response): Promise<ProviderError> {
  const cause = new Error(`status ${answer.status}: ${(await answer.text()).slice(0, 200)}`);
  const refused = { operation: 'submit', status: answer.status };
  if (answer.status !== 503) return new ProviderError('provider_failed', { cause, refused });
  const seconds = Number(answer.headers.get('retry-after')) || DEFAULT_PAUSE_SECONDS;
  return new ProviderError('provider_failed', { cause, refused, isLost: true, retryAfterMs: seconds * 1000 });
}

const MAX_LINE_BYTES = 64 * 1024;
// A cut-out of 64 megapixels, the most that a photo may have, takes up to 115 MiB.
const MAX_FILE_BYTES = 128 * 1024 * 1024;
const NEW_LINE = 10;

const phrases = z.array(z.string().min(1).max(2000)).max(200).optional().catch(undefined);
const lineSchema = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('queued') }),
  z.object({ kind: z.literal('progress'), percent: z.int().min(0).max(99) }),
  z.object({
    kind: z.literal('done'),
    bytes: z.int().min(0).max(MAX_FILE_BYTES),
    understood: phrases,
    notDrawn: phrases,
    placement: placedProductSchema.optional().catch(undefined),
    /** The answer of a skill that makes no file. */
    answer: z.unknown().optional(),
  }),
  z.object({
    kind: z.literal('refused'),
    message: z.string(),
    candidate: z.object({ box: candidateSchema.shape.box.nullable() }).optional(),
  }),
  z.object({ kind: z.literal('failed'), reason: z.string() }),
]);
type Line = z.infer<typeof lineSchema>;
type Done = Extract<Line, { kind: 'done' }>;
type Answer = Done & { content: Buffer };

async function readAnswer(body: ReadableStream<Uint8Array>, watch: Watch): Promise<Answer> {
  let rest = Buffer.alloc(0);
  let done: Done | undefined;
  const file: Buffer[] = [];
  for await (const chunk of body) {
    if (done !== undefined) {
      file.push(Buffer.from(chunk));
      continue;
    }
    rest = Buffer.concat([rest, chunk]);
    for (let end = rest.indexOf(NEW_LINE); end >= 0 && done === undefined; end = rest.indexOf(NEW_LINE)) {
      done = applyLine(parseLine(rest.subarray(0, end)), watch);
      rest = rest.subarray(end + 1);
    }
    if (done !== undefined) file.push(rest);
    else if (rest.byteLength > MAX_LINE_BYTES) throw new ProviderError('provider_failed');
  }
  if (done === undefined) throw new ProviderError('provider_failed', { isLost: true });
  const content = Buffer.concat(file);
  if (content.byteLength !== done.bytes) throw new ProviderError('result_invalid', { cause: new Error('cut off') });
  return { ...done, content };
}

function parseLine(bytes: Buffer): Line {
  try {
    return lineSchema.parse(JSON.parse(bytes.toString()));
  } catch (cause) {
    throw new ProviderError('provider_failed', { cause });
  }
}

/** Reports progress and returns the end. @throws ProviderError for an end without a result */
function applyLine(line: Line, { onPercent }: Watch): Done | undefined {
  switch (line.kind) {
    case 'queued':
      return undefined;
    case 'progress':
      onPercent?.(line.percent);
      return undefined;
    case 'done':
      return line;
    case 'refused':
      throw new ProviderError('provider_rejected', {
        sentence: isShowable(line.message) ? line.message : undefined,
        candidate: line.candidate,
      });
    case 'failed':
      throw new ProviderError(line.reason === 'time_limit' ? 'provider_timeout' : 'provider_failed', {
        cause: new Error(`the engine says ${line.reason}`),
      });
  }
}

/** The error of a broken call: not accepted because the engine is restarting, or interrupted. */
function toProviderError(error: unknown): ProviderError {
  if (error instanceof ProviderError) return error;
  const retryAfterMs = isConnectionRefused(error) ? DEFAULT_PAUSE_SECONDS * 1000 : undefined;
  return new ProviderError('provider_failed', { cause: error, isLost: true, retryAfterMs });
}
