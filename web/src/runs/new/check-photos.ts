import type { ToolEntry } from '@plinth/contract/generations';
import { errors } from '@plinth/contract/errors';
import { countCharacters, PROMPT_MAX_LENGTH } from '@plinth/contract/limits';
import type { PackId } from '@plinth/contract/pack-names';
import { enoughForAll, isTooSmall, packs } from '@plinth/contract/packs';
import { isSku } from '@plinth/contract/runs';
import type { Tool } from '@plinth/contract/tool';
import { findTextField, mainPictureField } from '@plinth/contract/tool-fields';
import { refuseFile, refuseSides } from '../../platform/picture-file.ts';
import { formatCount, plural } from '../../ui/format.ts';
import type { Photo } from '../photos.ts';
import { chosenIn, pictureField, type RunForm } from '../run-form.ts';
import { listNames, sayTooSmall } from '../run-sentences.ts';

type Chosen = Pick<Photo, 'id' | 'name' | 'type' | 'bytes' | 'size' | 'sku' | 'words'>;
export type Problem = { says: string; about: 'file' | 'sku' | 'words' };

/** Problems to fix before a catalogue starts, by photo. `entry` is the tool's catalogue entry, once known. */
export function findPhotoProblems(photos: readonly Chosen[], tool: Tool, entry: ToolEntry | undefined) {
  const limits = entry?.fields.find(({ name }) => name === mainPictureField(tool));
  const owners = new Map<string, string>();
  const problems = new Map<string, Problem>();
  for (const photo of photos) {
    const { type, bytes, size } = photo;
    const refusal =
      refuseFile({ type, size: bytes }, pictureField(tool)) ?? (size === undefined ? null : refuseSides(size, limits));
    const owner = owners.get(photo.sku);
    if (refusal !== null) problems.set(photo.id, { says: refusal, about: 'file' });
    else if (photo.sku !== '' && !isSku(photo.sku))
      problems.set(photo.id, { says: errors.sku_invalid.detail, about: 'sku' });
    else if (photo.sku !== '' && owner !== undefined)
      problems.set(photo.id, { says: `${owner} has this SKU, too.`, about: 'sku' });
    else if (findTextField(tool) !== null && countCharacters(photo.words) > PROMPT_MAX_LENGTH)
      problems.set(photo.id, { says: errors.prompt_too_long.detail, about: 'words' });
    if (!owners.has(photo.sku)) owners.set(photo.sku, photo.name);
  }
  return problems;
}

/** Marketplaces that a photo's pixels are, or may be, too few for, and the sentence about it. */
export type SizeWarning = { sure: readonly PackId[]; maybe: readonly PackId[]; says: string };

type Size = NonNullable<Photo['size']>;

/**
 * Minimum share of the photo's longer side that a product fills: Google asks for 75 to 90 %. Only the cut-out tells the
 * real share, so a photo below this may be too small.
 */
const USUAL_SHARE = 0.75;

/** Returns a warning per photo before anything is charged; none for photos that are large enough or of unknown size. */
export function findSizeWarnings(photos: readonly Pick<Photo, 'id' | 'size'>[], tool: Tool, form: RunForm) {
  const chosen = tool.keepsSides === undefined ? [] : chosenIn(form).packs;
  const sizeWarnings = new Map<string, SizeWarning>();
  for (const { id, size } of photos) {
    if (!size) continue;
    const { sure = [], maybe = [] } = Object.groupBy(chosen, (pack) => rateSize(size, tool, pack));
    if (sure.length + maybe.length > 0)
      sizeWarnings.set(id, { sure, maybe, says: saySizeWarning(tool, size, sure, maybe) });
  }
  return sizeWarnings;
}

function rateSize(size: Size, { shows, keepsSides = 1 }: Tool, id: PackId): 'none' | 'maybe' | 'sure' {
  const isCutout = shows.kind === 'cutout';
  // A camera held upright often writes a landscape picture with an orientation tag.
  const ways = [size, { width: size.height, height: size.width }];
  const tooSmall = (share: number) =>
    ways.map(({ width, height }) => isTooSmall({ width: width * share, height: height * share }, isCutout, packs[id]));
  if (tooSmall(1).every(Boolean) && keepsSides === 1) return 'sure';
  return tooSmall(isCutout ? USUAL_SHARE : keepsSides).some(Boolean) ? 'maybe' : 'none';
}

/**
 * Sentence about one photo: the reason and the remedy.
 * @example 'Too small for Etsy. The product needs 800 pixels on its longer side, this photo has 600. Use a larger one.'
 */
function saySizeWarning({ shows }: Tool, size: Size, sure: readonly PackId[], maybe: readonly PackId[]): string {
  const isCutout = shows.kind === 'cutout';
  const say = (word: string, ids: readonly PackId[]) => {
    if (ids.length === 0) return [];
    const { side } = enoughForAll(ids, isCutout);
    const has = (side === 'shorter' ? Math.min : Math.max)(size.width, size.height);
    return [`${sayTooSmall(word, ids, isCutout)}, this photo has ${formatCount(has)}.`];
  };
  const help = sure.length > 0 ? 'Use a larger one.' : 'A larger one is safe.';
  return [...say('Too small', sure), ...say('May be too small', maybe), help].join(' ');
}

/**
 * Sentences about all photos, one line per group of marketplaces with the same too small photos.
 * @example ['4 photos are too small for Amazon, main picture.', '2 photos may be too small for Etsy.']
 */
export function sumUpSizeWarnings(sizeWarnings: ReadonlyMap<string, SizeWarning>): string[] {
  const all = [...sizeWarnings.values()];
  return (['sure', 'maybe'] as const).flatMap((doubt) => {
    const placesOf = (id: PackId) => all.flatMap((one, place) => (one[doubt].includes(id) ? [place] : []));
    const alike = Map.groupBy(new Set(all.flatMap((one) => one[doubt])), (id) => placesOf(id).join());
    return [...alike].map(([places, ids]) => {
      const count = places.split(',').length;
      const are = doubt === 'maybe' ? 'may be' : count === 1 ? 'is' : 'are';
      return `${plural(count, 'photo')} ${are} too small for ${listNames(ids)}.`;
    });
  });
}
