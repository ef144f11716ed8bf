import { z } from 'zod';
import { countCharacters } from './limits.ts';

/** Code points. */
export const NAME_MAX_LENGTH = 100;

// Separators, control and format characters, and Unicode's default-ignorable code points.
const BLANK = /^[\p{Z}\p{C}\p{Default_Ignorable_Code_Point}\u2800]*$/u;

export const isBlankText = (text: string): boolean => BLANK.test(text);

/** Returns a file's name without its extension. */
export const stemOf = (name: string): string => name.replace(/(?<=.)\.[^.]*$/, '');

/** The name that a user gives to a key, look or run. */
export const nameSchema = z
  .string('name_required')
  .overwrite((given) => given.replace(/\p{Cc}/gu, ' ').trim())
  .refine((name) => !isBlankText(name), 'name_required')
  .refine((name) => countCharacters(name) <= NAME_MAX_LENGTH, 'name_too_long')
  .meta({ minLength: 1, maxLength: NAME_MAX_LENGTH });
