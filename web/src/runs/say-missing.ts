import { enoughPixels, packs, type PackId, type PackRefusal } from '@plinth/contract/packs';
import type { RunItem } from '@plinth/contract/runs';
import type { Tool } from '@plinth/contract/tool';
import { formatCount } from '../ui/format.ts';

/**
 * Why marketplaces get no file of a result, and what would mend it.
 * @example 'Too small for Amazon, main picture. The product needs 900 pixels on its longer side.'
 */
export function sayMissing({ shows }: Pick<Tool, 'shows'>, missing: RunItem['missingFiles']): string[] {
  const of = (refusal: PackRefusal) => missing.flatMap((one) => (one.refusal === refusal ? [one.pack] : []));
  const [small, opaque] = [of('picture_too_small'), of('cutout_needed')];
  return [
    ...(small.length > 0 ? [`Too small for ${listNames(small)}. ${sayEnough(small, shows.kind === 'cutout')}`] : []),
    ...(opaque.length > 0 ? [`No cut-out for ${listNames(opaque)}. Remove the background first.`] : []),
  ];
}

function sayEnough(ids: readonly PackId[], isCutout: boolean): string {
  const [first, ...rest] = ids.map((id) => enoughPixels(packs[id], isCutout));
  if (first === undefined) return '';
  const most = rest.reduce((before, one) => (one.pixels > before.pixels ? one : before), first);
  const side = [first, ...rest].some((one) => one.side === 'shorter') ? 'shorter' : 'longer';
  return `The ${isCutout ? 'product' : 'picture'} needs ${formatCount(most.pixels)} pixels on its ${side} side.`;
}

const listNames = (ids: readonly PackId[]): string => {
  const names = ids.map((id) => packs[id].name);
  return names.length < 2 ? names.join() : `${names.slice(0, -1).join('; ')} and ${names.at(-1)}`;
};
