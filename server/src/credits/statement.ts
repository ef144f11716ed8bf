import type { LedgerEntry, Statement } from '@plinth/contract/credits';
import Papa from 'papaparse';
import type { Db } from '../platform/data/db.ts';
import { ENTRY_FIELDS, FIRST_HASH, hashEntry, STATEMENT_RULE } from './hash-chain.ts';
import { measureLedger, readLedger } from './ledger.ts';

/** A user's ledger as of one moment, in chunks of lines. */
type OpenStatement = { count: number; chunks: AsyncIterable<Line[]> };
type Line = Statement['items'][number];

/** Fixes the statement's extent; its lines are read lazily. */
export async function openStatement(db: Db, userId: string): Promise<OpenStatement> {
  const { entries, newest } = await measureLedger(db, userId);
  return { count: entries, chunks: addHashes(readLedger(db, userId, newest)) };
}

async function* addHashes(chunks: AsyncIterable<LedgerEntry[]>): AsyncGenerator<Line[]> {
  let hash = FIRST_HASH;
  for await (const entries of chunks)
    yield entries.map((entry) => {
      hash = hashEntry(hash, entry);
      return { ...entry, hash };
    });
}

/** The header lines of the CSV form: title, rule, number of lines. */
export const CSV_HEAD = {
  title: '# Plinth statement of credits',
  rule: `# rule: ${STATEMENT_RULE}`,
  count: '# count: ',
};
export const CSV_COLUMNS: string[] = [...ENTRY_FIELDS, 'hash'];

/** CSV (RFC 4180) with header lines that start with `#`. A text that could start a formula would get a `'`. */
export async function* writeCsv({ count, chunks }: OpenStatement): AsyncGenerator<string> {
  yield toCsv([[CSV_HEAD.title], [CSV_HEAD.rule], [`${CSV_HEAD.count}${count}`], CSV_COLUMNS]);
  for await (const lines of chunks)
    yield toCsv(lines.map((line) => [...ENTRY_FIELDS.map((field) => line[field]), line.hash]));
}

const toCsv = (rows: unknown[][]): string => `${Papa.unparse(rows, { escapeFormulae: true })}\r\n`;

/** `{"rule","count","items"}` */
export async function* writeJson({ count, chunks }: OpenStatement): AsyncGenerator<string> {
  let before = `{"rule":${JSON.stringify(STATEMENT_RULE)},"count":${count},"items":[`;
  for await (const lines of chunks) {
    yield `${before}${lines.map((line) => JSON.stringify(line)).join(',')}`;
    before = ',';
  }
  yield before === ',' ? ']}' : `${before}]}`;
}
