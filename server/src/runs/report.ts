import type { RunItem } from '@plinth/contract/runs';
import Papa from 'papaparse';

/**
 * A line of an archive's report: an item, and per pack `ready` or the rule that fails; empty where there is no result.
 */
export type ReportLine = { item: RunItem; packs: Map<string, string> };

const COLUMNS = ['sku', 'file', 'status', 'code', 'message', 'credits', 'seconds'];

/**
 * A table of comma-separated values (RFC 4180); what a table program would compute begins with `'`. `cost`: credits of
 * one item.
 */
export function writeReport(lines: ReportLine[], packs: string[], cost: number): string {
  const data = lines.map((line) => [
    ...describeItem(line.item, cost),
    ...packs.map((pack) => line.packs.get(pack) ?? ''),
  ]);
  const text = Papa.unparse({ fields: [...COLUMNS, ...packs], data }, { escapeFormulae: true });
  return text.replace(/(\r\n)*$/, '\r\n');
}

function describeItem({ sku, filename, generation }: RunItem, cost: number): (string | number)[] {
  const { status, error, refunded, startedAt, finishedAt } = generation;
  const isTimed = startedAt !== null && finishedAt !== null;
  const seconds = isTimed ? ((Date.parse(finishedAt) - Date.parse(startedAt)) / 1000).toFixed(1) : '';
  return [sku ?? '', filename ?? '', status, error?.code ?? '', error?.message ?? '', refunded ? 0 : cost, seconds];
}

/**
 * Gives each item a folder of its own: its article number, else the name of its file, told apart without regard to
 * case.
 */
export function makeFolderNames(): (item: RunItem) => string {
  const taken = new Set<string>();
  return ({ sku, filename }) => {
    const name = sku ?? toFolder(filename ?? '');
    let folder = name;
    for (let number = 2; taken.has(folder.toLowerCase()); number += 1) folder = `${name}-${number}`;
    taken.add(folder.toLowerCase());
    return folder;
  };
}

/** The name of a file without its ending, as every file system takes it. */
function toFolder(filename: string): string {
  const stem = filename
    .replace(/(?<=.)\.[^.]*$/, '')
    .replace(/[<>:"/\\|?*\p{C}]/gu, '_')
    .replace(/^[. ]+|[. ]+$/g, '');
  return stem === '' ? 'photo' : stem;
}
