import type { FailureCode } from '@plinth/contract/generations';
import type { Standing } from '@plinth/contract/placement';
import { IMAGE_MAX_SIDE_PX, IMAGE_MIN_SIDE_PX } from '@plinth/contract/limits';
import type { Abilities } from '@plinth/contract/tool-fields';
import type { ToolId } from '@plinth/contract/tools';
import type { Counter } from 'prom-client';

/** A picture as it was stored: upright, without metadata. */
export type GivenPicture = { content: Buffer; contentType: string };

/** What a person gave a tool, by field name. */
export type GivenInput = {
  pictures: ReadonlyMap<string, GivenPicture>;
  texts: Readonly<Record<string, string>>;
  /** Marks and placement by field name, as their schemas have them. */
  guides?: Readonly<Record<string, unknown>>;
  /** Of a redo or variant only, 0 to 2^32 - 1: any other generation takes the seed that its model chooses. */
  seed?: number | undefined;
};

/** What the built-in engine says it drew of the words, and what not. */
export type Words = { understood: string[]; notDrawn: string[] };

/** A finished file; `words` and `placement` only from the built-in engine, for tools that have them. */
export type FetchedResult = { content: Buffer; words: Words | null; placement?: Standing | undefined };

/** What holds for every provider. */
type Served = {
  /** Shown on the screens, so that nobody takes the built-in engine for a hosted model. */
  servedBy: { kind: 'built-in' | 'provider'; name: string };
  /** What makes a tool's results, as their labels name it: our engine, or the public id of a model. */
  systemOf: (tool: ToolId) => string;
  /** What it takes; announced by `GET /api/v1/tools` and checked before anything is paid. */
  abilities: Abilities;
  slots: number;
};

/** A model behind a queue: what it took is paid and found again by its id. Each method throws a ProviderError. */
export type QueuedProvider = Served & {
  /** Brings the pictures to where the model can read them; nothing is paid by this. The answer is for `submit`. */
  prepare: (tool: ToolId, given: GivenInput) => Promise<unknown>;
  /** Hands the work over and returns its id there. Never repeated when the provider may have accepted it. */
  submit: (tool: ToolId, prepared: unknown) => Promise<string>;
  check: (tool: ToolId, requestId: string) => Promise<ProviderState>;
  /** The finished file, fetched safely: allowed addresses, size and time only. */
  fetch: (tool: ToolId, requestId: string) => Promise<FetchedResult>;
  /** Asks for an end; the answer does not matter, the work ends one way or the other. */
  cancel: (tool: ToolId, requestId: string) => Promise<void>;
};

/** Work that costs nothing and lasts as long as its call: what gets lost may be asked for again. */
export type DirectProvider = Served & {
  /** `signal` ends the work there, too. @throws ProviderError */
  run: (tool: ToolId, given: GivenInput, watch: Watch) => Promise<FetchedResult>;
};

export type Watch = { signal: AbortSignal; onPercent?: (percent: number) => void };

export type Provider = QueuedProvider | DirectProvider;

export type ProviderState = { kind: 'queued' } | { kind: 'running'; percent: number | null } | { kind: 'finished' };

export type ProviderFailureKind = Exclude<FailureCode, 'storage_failed' | 'canceled'>;

export type Candidate = { box: [number, number, number, number] | null };

const SAID_MAX_LENGTH = 500;

type Details = {
  cause?: unknown;
  /** The provider's own sentence about a field, where it may be shown. */
  sentence?: string | undefined;
  /** The tool's field that it refused, where it names one. */
  field?: string | undefined;
  /** What the provider said, for the log alone. */
  said?: string | undefined;
  /** What was refused with which HTTP status, where there was one. */
  refused?: { operation: string; status: number } | undefined;
  /** Nobody can say what became of the request: no answer came, or it is not known there. */
  isLost?: boolean;
  /** Where no single product was found: the box around what it may be, in shares of the picture. */
  candidate?: Candidate | undefined;
  /** It was surely not taken, and may be asked for again after so long. */
  askAgainMs?: number | undefined;
};

/** A provider failed, in one of the ways the contract names. */
export class ProviderError extends Error {
  override readonly name = 'ProviderError';
  readonly kind: ProviderFailureKind;
  declare readonly sentence: Details['sentence'];
  declare readonly field: Details['field'];
  declare readonly said: Details['said'];
  declare readonly refused: Details['refused'];
  declare readonly candidate: Details['candidate'];
  declare readonly isLost: Details['isLost'];
  declare readonly askAgainMs: Details['askAgainMs'];

  constructor(kind: ProviderFailureKind, { cause, said, ...details }: Details = {}) {
    super(kind, { cause });
    this.kind = kind;
    Object.assign(this, details);
    // Not enumerable: who logs the error as a whole does not log the words that it may repeat.
    Object.defineProperty(this, 'said', { value: said?.slice(0, SAID_MAX_LENGTH) });
  }
}

/** Runs one request to a provider, counts how it ended, and turns whatever broke it into a failure of the contract. */
export function countRequests(
  requests: Counter,
  provider: string,
  toFailure: (error: unknown, operation: string) => ProviderError,
) {
  return async <Result>(operation: string, work: () => Promise<Result>): Promise<Result> => {
    const count = (outcome: string) => requests.inc({ provider, operation, outcome });
    try {
      const result = await work();
      count('ok');
      return result;
    } catch (error) {
      const failure = toFailure(error, operation);
      count(failure.kind);
      throw failure;
    }
  };
}

/** Whether a call of `fetch` never left: nobody listens there. */
export function wasRefused(error: unknown): boolean {
  const cause = error instanceof Error ? (error.cause as { code?: unknown } | undefined) : undefined;
  return cause?.code === 'ECONNREFUSED';
}

/** Whether a provider's text may be shown: plain, at most 200 characters, no markup, address or control character. */
export function isShowable(text: string): boolean {
  return text.trim() !== '' && text.length <= 200 && !/[<>{}\p{Cc}]|https?:\/\//u.test(text);
}

/** A hosted model brings pictures to its own size itself: only our own limits hold, and no guides. Pixels. */
export const HOSTED_ABILITIES: Abilities = {
  minSide: IMAGE_MIN_SIDE_PX,
  maxSide: IMAGE_MAX_SIDE_PX,
  maxRatio: IMAGE_MAX_SIDE_PX / IMAGE_MIN_SIDE_PX,
  takesGuides: false,
};
