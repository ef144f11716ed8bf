import type { RunItem } from '@plinth/contract/runs';
import Papa from 'papaparse';

/** An item with what it cost, in credits, and `ready` or the failing rule per pack. */
export type ReportLine = { item: RunItem; cost: number; packs: Map<string, string>; notes: string[] };

const COLUMNS = ['sku', 'file', 'status', 'code', 'message', 'credits', 'seconds'];

/** CSV (RFC 4180) with a BOM; formulas are escaped. */
export function writeReport(lines: ReportLine[], packs: string[]): string {
  const data = lines.map((line) => [
    ...describeItem(line),
    ...packs.map((pack) => line.packs.get(pack) ?? ''),
    line.item.alt,
    line.notes.join('; '),
  ]);
  const text = Papa.unparse({ fields: [...COLUMNS, ...packs, 'alt', 'note'], data }, { escapeFormulae: true });
  return `\uFEFF${text.replace(/(\r\n)*$/, '\r\n')}`;
}

function describeItem({ item: { sku, filename, generation }, cost }: ReportLine): (string | number)[] {
  const { status, error, refunded, startedAt, finishedAt } = generation;
  const isTimed = startedAt !== null && finishedAt !== null;
  const seconds = isTimed ? ((Date.parse(finishedAt) - Date.parse(startedAt)) / 1000).toFixed(1) : '';
  return [sku ?? '', filename ?? '', status, error?.code ?? '', error?.message ?? '', refunded ? 0 : cost, seconds];
}
