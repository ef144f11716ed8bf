import type { FailureCode } from '@plinth/contract/generations';
import type { ToolId } from '@plinth/contract/tools';

/** A picture as it was stored: upright, without metadata. */
export type GivenPicture = { content: Buffer; contentType: string };

/** What a person gave a tool: pictures by field name, texts and choices by field name. */
export type GivenInput = { pictures: ReadonlyMap<string, GivenPicture>; texts: Readonly<Record<string, string>> };

/** What every provider must be able to do. Each method throws a ProviderError when it fails. */
export type Provider = {
  /** Shown on the screens, so that nobody takes the built-in engine for a hosted model. */
  servedBy: { kind: 'built-in' | 'provider'; name: string };
  /** How many generations it may work on at one time. */
  slots: number;
  /** How often it may be asked; undefined where the tool's own interval holds. Milliseconds. */
  pollEveryMs: number | undefined;
  /** Brings the pictures to where the model can read them; nothing is paid by this. The answer is for `submit`. */
  prepare: (tool: ToolId, given: GivenInput) => Promise<unknown>;
  /** Hands the work over and returns its id there. Never repeated when the provider may have accepted it. */
  submit: (tool: ToolId, prepared: unknown) => Promise<string>;
  check: (tool: ToolId, requestId: string) => Promise<ProviderState>;
  /** The finished file, fetched safely: allowed addresses, size and time only. */
  fetch: (tool: ToolId, requestId: string) => Promise<Buffer>;
  /** Asks for an end; the answer does not matter, the work ends one way or the other. */
  cancel: (tool: ToolId, requestId: string) => Promise<void>;
};

export type ProviderState = { kind: 'queued' } | { kind: 'running'; percent: number | null } | { kind: 'finished' };

export type ProviderFailureKind = Exclude<FailureCode, 'storage_failed' | 'canceled'>;

type Details = {
  cause?: unknown;
  /** The provider's own sentence about a field, where it may be shown. */
  sentence?: string | undefined;
  /** What was refused with which HTTP status, where there was one. */
  refused?: { operation: string; status: number } | undefined;
};

/** A provider failed, in one of the ways the contract names. */
export class ProviderError extends Error {
  readonly kind: ProviderFailureKind;
  readonly sentence: Details['sentence'];
  readonly refused: Details['refused'];

  constructor(kind: ProviderFailureKind, { cause, sentence, refused }: Details = {}) {
    super(kind, { cause });
    this.name = 'ProviderError';
    this.kind = kind;
    this.sentence = sentence;
    this.refused = refused;
  }
}

/** Whether a provider's text may be shown: plain, at most 200 characters, no markup, address or control character. */
export function isShowable(text: string): boolean {
  return text.trim() !== '' && text.length <= 200 && !/[<>{}\p{Cc}]|https?:\/\//u.test(text);
}
