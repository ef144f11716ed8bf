import type { default as Papa } from 'papaparse';
import { factNames, type ItemFacts } from '@plinth/contract/item-facts';
import { withPoint } from '../run-form.ts';
import type { ListRow } from './match-list.ts';

type Column = 'sku' | 'file' | 'prompt' | keyof ItemFacts;
/** Column titles of tables in five languages, in the form that `simplify` returns. */
const NAMES: Record<Column, readonly string[]> = {
  sku: ['sku', 'artikelnummer', 'référence', 'referencia', 'codice'],
  file: [
    'file',
    'filename',
    'image',
    'photo',
    'datei',
    'dateiname',
    'bild',
    'foto',
    'fichier',
    'archivo',
    'imagen',
    'immagine',
  ],
  // No description: a shop's description is not a scene.
  prompt: ['prompt', 'scene', 'szene', 'scène', 'escena', 'scena'],
  heightCm: ['heightcm', 'höhecm', 'hauteurcm', 'alturacm', 'altezzacm'],
  asin: ['asin'],
  ean: ['ean'],
  role: ['role'],
  handle: ['handle'],
};
const simplify = (name: string) =>
  name
    .normalize('NFC')
    .toLowerCase()
    .replace(/[^\p{L}]/gu, '');
const findColumn = (head: readonly string[], column: Column) =>
  head.findIndex((name) => NAMES[column].includes(simplify(name)));

/** The first never occurs in a list: a list with a single column has no separator. */
const SEPARATORS = ['\u001f', ',', ';', '\t', '|'];
/** The line with the column titles is looked for among this many lines. */
const HEAD_LINES = 10;

type Line = { line: number; values: string[]; isOpen: boolean };

/** Rows of a CSV with their line numbers; null if none of its first lines has the column `file`. */
export async function readList(file: Blob): Promise<ListRow[] | null> {
  const [{ default: papa }, bytes] = await Promise.all([import('papaparse'), file.arrayBuffer()]);
  const text = decode(bytes);
  // The separator that splits the header into most columns: below it, commas may belong to the text.
  const widths = SEPARATORS.map(
    (separator) => findHead(listLines(papa, text, separator, HEAD_LINES))?.values.length ?? 0,
  );
  const lines = listLines(papa, text, SEPARATORS[widths.indexOf(Math.max(...widths))] ?? '');
  const head = findHead(lines);
  if (head === undefined) return null;
  return lines.slice(lines.indexOf(head) + 1).map(({ line, values, isOpen }) => {
    const cell = (column: Column) => values[findColumn(head.values, column)] ?? '';
    const facts: ListRow['facts'] = {};
    for (const fact of factNames) {
      const value = cell(fact);
      if (value !== '') facts[fact] = fact === 'heightCm' ? withPoint(value) : value;
    }
    const row = { line, sku: cell('sku'), file: cell('file'), words: cell('prompt'), facts };
    return isOpen ? { ...row, isOpen } : row;
  });
}

/** A table title or a directive to Excel may precede it. */
const findHead = (lines: readonly Line[]) =>
  lines.slice(0, HEAD_LINES).find(({ values }) => findColumn(values, 'file') !== -1);

/** Lines that are not empty: at most the file's first `preview` lines, or all. */
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
  return lines.filter(({ values }) => values.some((value) => value !== ''));
}

/**
 * Decodes a saved table: UTF-16 by its byte order mark or the zero bytes of its first character, UTF-8, or a legacy
 * code page.
 */
function decode(bytes: ArrayBuffer): string {
  const [first, second] = new Uint8Array(bytes.slice(0, 2));
  if ((first === 0xff && second === 0xfe) || second === 0) return new TextDecoder('utf-16le').decode(bytes);
  if ((first === 0xfe && second === 0xff) || first === 0) return new TextDecoder('utf-16be').decode(bytes);
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    const text = new TextDecoder('windows-1252').decode(bytes);
    // Only old Macs end lines like this, and they use their own code page.
    return text.includes('\r') && !text.includes('\n') ? new TextDecoder('macintosh').decode(bytes) : text;
  }
}
