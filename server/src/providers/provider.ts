import type { FailureCode } from '@plinth/contract/generations';
import type { PlacedProduct } from '@plinth/contract/placement';
import { IMAGE_MAX_SIDE_PX, IMAGE_MIN_SIDE_PX } from '@plinth/contract/limits';
import type { Abilities } from '@plinth/contract/tool-fields';
import type { ToolId } from '@plinth/contract/tools';
import type { Counter } from 'prom-client';

/** A stored picture: upright, without metadata. */
export type InputPicture = { content: Buffer; contentType: string };

/** A tool's input by field name. */
export type ProviderInput = {
  pictures: ReadonlyMap<string, InputPicture>;
  texts: Readonly<Record<string, string>>;
  /** Marks and placement by field name, validated. */
  guides?: Readonly<Record<string, unknown>>;
  /** For a redo or variant only, 0 to 2^32 - 1; otherwise the model chooses. */
  seed?: number | undefined;
};

/** Which words the built-in engine drew, and which not. */
export type Words = { understood: string[]; notDrawn: string[] };

/** A finished file; `words` and `placement` only from the built-in engine, for some tools. */
export type FetchedResult = { content: Buffer; words: Words | null; placement?: PlacedProduct | undefined };

/** Properties of every provider. */
type Served = {
  /** Shown in the browser, to distinguish the built-in engine from a hosted model. */
  servedBy: { kind: 'built-in' | 'provider'; name: string };
  /** The maker of a tool's results in their labels: our engine, or a model's public id. */
  systemOf: (tool: ToolId) => string;
  /** Supported choices and limits; announced by `GET /api/v1/tools` and checked before payment. */
  abilities: Abilities;
  slots: number;
};

/** A model behind a queue: an accepted request is paid, and found again by its id. Methods throw ProviderError. */
export type QueuedProvider = Served & {
  /** Uploads the pictures for the model, free of charge. Returns the input of `submit`. */
  prepare: (tool: ToolId, given: ProviderInput) => Promise<unknown>;
  /** Submits the work and returns its id. Never repeated if the provider may have accepted it. */
  submit: (tool: ToolId, prepared: unknown) => Promise<string>;
  check: (tool: ToolId, requestId: string) => Promise<ProviderState>;
  /** Downloads the finished file within the allowed addresses, size and time. */
  fetch: (tool: ToolId, requestId: string) => Promise<FetchedResult>;
  /** Requests cancellation. The answer does not matter. */
  cancel: (tool: ToolId, requestId: string) => Promise<void>;
};

/** Free work that lasts as long as its call, and may be repeated if the call is lost. */
export type DirectProvider = Served & {
  /** `signal` also ends the work at the provider. @throws ProviderError */
  run: (tool: ToolId, given: ProviderInput, watch: Watch) => Promise<FetchedResult>;
};

export type Watch = { signal: AbortSignal; onPercent?: (percent: number) => void };

export type Provider = QueuedProvider | DirectProvider;

export type ProviderState = { kind: 'queued' } | { kind: 'running'; percent: number | null } | { kind: 'finished' };

export type ProviderFailureKind = Exclude<FailureCode, 'storage_failed' | 'canceled'>;

export type Candidate = { box: [number, number, number, number] | null };

const MESSAGE_MAX_LENGTH = 500;

type Details = {
  cause?: unknown;
  /** The provider's sentence about a field, if it may be shown. */
  sentence?: string | undefined;
  /** The tool's field that it rejected, if named. */
  field?: string | undefined;
  /** The provider's message, for the log only. */
  providerMessage?: string | undefined;
  /** The HTTP status, if there was one. */
  refused?: { operation: string; status: number } | undefined;
  /** True if the request's fate is unknown: no answer, or unknown to the provider. */
  isLost?: boolean;
  /** Without a clear product: the candidate's box in shares of the picture. */
  candidate?: Candidate | undefined;
  /** Certainly not accepted; may be retried after this time. */
  retryAfterMs?: number | undefined;
};

/** A failure of a provider, of a kind named in the contract. */
export class ProviderError extends Error {
  override readonly name = 'ProviderError';
  readonly kind: ProviderFailureKind;
  declare readonly sentence: Details['sentence'];
  declare readonly field: Details['field'];
  declare readonly providerMessage: Details['providerMessage'];
  declare readonly refused: Details['refused'];
  declare readonly candidate: Details['candidate'];
  declare readonly isLost: Details['isLost'];
  declare readonly retryAfterMs: Details['retryAfterMs'];

  constructor(kind: ProviderFailureKind, { cause, providerMessage, ...details }: Details = {}) {
    super(kind, { cause });
    this.kind = kind;
    Object.assign(this, details);
    // Not enumerable, so that logging the error does not log user's words that it may repeat.
    Object.defineProperty(this, 'providerMessage', { value: providerMessage?.slice(0, MESSAGE_MAX_LENGTH) });
  }
}

/** Runs a request to a provider, counts its outcome, and converts any error to a ProviderError. */
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

/** True if a `fetch` was never sent, because nobody listens there. */
export function isConnectionRefused(error: unknown): boolean {
  const cause = error instanceof Error ? (error.cause as { code?: unknown } | undefined) : undefined;
  return cause?.code === 'ECONNREFUSED';
}

/** Whether a provider's text may be shown: plain, at most 200 characters, no markup, address or control character. */
export function isShowable(text: string): boolean {
  return text.trim() !== '' && text.length <= 200 && !/[<>{}\p{Cc}]|https?:\/\//u.test(text);
}

/** A hosted model resizes pictures itself: only our own limits apply (in pixels), and it takes no guides. */
export const HOSTED_ABILITIES: Abilities = {
  minSide: IMAGE_MIN_SIDE_PX,
  maxSide: IMAGE_MAX_SIDE_PX,
  maxRatio: IMAGE_MAX_SIDE_PX / IMAGE_MIN_SIDE_PX,
  takesGuides: false,
};
