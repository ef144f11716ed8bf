import type { RunItem } from '@plinth/contract/runs';
import Papa from 'papaparse';

/**
 * A line of an archive's report: an item, and per pack `ready` or the rule that fails; empty where there is no result.
 */
export type ReportLine = { item: RunItem; packs: Map<string, string> };

const COLUMNS = ['sku', 'file', 'status', 'code', 'message', 'credits', 'seconds'];

/**
 * A table of comma-separated values (RFC 4180), with the mark by which table programs know its letters; what they would
 * compute begins with `'`. `cost`: credits of one item.
 */
export function writeReport(lines: ReportLine[], packs: string[], cost: number): string {
  const data = lines.map((line) => [
    ...describeItem(line.item, cost),
    ...packs.map((pack) => line.packs.get(pack) ?? ''),
  ]);
  const text = Papa.unparse({ fields: [...COLUMNS, ...packs], data }, { escapeFormulae: true });
  return `\uFEFF${text.replace(/(\r\n)*$/, '\r\n')}`;
}

function describeItem({ sku, filename, generation }: RunItem, cost: number): (string | number)[] {
  const { status, error, refunded, startedAt, finishedAt } = generation;
  const isTimed = startedAt !== null && finishedAt !== null;
  const seconds = isTimed ? ((Date.parse(finishedAt) - Date.parse(startedAt)) / 1000).toFixed(1) : '';
  return [sku ?? '', filename ?? '', status, error?.code ?? '', error?.message ?? '', refunded ? 0 : cost, seconds];
}

/**
 * Gives each item a folder of its own: its article number, else the name of its file, told apart as those systems do
 * that tell the fewest names apart.
 */
export function makeFolderNames(): (item: RunItem) => string {
  // The report lies beside the folders.
  const taken = new Set(['report.csv']);
  return ({ sku, filename }) => {
    const name = toFolder(sku ?? (filename ?? '').replace(/(?<=.)\.[^.]*$/, ''));
    let folder = name;
    for (let number = 2; taken.has(fold(folder)); number += 1) folder = `${name}-${number}`;
    taken.add(fold(folder));
    return folder;
  };
}

/** Windows and macOS take no regard to case; macOS none to how a letter with an accent is composed. */
const fold = (name: string): string => name.normalize('NFKC').toUpperCase().toLowerCase().normalize('NFKC');

/** Devices of Windows, whatever ending they have (Naming Files, Paths, and Namespaces; Microsoft, read 2026-11). */
const RESERVED = /^(con|prn|aux|nul|conin\$|conout\$|(com|lpt)[0-9¹²³])(?= *(\.|$))/i;
/** Most systems take 255; a number may follow. */
const FOLDER_MAX_BYTES = 200;

/** A name as every file system takes it. */
function toFolder(given: string): string {
  const plain = given.normalize('NFC').replace(/[<>:"/\\|?*\p{C}]/gu, '_');
  // What Windows leaves out at the end would make one folder of two.
  const trimmed = cut(plain).replace(/^[. ]+|[. ]+$/g, '');
  if (trimmed === '') return 'photo';
  return RESERVED.test(trimmed) ? `_${trimmed}` : trimmed;
}

function cut(name: string): string {
  let bytes = 0;
  const letters = [...name];
  const most = letters.findIndex((letter) => (bytes += Buffer.byteLength(letter)) > FOLDER_MAX_BYTES);
  return most === -1 ? name : letters.slice(0, most).join('');
}
