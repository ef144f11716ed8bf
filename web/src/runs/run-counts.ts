import type { Run } from '@plinth/contract/runs';
import { formatCount, plural } from '../ui/format.ts';

// Apart from the other sentences: every page of the app says how a catalogue ended.

/** "24 of 40 ready, 3 lack a marketplace file, 2 at work, 12 waiting, 2 did not work"; `deleted` of those that were. */
export function sayCounts(
  { status, counts, incomplete }: Pick<Run, 'status' | 'counts' | 'incomplete'>,
  toCome = 0,
  deleted = 0,
): string {
  const { total, succeeded, running, queued, failed, canceled } = counts;
  if (total + toCome === 0) return status === 'open' ? 'No photos yet' : 'No photos';
  const rest = [
    [incomplete, incomplete === 1 ? 'lacks a marketplace file' : 'lack a marketplace file'],
    [running, 'at work'],
    [queued, 'waiting'],
    [toCome, 'to upload'],
    [failed, 'did not work'],
    [canceled, 'canceled'],
    [deleted, 'no longer there'],
  ] as const;
  const all = total + toCome;
  const there = succeeded - deleted;
  const ready =
    there === all
      ? `${incomplete === 0 ? 'All ' : ''}${plural(all, 'picture')} ready`
      : `${formatCount(there)} of ${formatCount(all)} ready`;
  return [ready, ...rest.flatMap(([count, word]) => (count > 0 ? [`${formatCount(count)} ${word}`] : []))].join(', ');
}
