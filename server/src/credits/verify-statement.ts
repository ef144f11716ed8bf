import { type LedgerEntry, ledgerEntrySchema } from '@plinth/contract/credits';
import Papa from 'papaparse';
import { z } from 'zod';
import { FIRST_HASH, hashEntry, STATEMENT_RULE } from './hash-chain.ts';
import { CSV_COLUMNS, CSV_HEAD } from './statement.ts';

export type Verdict =
  | { state: 'whole'; lines: number; balance: number }
  /** `line` counts entries from 1; `row` is its row in a CSV file. */
  | { state: 'broken'; line: number; row: number | null; says: string }
  | { state: 'not a statement' };

type Read = {
  count: number;
  lines: unknown[];
  /** Rows above the first line of a CSV file; null for JSON. */
  rowsAbove: number | null;
};

/** Verifies a statement, in either form, against its own header: every hash, the running sum, the number of lines. */
export function verifyStatement(text: string): Verdict {
  const read = readJson(text) ?? readCsv(text);
  if (read === undefined) return { state: 'not a statement' };
  const { count, lines, rowsAbove } = read;
  const broken = (line: number, says: string): Verdict => {
    return { state: 'broken', line, row: rowsAbove === null ? null : rowsAbove + line, says };
  };
  let [hash, balance] = [FIRST_HASH, 0];
  for (const [index, given] of lines.entries()) {
    const line = lineSchema.safeParse(given).data;
    if (line === undefined) return broken(index + 1, 'it is no entry of a ledger');
    hash = hashEntry(hash, line);
    if (line.hash !== hash) return broken(index + 1, 'its hash is not that of the line before and its own values');
    balance += line.delta;
    if (line.balanceAfter !== balance)
      return broken(index + 1, `its balance is ${line.balanceAfter}, the running sum ${balance}`);
  }
  if (lines.length === count) return { state: 'whole', lines: count, balance };
  const [line, says] = lines.length < count ? [lines.length + 1, 'it is missing'] : [count + 1, 'it is one too many'];
  return broken(line, `${says}: the head says ${count} lines`);
}

/** Rejects values that the hash does not cover. */
const lineSchema = z.strictObject({
  ...ledgerEntrySchema.shape,
  tool: z.string().nullable(),
  package: z.string().nullable(),
  hash: z.string(),
});

const jsonSchema = z.object({
  rule: z.literal(STATEMENT_RULE),
  count: z.int().nonnegative(),
  items: z.array(z.unknown()),
});

function readJson(text: string): Read | undefined {
  if (!text.startsWith('{')) return undefined;
  try {
    const { count, items } = jsonSchema.parse(JSON.parse(text));
    return { count, lines: items, rowsAbove: null };
  } catch {
    return undefined;
  }
}

function readCsv(text: string): Read | undefined {
  const { data } = Papa.parse<string[]>(text.trimEnd(), { delimiter: ',' });
  const [[title], [rule], [countLine = ''], columns = []] = [data[0] ?? [], data[1] ?? [], data[2] ?? [], data[3]];
  const count = new RegExp(`^${CSV_HEAD.count}(\\d{1,9})$`).exec(countLine)?.[1];
  const isOurs = title === CSV_HEAD.title && rule === CSV_HEAD.rule && columns.join() === CSV_COLUMNS.join();
  if (!isOurs || count === undefined) return undefined;
  return { count: Number(count), lines: data.slice(4).map(toLine), rowsAbove: 4 };
}

const NUMBERS: string[] = ['delta', 'balanceAfter'] satisfies (keyof LedgerEntry)[];
const WHOLE = /^(0|-?[1-9]\d{0,14})$/;

/** Parses a row's cells; an invalid value stays a text or is left out. */
function toLine(cells: string[]): unknown {
  if (cells.length !== CSV_COLUMNS.length) return undefined;
  return Object.fromEntries(
    CSV_COLUMNS.map((name, index) => {
      const cell = cells[index] ?? '';
      if (NUMBERS.includes(name)) return [name, WHOLE.test(cell) ? Number(cell) : cell];
      return [name, cell === '' ? null : cell];
    }),
  );
}
