import { factNames, type ItemFacts } from '@plinth/contract/item-facts';
import type { ListRow } from './match-list.ts';

const COLUMNS = ['sku', 'file', 'prompt'] as const;
const FACTS: Record<keyof ItemFacts, string> = {
  heightCm: 'height_cm',
  asin: 'asin',
  ean: 'ean',
  role: 'role',
  handle: 'handle',
};

/** The rows of a CSV with their lines in the file; null when its first line does not name the column `file`. */
export async function readList(file: Blob): Promise<ListRow[] | null> {
  const [{ default: papa }, bytes] = await Promise.all([import('papaparse'), file.arrayBuffer()]);
  const text = decode(bytes);
  const cells: { line: number; values: string[] }[] = [];
  let from = 0;
  let line = 1;
  papa.parse<string[]>(text, {
    step: ({ data, meta }) => {
      cells.push({ line, values: data.map((value) => value.trim()) });
      line += text.slice(from, meta.cursor).match(/\r\n|\n|\r/g)?.length ?? 0;
      from = meta.cursor;
    },
  });
  const [head, ...rows] = cells.filter(({ values }) => values.some((value) => value !== ''));
  const at = (column: string) => head?.values.findIndex((name) => name.toLowerCase() === column) ?? -1;
  if (at('file') === -1) return null;
  return rows.map(({ line: row, values }) => {
    const [sku = '', name = '', words = ''] = COLUMNS.map((column) => values[at(column)] ?? '');
    const facts: ListRow['facts'] = {};
    for (const fact of factNames) {
      const text = values[at(FACTS[fact])] ?? '';
      if (text !== '') facts[fact] = text;
    }
    return { line: row, sku, file: name, words, facts };
  });
}

function decode(bytes: ArrayBuffer): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return new TextDecoder('windows-1252').decode(bytes);
  }
}
