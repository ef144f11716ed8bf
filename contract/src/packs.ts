import { z } from 'zod';
import { named } from './named.ts';
import { errors } from './errors.ts';
import { stemOf } from './names.ts';
import { marketplaces } from './marketplaces.ts';
import { type PackId, packIds, packRefusals, type Role, roles } from './pack-names.ts';
import { image } from './tool-fields.ts';

/** Packs: pictures that meet a marketplace's requirements. `marketplaces.ts` has the figures. */

export type Side = 'longer' | 'shorter';

/** A requirement for a picture: sides and areas in pixels, files in bytes, shares from 0 to 1. */
export type Condition =
  | { id: PlainCondition }
  | { id: 'fills-frame'; least: number; most?: number | undefined }
  | { id: 'size-min'; side: Side; pixels: number }
  | { id: 'size-min'; side: 'both'; width: number; height: number }
  | { id: 'size-max'; side: Side | 'area'; pixels: number }
  | { id: 'bytes'; most: number }
  | { id: 'file-type'; types: readonly FileKind[] }
  | { id: 'file-format'; refused: readonly FileKind[] }
  | { id: 'colour-space'; spaces: readonly ColourSpace[] }
  | { id: 'whole-product'; within: 'frame' | 'square' };
type PlainCondition =
  | ('background-white' | 'square' | 'no-border' | 'has-transparency')
  | ('no-text' | 'one-product' | 'not-cut-off' | 'ai-allowed' | 'sentence-needed');
/** A requirement whose breach makes the marketplace refuse the picture (`must`), or a recommendation (`advice`). */
export type Rule = { level: 'must' | 'advice' } & Condition;
export type RuleId = Rule['id'];
/** A file's colour space; `other RGB` has an embedded profile, as phones and cameras write it. */
export type ColourSpace = 'sRGB' | 'other RGB' | 'CMYK' | 'grey';

export type FileKind = 'JPEG' | 'PNG' | 'WebP' | 'TIFF' | 'GIF' | 'BMP';

export type Frame = { width: number; height: number };

/** A white frame whose tighter side a cut-out fills to the share `fill`, or the trimmed product, never scaled. */
type PackPicture =
  | { width: number; height: number; background: '#ffffff'; fill: number; contentType: 'image/jpeg'; maxBytes: number }
  | { width: null; height: null; background: null; fill: null; contentType: 'image/png'; maxBytes: null };

/** A pack as its entry describes it. `packSchema` explains most figures. */
export type PackFigures = Pick<Pack, 'name' | 'needs' | 'fit' | 'least' | 'names' | 'source' | 'asOf'> & {
  picture: PackPicture;
  roles: readonly Role[];
  /** The source type that the marketplace requires, instead of the exact one, if a trained model took part. */
  sourceTypeWord?: string;
  rules: readonly Rule[];
};

const packDefaults = { needs: 'picture', fit: 'continue', roles: [] } as const satisfies Partial<PackFigures>;
/** A pack's entry. It omits default values, and `least` if a rule states it. */
export type Marketplace = Omit<PackFigures, keyof typeof packDefaults | 'least' | 'rules'> &
  Partial<Pick<PackFigures, keyof typeof packDefaults | 'least'>> &
  Partial<Record<Rule['level'], readonly (Condition | PlainCondition)[]>>;

function toFigures({ must = [], advice = [], ...entry }: Marketplace): PackFigures {
  const toRules = (level: Rule['level'], conditions: readonly (Condition | PlainCondition)[]) =>
    conditions.map((condition): Rule => ({
      level,
      ...(typeof condition === 'string' ? { id: condition } : condition),
    }));
  const rules = [...toRules('must', must), ...toRules('advice', advice)];
  return { ...packDefaults, least: findMinimum(rules), ...entry, rules };
}

function findMinimum(rules: readonly Rule[]): Frame | null {
  const rule = rules.find((one) => one.id === 'size-min' && one.level === 'must');
  if (rule?.id !== 'size-min') return null;
  const { width, height } = rule.side === 'both' ? rule : { width: rule.pixels, height: rule.pixels };
  return { width, height };
}

export const packs = Object.fromEntries(packIds.map((id) => [id, toFigures(marketplaces[id])])) as Record<
  PackId,
  PackFigures
>;

/** Margin of the trimmed product, as a share of its longer side. */
export const TRIM_MARGIN = 0.02;
export const MAX_ENLARGEMENT = 2;

export const checkField = image({ label: 'Picture', missing: errors.image_required.detail, samples: [] });

