import { hash } from 'node:crypto';
import type { LedgerEntry } from '@plinth/contract/credits';

/** The hash chain of statements. An entry has the same hash in every statement, including later ones. */

/** Columns in the order of hashing and of the CSV form, whose last column is the hash. */
export const ENTRY_FIELDS = [
  'id',
  'delta',
  'balanceAfter',
  'reason',
  'generationId',
  'purchaseId',
  'tool',
  'package',
  'createdAt',
] as const satisfies (keyof LedgerEntry)[];

/** An entry of any version's statement, possibly with a tool or package that is no longer sold. */
type HashedEntry = Record<(typeof ENTRY_FIELDS)[number], string | number | null>;

export const FIRST_HASH = '0'.repeat(64);

/** The header of each statement, without commas and quotation marks: a single cell in the CSV form. */
export const STATEMENT_RULE =
  'hash is the SHA-256 in 64 small hexadecimal digits of these texts in UTF-8 with one line feed (byte 0A) between ' +
  `two of them and none at the end: the hash of the line before (64 zeros for the first line); ${ENTRY_FIELDS.join('; ')}. ` +
  'Numbers are decimal with a hyphen when negative. What is null or an empty cell is the empty text.';

/** The hash of a line, computed from the previous line's hash and its own values. */
export function hashEntry(previous: string, entry: HashedEntry): string {
  const texts = [previous, ...ENTRY_FIELDS.map((field) => String(entry[field] ?? ''))];
  return hash('sha256', texts.join('\n'), 'hex');
}
