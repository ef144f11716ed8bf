import { countCharacters } from '@plinth/contract/limits';
import { NAME_MAX_LENGTH } from '@plinth/contract/runs';
import { fieldError } from '../errors.ts';

/** The name that a person gives to something of theirs. @throws AppError name_required or name_too_long */
export function readName(given: unknown): string {
  const name = typeof given === 'string' ? given.replace(/\p{Cc}/gu, ' ').trim() : '';
  if (showsNothing(name)) throw fieldError('name', 'name_required');
  if (countCharacters(name) > NAME_MAX_LENGTH) throw fieldError('name', 'name_too_long');
  return name;
}

// Spaces, control and format characters, and what Unicode says may be ignored.
const SHOWS_NOTHING = /^[\p{Z}\p{C}\p{Default_Ignorable_Code_Point}\u2800]*$/u;

export const showsNothing = (text: string): boolean => SHOWS_NOTHING.test(text);
