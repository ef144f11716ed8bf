import type { PackId, PackRefusal } from '@plinth/contract/pack-names';
import { packs, sayEnough } from '@plinth/contract/packs';
import type { Run, RunItem } from '@plinth/contract/runs';
import type { Tool } from '@plinth/contract/tool';
import { formatCount, plural } from '../ui/format.ts';

/** "24 of 40 ready, 3 lack a marketplace file, 2 at work, 12 waiting, 2 did not work"; `deleted` of the ready ones. */
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

/**
 * Why marketplaces get no file of a result, and the remedy.
 * @example 'Too small for Amazon, main picture. The product needs 900 pixels on its longer side.'
 */
export function sayMissing({ shows }: Pick<Tool, 'shows'>, missing: RunItem['missingFiles']): string[] {
  const of = (refusal: PackRefusal) => missing.flatMap((one) => (one.refusal === refusal ? [one.pack] : []));
  const [small, opaque] = [of('picture_too_small'), of('cutout_needed')];
  return [
    ...(small.length > 0 ? [`${sayTooSmall('Too small', small, shows.kind === 'cutout')}.`] : []),
    ...(opaque.length > 0 ? [`No cut-out for ${listNames(opaque)}. Remove the background first.`] : []),
  ];
}

export function sayTooSmall(word: string, ids: readonly PackId[], isCutout: boolean): string {
  return `${word} for ${listNames(ids)}. ${sayEnough(ids, isCutout)}`;
}

/** @example 'Amazon, main picture; Walmart and Etsy' */
export const listNames = (ids: readonly PackId[]): string => {
  const names = ids.map((id) => packs[id].name);
  return names.length < 2 ? names.join() : `${names.slice(0, -1).join('; ')} and ${names.at(-1)}`;
};
