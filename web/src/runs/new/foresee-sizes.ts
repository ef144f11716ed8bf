import type { PackId } from '@plinth/contract/pack-names';
import { enoughForAll, isTooSmall, packs } from '@plinth/contract/packs';
import type { Tool } from '@plinth/contract/tool';
import { formatCount, plural } from '../../ui/format.ts';
import type { Photo } from '../photos.ts';
import { chosenPacks, type RunForm } from '../run-form.ts';
import { listNames, sayTooSmall } from '../run-sentences.ts';

/** The marketplaces that a photo is too small for, or may be: what its own pixels tell before anything is paid. */
export type Foreseen = { sure: readonly PackId[]; maybe: readonly PackId[] };

type Sized = Pick<Photo, 'id' | 'size'>;
type Making = Pick<Tool, 'shows' | 'keepsSides'>;

/**
 * How much of its photo a product fills at least, of the longer side: Google asks for 75 to 90 %. Only the cut-out
 * tells what it is, so below that a photo may be too small.
 */
const USUAL_SHARE = 0.75;

/** By photo; those that are large enough, or whose size is not known, are not among them. */
export function foreseeSizes(photos: readonly Sized[], tool: Tool, form: RunForm): Map<string, Foreseen> {
  const chosen = tool.keepsSides === undefined ? [] : chosenPacks(form);
  const foreseen = new Map<string, Foreseen>();
  for (const { id, size } of photos) {
    if (!size) continue;
    const of = (doubt: Doubt) => chosen.filter((pack) => doubtOf(size, tool, pack) === doubt);
    const [sure, maybe] = [of('sure'), of('maybe')];
    if (sure.length + maybe.length > 0) foreseen.set(id, { sure, maybe });
  }
  return foreseen;
}

type Doubt = 'none' | 'maybe' | 'sure';

function doubtOf(size: NonNullable<Photo['size']>, { shows, keepsSides = 1 }: Making, id: PackId): Doubt {
  const isCutout = shows.kind === 'cutout';
  // A camera held upright often writes its photo lying, with a word on how it was held.
  const ways = [size, { width: size.height, height: size.width }];
  const tooSmall = (share: number) =>
    ways.map(({ width, height }) => isTooSmall({ width: width * share, height: height * share }, isCutout, packs[id]));
  if (tooSmall(1).every(Boolean) && keepsSides === 1) return 'sure';
  return tooSmall(isCutout ? USUAL_SHARE : keepsSides).some(Boolean) ? 'maybe' : 'none';
}

/**
 * What is said of one photo: why, and what helps.
 * @example 'Too small for Etsy. The product needs 800 pixels on its longer side, this photo has 600. Use a larger one.'
 */
export function sayForeseen({ shows }: Pick<Tool, 'shows'>, { size }: Sized, { sure, maybe }: Foreseen): string {
  const isCutout = shows.kind === 'cutout';
  const say = (word: string, ids: readonly PackId[]) => {
    if (ids.length === 0 || !size) return [];
    const { side } = enoughForAll(ids, isCutout);
    const has = (side === 'shorter' ? Math.min : Math.max)(size.width, size.height);
    return [`${sayTooSmall(word, ids, isCutout)}, this photo has ${formatCount(has)}.`];
  };
  const help = sure.length > 0 ? 'Use a larger one.' : 'A larger one is safe.';
  return [...say('Too small', sure), ...say('May be too small', maybe), help].join(' ');
}

/**
 * What is said of all of them, one line for the marketplaces that the same photos are too small for.
 * @example ['4 photos are too small for Amazon, main picture.', '2 photos may be too small for Etsy.']
 */
export function countForeseen(foreseen: ReadonlyMap<string, Foreseen>): string[] {
  return (['sure', 'maybe'] as const).flatMap((doubt) =>
    countAlike(foreseen, doubt).map(({ count, ids }) => {
      const are = doubt === 'maybe' ? 'may be' : count === 1 ? 'is' : 'are';
      return `${plural(count, 'photo')} ${are} too small for ${listNames(ids)}.`;
    }),
  );
}

function countAlike(foreseen: ReadonlyMap<string, Foreseen>, doubt: keyof Foreseen) {
  const all = [...foreseen.values()].map((one) => one[doubt]);
  const photosOf = (id: PackId) => all.flatMap((ids, place) => (ids.includes(id) ? [place] : []));
  const alike = Map.groupBy(new Set(all.flat()), (id) => photosOf(id).join());
  return [...alike].map(([places, ids]) => ({ count: places.split(',').length, ids }));
}
