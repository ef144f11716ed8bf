import { SECOND_TRY_SECONDS } from '@plinth/contract/limits';
import type { Generation, ToolEntry } from '@plinth/contract/generations';

/** What pressing the button would do to a form that has a result or a refusal already. */
export type Again = 'new' | 'free version' | 'free words' | 'same picture' | 'same refusal';

type AgainUse = {
  generation: Generation | null;
  /** Whether the form is still the one that it was made from. */
  isMadeFrom: boolean;
  /** Whether the form is that one but for its words. */
  isOfOtherWords: boolean;
  entry: ToolEntry | undefined;
  now: number;
};

/**
 * Nobody pays for what is known already: a photo that was refused is refused again, and the built-in engine gives the
 * same picture for the same form. Its further versions are free tries, and so are other words: the form asks no price
 * for what the stage beside it offers for nothing.
 */
export function decideAgain({ generation, isMadeFrom, isOfOtherWords, entry, now }: AgainUse): Again {
  if (generation === null) return 'new';
  if (isMadeFrom && generation.error?.code === 'provider_rejected') return 'same refusal';
  if (generation.result === null || entry?.servedBy.kind !== 'built-in') return 'new';
  const isFresh = now - Date.parse(generation.finishedAt ?? generation.createdAt) < SECOND_TRY_SECONDS * 1000;
  const hasTries = generation.result.understood !== undefined && generation.redosLeft > 0 && isFresh;
  if (isMadeFrom) return hasTries ? 'free version' : 'same picture';
  return hasTries && isOfOtherWords ? 'free words' : 'new';
}

export const isFree = (again: Again): boolean => again === 'free version' || again === 'free words';

export const AGAIN_SENTENCES: Partial<Record<Again, string>> = {
  'same picture': 'Same photo and settings give the same result. Change one of them first.',
  'same refusal': 'This photo would be refused again. Choose another one.',
};
