import type { default as Papa } from 'papaparse';
import { factNames, type ItemFacts } from '@plinth/contract/item-facts';
import type { ListRow } from './match-list.ts';

const FACTS: Record<keyof ItemFacts, string> = {
  heightCm: 'height_cm',
  asin: 'asin',
  ean: 'ean',
  role: 'role',
  handle: 'handle',
};

const SEPARATORS = [',', ';', '\t', '|'];
/** Stands in no list: a list of one column has nothing between columns. */
const NO_SEPARATOR = '\u001f';
/** Among so many lines the one that names the columns is looked for. */
const HEAD_LINES = 10;
/** What Excel may be told before the first line. */
const WORD_TO_EXCEL = /^sep=.?$/i;
/** With three digits behind the comma it could be a thousand. */
const DECIMAL_COMMA = /^(\d+),(\d{1,2})$/;

type Line = { line: number; values: string[]; isOpen: boolean };

/** The rows of a CSV with their lines in the file; null when its first line does not name the column `file`. */
export async function readList(file: Blob): Promise<ListRow[] | null> {
  const [{ default: papa }, bytes] = await Promise.all([import('papaparse'), file.arrayBuffer()]);
  const text = decode(bytes);
  const [head, ...rows] = listLines(papa, text, findSeparator(papa, text));
  const at = (column: string) => head?.values.findIndex((name) => name.toLowerCase() === column) ?? -1;
  if (at('file') === -1) return null;
  return rows.map(({ line, values, isOpen }) => {
    const cell = (column: string) => values[at(column)] ?? '';
    const facts: ListRow['facts'] = {};
    for (const fact of factNames) {
      const value = cell(FACTS[fact]);
      if (value !== '') facts[fact] = fact === 'heightCm' ? value.replace(DECIMAL_COMMA, '$1.$2') : value;
    }
    const row = { line, sku: cell('sku'), file: cell('file'), words: cell('prompt'), facts };
    return isOpen ? { ...row, isOpen } : row;
  });
}

/** What parts the first line into most columns, of which one is `file`: below it, commas may belong to the words. */
function findSeparator(papa: typeof Papa, text: string): string {
  const widths = SEPARATORS.map((separator) => {
    const [head] = listLines(papa, text, separator, HEAD_LINES);
    return head?.values.some((name) => name.toLowerCase() === 'file') === true ? head.values.length : 0;
  });
  const most = Math.max(...widths);
  return (most > 1 && SEPARATORS[widths.indexOf(most)]) || NO_SEPARATOR;
}

/** The lines that say something, at most `preview` of the file's, or all. */
function listLines(papa: typeof Papa, text: string, delimiter: string, preview = 0): Line[] {
  const lines: Line[] = [];
  let from = 0;
  let line = 1;
  papa.parse<string[]>(text, {
    delimiter,
    preview,
    step: ({ data, errors, meta }) => {
      const isOpen = errors.some(({ code }) => code === 'MissingQuotes');
      lines.push({ line, values: data.map((value) => value.trim()), isOpen });
      line += text.slice(from, meta.cursor).match(/\r\n|\n|\r/g)?.length ?? 0;
      from = meta.cursor;
    },
  });
  return lines.filter(({ values }) => values.some((value) => value !== '') && !WORD_TO_EXCEL.test(values[0] ?? ''));
}

/** As tables are saved: UTF-16 by its mark or the zeros of its first letter, UTF-8, or what was usual before. */
function decode(bytes: ArrayBuffer): string {
  const [first, second] = new Uint8Array(bytes.slice(0, 2));
  if ((first === 0xff && second === 0xfe) || second === 0) return new TextDecoder('utf-16le').decode(bytes);
  if ((first === 0xfe && second === 0xff) || first === 0) return new TextDecoder('utf-16be').decode(bytes);
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    const text = new TextDecoder('windows-1252').decode(bytes);
    // Only old Macs end lines like this, and they have letters of their own.
    return text.includes('\r') && !text.includes('\n') ? new TextDecoder('macintosh').decode(bytes) : text;
  }
}
