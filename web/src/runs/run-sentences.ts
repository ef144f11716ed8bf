import type { PackId, PackRefusal } from '@plinth/contract/pack-names';
import { packs, sayEnough } from '@plinth/contract/packs';
import type { RunItem } from '@plinth/contract/runs';
import type { Tool } from '@plinth/contract/tool';

/**
 * Why marketplaces get no file of a result, and what would mend it.
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
