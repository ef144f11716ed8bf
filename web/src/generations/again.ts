import { isTerminal, type Generation, type ToolEntry } from '@plinth/contract/generations';
import { isFresh } from './followed.ts';
import type { Work } from './useGeneration.ts';
import { isBuiltIn } from './useTools.ts';

/** What the form's button would do, or why it is off. */
export type Again =
  | 'new'
  | 'unanswered'
  | 'free version'
  | 'free change'
  | 'earlier'
  | 'same picture'
  | 'same refusal'
  | 'same return';

type AgainUse = Pick<Work, 'generation' | 'change' | 'press' | 'isMade'> & {
  entry: ToolEntry | undefined;
  /** True if the form asks what the product is. */
  isAsking: boolean;
  now: number;
};

/**
 * Nobody pays for a known result: a refused photo would be refused again, as would one with an unsure product, and the
 * built-in engine returns the same picture for the same form. Further versions are free tries, as are another
 * description, placement or other marks. A failed try goes back to the last result that can be retried.
 */
export function decideAgain({ generation, change, entry, press, isMade, isAsking, now }: AgainUse): Again {
  const isSame = change !== null && Object.keys(change).length === 0;
  const hasEnded = generation !== null && isTerminal(generation.status) && generation.result === null;
  if (isSame && generation?.error?.code === 'provider_rejected') return 'same refusal';
  if (isAsking) return 'unanswered';
  if (generation === null || change === null) return isMade && isBuiltIn(entry) ? 'same picture' : 'new';
  if (hasEnded && generation.redoOf !== null && !generation.returned) return 'earlier';
  if (!isBuiltIn(entry) || press.isShort) return 'new';
  if (isSame && generation.returned) return 'same return';
  if (generation.result === null) return 'new';
  const isTriable = hasTries(generation, now);
  if (!isSame) return isTriable ? 'free change' : 'new';
  return isTriable && generation.result.understood !== undefined ? 'free version' : 'same picture';
}

export const hasTries = (generation: Generation, now: number): boolean =>
  generation.redosLeft > 0 && isFresh(generation, now);

export const isFree = (again: Again): boolean => again === 'free version' || again === 'free change';

export const AGAIN_SENTENCES: Partial<Record<Again, string>> = {
  'same picture': 'As it is, this gives the same result again. Change something first.',
  unanswered: 'Say first what your product is.',
  earlier: 'Go back first to what you had before.',
  'same refusal': 'As it is, this would be refused again.',
  'same return': 'As it is, this gives the result that you returned. Change something first.',
};