/** The rules as sentences. */
const SAYS: { [Id in RuleId]: (rule: Extract<Rule, { id: Id }>) => string } = {
  'background-white': () => 'The background is pure white',
  'fills-frame': ({ least, most }) =>
    most === undefined
      ? `The product fills ${percent(least)} of the frame`
      : `The product fills ${percent(least)} to ${percent(most)} of the frame`,
  'size-min': (rule) =>
    rule.side === 'both'
      ? `At least ${count(rule.width)} × ${count(rule.height)} pixels`
      : `At least ${count(rule.pixels)} pixels on the ${rule.side} side`,
  'size-max': ({ side, pixels }) =>
    side === 'area'
      ? `At most ${count(pixels / 1_000_000)} megapixels`
      : `At most ${count(pixels)} pixels on the ${side} side`,
  bytes: ({ most }) => `The file has at most ${count(most / 1_000_000)} MB`,
  'file-type': ({ types }) => `The file is a ${listWords(types)}`,
  square: () => 'The picture is square',
  'no-border': () => 'No border runs around the picture',
  'whole-product': ({ within }) =>
    within === 'frame' ? 'The whole product is in the picture' : 'The whole product is in the square of the thumbnail',
  'has-transparency': () => 'The background is transparent',
  'colour-space': ({ spaces }) => (spaces.includes('other RGB') ? 'The colours are RGB' : 'The colours are sRGB'),
  'file-format': ({ refused }) => `The file is no ${listWords(refused)}`,
  'no-text': () => 'No text or logo stands beside the product',
  'one-product': () => 'One product is in the picture',
  'not-cut-off': () => 'The frame does not cut the product off',
  'ai-allowed': () => 'The picture shows the thing itself, and no model drew it',
  'sentence-needed': () => 'The listing says what was made by a machine',
};
export const sayRule = (rule: Rule): string => SAYS[rule.id](rule as never);
const ruleIds = Object.keys(SAYS) as RuleId[];
const level = z.enum(['must', 'advice']);

const packSchema = named('Pack', {
  id: z.enum(packIds),
  name: z.string(),
  /** A result with transparency, or any picture. Only a cut-out guarantees a white background. */
  needs: z.enum(['cutout', 'picture']),
  picture: z.object({
    width: z.int().nullable(),
    height: z.int().nullable(),
    background: z.string().nullable(),
    fill: z.number().nullable(),
    contentType: z.string(),
    maxBytes: z.int().nullable(),
  }),
  /** For opaque pictures of another aspect ratio: extends their edges to the frame, or crops them. */
  fit: z.enum(['continue', 'crop']),
  /** The marketplace's minimum size in pixels. Null if unknown; then the pack's own size is the minimum. */
  least: z.object({ width: z.int(), height: z.int() }).nullable(),
  /** Archive file name without extension, from `{asin ean sku role handle file n}`; `n` counts from 1 per item. */
  names: z.string(),
  /** The roles that a file can have, the default first; empty if the marketplace has no roles. */
  roles: z.array(z.enum(roles)),
  /** True if the rules allow a shadow under the product. */
  allowsShadow: z.boolean(),
  rules: z.array(z.object({ id: z.enum(ruleIds), level, says: z.string() })),
  source: z.string(),
  asOf: z.iso.date(),
});
export type Pack = z.infer<typeof packSchema>;

/** Size in pixels: a cut-out's product, or an opaque picture with (`whole`) and without (`inner`) its border. */
export type PackSubject = { product: Frame } | { whole: Frame; inner: Frame };

/** Size of a pack's file in pixels, and the scale of the picture in it. */
export type Fitted = Frame & { enlarged: number };

/** Returns the scale of a picture in this frame. A cut-out's product fills the share `fill` of it. */
function scaleOf(source: Frame, isCutout: boolean, { picture, fit }: PackFigures, frame: Frame): number {
  const scales = [frame.width / source.width, frame.height / source.height];
  if (isCutout) return (picture.fill ?? 1) * Math.min(...scales);
  return fit === 'crop' ? Math.max(...scales) : Math.min(...scales);
}

/** Returns the smallest file of a pack: in its aspect ratio, with no side below the marketplace's minimum. */
export function leastFrame({ picture, least }: PackFigures): Frame | undefined {
  if (picture.width === null) return undefined;
  if (least === null) return { width: picture.width, height: picture.height };
  const share = Math.min(1, Math.max(least.width / picture.width, least.height / picture.height));
  return { width: Math.ceil(picture.width * share), height: Math.ceil(picture.height * share) };
}

/**
 * Returns the pack's file for a picture, or for a cut-out's product, enlarged by at most `MAX_ENLARGEMENT`. Returns
 * undefined if it would be smaller than the marketplace allows.
 */
export function fitPack(source: Frame, isCutout: boolean, pack: PackFigures): Fitted | undefined {
  const { picture } = pack;
  const least = leastFrame(pack);
  if (picture.width === null || least === undefined) return { ...source, enlarged: 1 };
  return fitFrame(scaleOf(source, isCutout, pack, picture), picture, least);
}

