import type { LookSettings } from '@plinth/contract/looks';
import { isPackId, type PackId } from '@plinth/contract/pack-names';
import { packs } from '@plinth/contract/packs';
import type { RunItem } from '@plinth/contract/runs';
import type { Column, Row } from '../platform/data/rows.ts';
import { findRefusal } from '../packs/arrange.ts';
import type { RunRow } from './run-view.ts';

/** One scale for a whole run, and the pack files that result from it. */

/** An item with a result; `subject` is null if it was not measured. */
export type MeasuredItem = Row<'runItems', 'id' | 'heightCm'> & { subject: Column<'generatedMedia', 'packSubject'> };

/** The share of its area that an item fills in a file, at most 1. */
type Ruler = (itemId: string) => number;

/** Scales by heights in cm, if the look asks for it: the item that needs most of its area fills it. */
export function makeRuler(look: LookSettings | null, items: readonly MeasuredItem[], pack: PackId): Ruler {
  const { width, height } = packs[pack].picture;
  if (look?.scale !== 'height' || width === null) return () => 1;
  const wide = width * (1 - look.margin.left - look.margin.right);
  const high = height * (1 - look.margin.top - look.margin.bottom);
  // Centimetres that would fill the area, per item.
  const cm = new Map<string, number>();
  for (const { id, heightCm, subject } of items) {
    if (heightCm === null || subject === null || !('product' in subject)) continue;
    const { product } = subject;
    cm.set(id, heightCm / (product.height * Math.min(wide / product.width, high / product.height)));
  }
  const most = Math.max(...cm.values());
  return (itemId) => {
    const own = cm.get(itemId);
    return own === undefined ? 1 : own / most;
  };
}

/** The pack files that these items of a run lack, by item id. */
export function findMissing(
  { look, packs: chosen }: Pick<RunRow, 'look' | 'packs'>,
  items: readonly MeasuredItem[],
): Map<string, RunItem['missingFiles']> {
  const missing = new Map<string, RunItem['missingFiles']>(items.map(({ id }) => [id, []]));
  for (const pack of chosen.filter(isPackId)) {
    const rule = makeRuler(look, items, pack);
    for (const { id, subject } of items) {
      const refusal = subject && findRefusal(subject, packs[pack], { look, share: rule(id) });
      if (refusal !== null) missing.get(id)?.push({ pack, refusal });
    }
  }
  return missing;
}
