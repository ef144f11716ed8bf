import { countCharacters } from '@plinth/contract/limits';
import { NAME_MAX_LENGTH } from '@plinth/contract/runs';
import { fieldError } from '../errors.ts';

/** The name that a person gives to something of theirs. @throws AppError name_required or name_too_long */
export function readName(given: unknown): string {
  const name = typeof given === 'string' ? given.replace(/\p{Cc}/gu, ' ').trim() : '';
  if (name === '') throw fieldError('name', 'name_required');
  if (countCharacters(name) > NAME_MAX_LENGTH) throw fieldError('name', 'name_too_long');
  return name;
}