/** Like `fitPack`, for a picture whose scale in the `whole` frame is `scale`. */
export function fitFrame(scale: number, whole: Frame, least: Frame): Fitted | undefined {
  const { width, height } = whole;
  if (scale <= MAX_ENLARGEMENT) return { width, height, enlarged: scale };
  const share = MAX_ENLARGEMENT / scale;
  const fitted = { width: Math.floor(width * share), height: Math.floor(height * share), enlarged: MAX_ENLARGEMENT };
  if (fitted.width >= least.width && fitted.height >= least.height) return fitted;
  // The sides were rounded down, so the smallest frame may still be possible.
  const needed = scale * Math.min(least.width / width, least.height / height);
  return needed <= MAX_ENLARGEMENT ? { ...least, enlarged: needed } : undefined;
}

/** True if the picture is too small for the pack's file. */
export const isTooSmall = (source: Frame, isCutout: boolean, pack: PackFigures): boolean =>
  fitPack(source, isCutout, pack) === undefined;

/** Returns how many pixels always suffice, on a cut-out's longer or an opaque picture's limiting side, or 0. */
export function enoughPixels(pack: PackFigures, isCutout: boolean): { side: Side; pixels: number } {
  const { picture, fit } = pack;
  const least = leastFrame(pack);
  if (picture.width === null || least === undefined) return { side: 'longer', pixels: 0 };
  const share = isCutout ? picture.fill : 1;
  const pixels = Math.ceil((Math.max(least.width, least.height) * share) / MAX_ENLARGEMENT);
  return { side: !isCutout && fit === 'crop' ? 'shorter' : 'longer', pixels };
}

/** Returns how many pixels, and on which side, suffice for all of these packs. */
export function enoughForAll(ids: readonly PackId[], isCutout: boolean): ReturnType<typeof enoughPixels> {
  const all = ids.map((id) => enoughPixels(packs[id], isCutout));
  const side = all.some((one) => one.side === 'shorter') ? 'shorter' : 'longer';
  return { side, pixels: Math.max(...all.map(({ pixels }) => pixels)) };
}

/** Returns that as a sentence without its full stop. */
export function sayEnough(ids: readonly PackId[], isCutout: boolean): string {
  const { side, pixels } = enoughForAll(ids, isCutout);
  return `The ${isCutout ? 'product' : 'picture'} needs ${count(pixels)} pixels on its ${side} side`;
}

const packCheckSchema = named('PackCheck', {
  pack: z.enum(packIds),
  /** True if every `must` rule passes. */
  ready: z.boolean(),
  /** True if not ready, but the pack's file would be, at once or after removing the background. */
  canFix: z.boolean(),
  /** Why the pack makes no file of this picture; null if it makes one. */
  refusal: z.enum(packRefusals).nullable(),
  rules: z.array(z.object({ id: z.enum(ruleIds), level, says: z.string(), passed: z.boolean(), measured: z.string() })),
});
export type PackCheck = z.infer<typeof packCheckSchema>;

export const packListSchema = z.object({ items: z.array(packSchema) });
export const checkListSchema = z.object({ items: z.array(packCheckSchema) });

/** Width of the preview of a pack's file, in pixels. */
export const PACK_PREVIEW_WIDTH = 320;

/** Returns the URL of a pack's file of a media item. */
export const packUrl = (mediaId: string, pack: PackId, lookId: string | null = null) =>
  `/api/v1/media/${mediaId}/packs/${pack}${byLook(lookId)}`;
export const packPreviewUrl = (mediaId: string, pack: PackId, lookId: string | null = null) =>
  `${packUrl(mediaId, pack)}/preview${byLook(lookId)}`;
const byLook = (lookId: string | null) => (lookId === null ? '' : `?look=${encodeURIComponent(lookId)}`);

/** Returns the file name of a pack's file, from that of its media item. */
export function packFilename(originalFilename: string, pack: PackId): string {
  return `${stemOf(originalFilename)}-${pack}.${packs[pack].picture.contentType === 'image/png' ? 'png' : 'jpg'}`;
}

/** Returns a pack in the API's form. */
export function describePack(id: PackId): Pack {
  const { rules, sourceTypeWord: _word, roles: packRoles, ...pack } = packs[id];
  const own = { roles: [...packRoles], allowsShadow: allowsShadow(packs[id]) };
  return { id, ...pack, ...own, rules: rules.map((rule) => ({ id: rule.id, level: rule.level, says: sayRule(rule) })) };
}

/** True if the rules allow a shadow under the product. A pure white background allows none. */
export const allowsShadow = ({ picture, rules }: PackFigures): boolean =>
  picture.width !== null && !rules.some(({ id, level }) => id === 'background-white' && level === 'must');

const listWords = (words: readonly string[]): string =>
  [words.slice(0, -1).join(', '), ...words.slice(-1)].filter(Boolean).join(' or ');

const percent = (share: number) => `${Math.round(share * 100)} %`;
const count = (value: number) => value.toLocaleString('en-US');
