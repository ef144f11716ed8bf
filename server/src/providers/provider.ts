import type { FailureCode } from '@plinth/contract/generations';

/** What every provider must be able to do. */
export type Provider = {
  /** Shown on the screens, so that nobody takes the built-in engine for a hosted model. */
  servedBy: { kind: 'built-in' | 'provider'; name: string };
  /** How many generations it may work on at one time. */
  slots: number;
  /** How often it may be asked; undefined where the tool's own interval holds. Milliseconds. */
  pollEveryMs: number | undefined;
  /** Brings a picture to where the model can read it. */
  toUrl: (picture: { content: Buffer; contentType: string }) => Promise<string>;
  /** Hands the work over and returns its id there. Never repeated when the provider may have accepted it. */
  submit: (model: string, input: object) => Promise<string>;
  check: (model: string, requestId: string) => Promise<ProviderState>;
  /** What the model answered. */
  readOutput: (model: string, requestId: string) => Promise<unknown>;
  /** Asks for an end; the answer does not matter, the work ends one way or the other. */
  cancel: (model: string, requestId: string) => Promise<void>;
  /** Fetches a result file, safely: allowed addresses, size and time only. */
  fetchFile: (url: string) => Promise<Buffer>;
};

export type ProviderState = { kind: 'queued' } | { kind: 'running'; percent: number | null } | { kind: 'finished' };

export type ProviderFailureKind = Exclude<FailureCode, 'storage_failed' | 'canceled'>;

/** A provider failed, in one of the ways the contract names. */
export class ProviderError extends Error {
  readonly kind: ProviderFailureKind;
  /** The provider's own sentence about a field, where it may be shown. */
  readonly sentence: string | undefined;

  constructor(kind: ProviderFailureKind, options: { cause?: unknown; sentence?: string | undefined } = {}) {
    super(kind, { cause: options.cause });
    this.name = 'ProviderError';
    this.kind = kind;
    this.sentence = options.sentence;
  }
}
