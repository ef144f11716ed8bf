import type { Tool } from '@plinth/contract/tool';
import type { ProviderError } from '../providers/provider.ts';

/** The sentence for a failed provider call: the provider's own, the tool's for this failure, or its fallback. */
export function explainFailure({ says }: Tool, error: ProviderError): string {
  const { failures, failed } = says;
  const sentence = {
    provider_rejected: error.sentence,
    provider_timeout: failures.timeout,
    provider_not_found: failures.notFound,
    result_missing: failures.noUrl,
    provider_failed: explainStatus(failures, error.refused),
    result_invalid: failed,
  }[error.kind];
  return sentence ?? failed;
}

/** Operations before the wait: the upload of a large picture is part of the start. */
const START_OPERATIONS = ['upload', 'submit'];

function explainStatus(failures: Tool['says']['failures'], refused: ProviderError['refused']): string | undefined {
  const sentence = START_OPERATIONS.includes(refused?.operation ?? '') ? failures.submitStatus : failures.checkStatus;
  return refused === undefined ? undefined : sentence?.replace('{status}', String(refused.status));
}

const WORD = /[\p{L}\p{N}]{4,}/gu;

/** A provider's message without the user's words that it may repeat, because these are never logged. */
export function redactWords(message: string | undefined, texts: readonly string[]): string | undefined {
  const words = new Set(texts.flatMap((text) => text.toLowerCase().match(WORD) ?? []));
  return message?.replace(WORD, (word) => (words.has(word.toLowerCase()) ? '…' : word));
}
