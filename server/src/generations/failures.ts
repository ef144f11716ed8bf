import type { Tool } from '@plinth/contract/tool';
import type { ProviderError } from '../providers/provider.ts';

/** The sentence for a failed provider call: the provider's own, the tool's for this failure, or its fallback. */
export function explainFailure({ says }: Tool, error: ProviderError): string {
  const { failures, failed } = says;
  switch (error.kind) {
    case 'provider_rejected':
      return error.sentence ?? failed;
    case 'provider_timeout':
      return failures.timeout ?? failed;
    case 'provider_not_found':
      return failures.notFound ?? failed;
    case 'result_missing':
      return failures.noUrl ?? failed;
    case 'provider_failed':
      return explainStatus(failures, error.refused) ?? failed;
    case 'result_invalid':
      return failed;
  }
}

/** What is refused before there is anything to wait for: the upload of a large picture is part of the start. */
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
