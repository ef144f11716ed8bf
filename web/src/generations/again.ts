import { SECOND_TRY_SECONDS } from '@plinth/contract/limits';
import type { Generation, ToolEntry } from '@plinth/contract/generations';

/** What pressing the button would do to a form that has a result or a refusal already. */
export type Again = 'new' | 'free version' | 'same picture' | 'same refusal';

type AgainUse = {
  generation: Generation | null;
  /** Whether the form is still the one that it was made from. */
  isMadeFrom: boolean;
  entry: ToolEntry | undefined;
  now: number;
};

/**
 * Nobody pays for what is known already: a photo that was refused is refused again, and the built-in engine gives the
 * same picture for the same form. Its further versions are free tries.
 */
export function decideAgain({ generation, isMadeFrom, entry, now }: AgainUse): Again {
  if (generation === null || !isMadeFrom) return 'new';
  if (generation.error?.code === 'provider_rejected') return 'same refusal';
  if (generation.result === null || entry?.servedBy.kind !== 'built-in') return 'new';
  const isFresh = now - Date.parse(generation.finishedAt ?? generation.createdAt) < SECOND_TRY_SECONDS * 1000;
  const hasVersions = generation.result.understood !== undefined;
  return hasVersions && generation.redosLeft > 0 && isFresh ? 'free version' : 'same picture';
}

export const AGAIN_SENTENCES: Partial<Record<Again, string>> = {
  'same picture': 'Same photo and settings give the same result. Change one of them first.',
  'same refusal': 'This photo would be refused again. Choose another one.',
};
