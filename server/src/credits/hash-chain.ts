import { hash } from 'node:crypto';
import type { LedgerEntry } from '@plinth/contract/credits';

/** What a statement's hashes are made of. An entry has the same hash in every statement, also in those to come. */

/** In this order they are hashed and stand in the CSV form, whose last column is the hash. */
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

/** An entry as a statement of another version may have it: with a tool or a package that is no longer sold. */
export type HashedEntry = Record<(typeof ENTRY_FIELDS)[number], string | number | null>;

export const FIRST_HASH = '0'.repeat(64);

/** The head of each statement. Without commas and quotation marks: in the CSV form it is one cell. */
export const STATEMENT_RULE =
  'hash is the SHA-256 in 64 small hexadecimal digits of these texts in UTF-8 with one line feed (byte 0A) between ' +
  `two of them and none at the end: the hash of the line before (64 zeros for the first line); ${ENTRY_FIELDS.join('; ')}. ` +
  'Numbers are decimal with a hyphen when negative. What is null or an empty cell is the empty text.';

/** The hash of a line, from that of the line before it and its own values, as the rule has it. */
export function hashEntry(previous: string, entry: HashedEntry): string {
  const texts = [previous, ...ENTRY_FIELDS.map((field) => String(entry[field] ?? ''))];
  return hash('sha256', texts.join('\n'), 'hex');
}
