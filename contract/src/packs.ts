import { z } from 'zod';
import { errors } from './errors.ts';
import { marketplaces } from './marketplaces.ts';
import { image } from './tool-fields.ts';

/** Packs: a picture as a marketplace wants it. The figures stand in `marketplaces.ts`. */

type Side = 'longer' | 'shorter';

/** What is asked of a picture, with its figures: sides and areas in pixels, files in bytes, shares from 0 to 1. */
export type Rule = { level: 'must' | 'advice' } & (
  | { id: 'background-white' | 'square' | 'no-border' | 'has-transparency' }
  | { id: 'fills-frame'; least: number; most?: number }
  | { id: 'size-min'; side: Side; pixels: number }
  | { id: 'size-max'; side: Side | 'area'; pixels: number }
  | { id: 'bytes'; most: number }
  | { id: 'file-type'; types: readonly FileKind[] }
  | { id: 'whole-product'; within: 'frame' | 'square' }
);
export type RuleId = Rule['id'];
export type FileKind = 'JPEG' | 'PNG' | 'WebP' | 'TIFF' | 'GIF' | 'BMP';

/**
 * A file of fixed size on white, `fill` of whose frame a cut-out takes along its tighter side; or, without figures, the
 * product trimmed and never scaled.
 */
type PackPicture =
  | { width: number; height: number; background: '#ffffff'; fill: number; contentType: 'image/jpeg'; maxBytes: number }
  | { width: null; height: null; background: null; fill: null; contentType: 'image/png'; maxBytes: null };

export type PackFigures = {
  /** As lists show it, in the order of the entries. */
  name: string;
  /** A result with transparency, or any picture; a white background can be promised of a cut-out alone. */
  needs: 'cutout' | 'picture';
  picture: PackPicture;
  /** Pictures of another shape, without transparency: their edge goes on to the frame, or the frame crops them. */
  fit: 'continue' | 'crop';
  /** What the marketplace refuses a picture for (`must`), and what it only recommends (`advice`). */
  rules: readonly Rule[];
  /** Where the figures were read, and the day of it (YYYY-MM-DD). */
  source: string;
  asOf: string;
};

export type PackId = keyof typeof marketplaces;
export const packs: Record<PackId, PackFigures> = marketplaces;
export const packIds = Object.keys(marketplaces) as [PackId, ...PackId[]];
export const isPackId = (id: string): id is PackId => Object.hasOwn(marketplaces, id);

/** Margin of the trimmed product, as a share of its longer side. */
export const TRIM_MARGIN = 0.02;
/** Pictures are enlarged by this factor at most. */
export const MOST_ENLARGED = 2;

/** The picture that `POST /api/v1/checks` takes. */
export const checkField = image({ label: 'Picture', missing: errors.image_required.detail, samples: [] });

const ruleIds = [
  'background-white',
  'fills-frame',
  'size-min',
  'size-max',
  'bytes',
  'file-type',
  'square',
  'no-border',
  'whole-product',
  'has-transparency',
] as const satisfies readonly RuleId[];
const level = z.enum(['must', 'advice']);

export const packSchema = z.object({
  id: z.enum(packIds),
  name: z.string(),
  needs: z.enum(['cutout', 'picture']),
  picture: z.object({
    width: z.int().nullable(),
    height: z.int().nullable(),
    background: z.string().nullable(),
    fill: z.number().nullable(),
    contentType: z.string(),
    maxBytes: z.int().nullable(),
  }),
  fit: z.enum(['continue', 'crop']),
  rules: z.array(z.object({ id: z.enum(ruleIds), level, says: z.string() })),
  source: z.string(),
  asOf: z.iso.date(),
});
export type Pack = z.infer<typeof packSchema>;

export const packRefusals = ['cutout_needed', 'picture_too_small'] as const;
/** Why a pack makes no file of a picture. */
export type PackRefusal = (typeof packRefusals)[number];
/** The packs that make no file of a picture; the others do. */
export type RefusedPacks = Partial<Record<PackId, PackRefusal>>;

/** How many times its size a picture, or a cut-out's product, becomes in a pack's file; undefined if never scaled. */
export function enlargementOf(
  source: { width: number; height: number },
  isCutout: boolean,
  { picture, fit }: PackFigures,
): number | undefined {
  if (picture.width === null) return undefined;
  const scales = [picture.width / source.width, picture.height / source.height];
  if (isCutout) return picture.fill * Math.min(...scales);
  return fit === 'crop' ? Math.max(...scales) : Math.min(...scales);
}

/**
 * So many pixels are always enough for a pack's file: of the product's longer side in a cut-out, of the shorter side in
 * a picture that the pack crops, of the longer side in any other. 0 where nothing is too small.
 */
export function enoughPixels({ picture, fit }: PackFigures, isCutout: boolean): { side: Side; pixels: number } {
  if (picture.width === null) return { side: 'longer', pixels: 0 };
  const share = isCutout ? picture.fill : 1;
  const pixels = Math.ceil((Math.max(picture.width, picture.height) * share) / MOST_ENLARGED);
  return { side: !isCutout && fit === 'crop' ? 'shorter' : 'longer', pixels };
}

/** So many pixels, on this side, are enough for each of these packs. */
export function enoughForAll(ids: readonly PackId[], isCutout: boolean): ReturnType<typeof enoughPixels> {
  const all = ids.map((id) => enoughPixels(packs[id], isCutout));
  const side = all.some((one) => one.side === 'shorter') ? 'shorter' : 'longer';
  return { side, pixels: Math.max(...all.map(({ pixels }) => pixels)) };
}

/** What would be enough for each of these packs, in words and without the full stop. */
export function sayEnough(ids: readonly PackId[], isCutout: boolean): string {
  const { side, pixels } = enoughForAll(ids, isCutout);
  return `The ${isCutout ? 'product' : 'picture'} needs ${count(pixels)} pixels on its ${side} side`;
}

export const packCheckSchema = z.object({
  pack: z.enum(packIds),
  /** Every rule that is a must is passed. */
  ready: z.boolean(),
  /** Not ready, but the pack's file would be: at once, or once the background is removed. */
  canFix: z.boolean(),
  /** Why the pack makes no file of this picture; null where it does. */
  refusal: z.enum(packRefusals).nullable(),
  rules: z.array(z.object({ id: z.enum(ruleIds), level, says: z.string(), passed: z.boolean(), measured: z.string() })),
});
export type PackCheck = z.infer<typeof packCheckSchema>;

export const packListSchema = z.object({ items: z.array(packSchema) });
export const checkListSchema = z.object({ items: z.array(packCheckSchema) });

/** Widths in pixels of the small picture of a pack's file. */
export const PACK_PREVIEW_WIDTH = 320;

/** Where a pack's file of a media item is read, and a small WebP of it. */
export const packUrl = (mediaId: string, pack: PackId) => `/api/v1/media/${mediaId}/packs/${pack}`;
export const packPreviewUrl = (mediaId: string, pack: PackId) => `${packUrl(mediaId, pack)}/preview`;

/** A pack's file is named for the media item that it shows. */
export function packFilename(originalFilename: string, pack: PackId): string {
  const stem = originalFilename.replace(/\.[^.]*$/, '');
  return `${stem}-${pack}.${packs[pack].picture.contentType === 'image/png' ? 'png' : 'jpg'}`;
}

/** A pack as the API lists it. */
export function describePack(id: PackId): Pack {
  const { rules, ...pack } = packs[id];
  return { id, ...pack, rules: rules.map((rule) => ({ id: rule.id, level: rule.level, says: sayRule(rule) })) };
}

/** What a rule asks for, in words. */
export function sayRule(rule: Rule): string {
  switch (rule.id) {
    case 'background-white':
      return 'The background is pure white';
    case 'fills-frame':
      return rule.most === undefined
        ? `The product fills ${percent(rule.least)} of the frame`
        : `The product fills ${percent(rule.least)} to ${percent(rule.most)} of the frame`;
    case 'size-min':
      return `At least ${count(rule.pixels)} pixels on the ${rule.side} side`;
    case 'size-max':
      return rule.side === 'area'
        ? `At most ${count(rule.pixels / 1_000_000)} megapixels`
        : `At most ${count(rule.pixels)} pixels on the ${rule.side} side`;
    case 'bytes':
      return `The file has at most ${count(rule.most / 1_000_000)} MB`;
    case 'file-type':
      return `The file is a ${[rule.types.slice(0, -1).join(', '), ...rule.types.slice(-1)].filter(Boolean).join(' or ')}`;
    case 'square':
      return 'The picture is square';
    case 'no-border':
      return 'No border runs around the picture';
    case 'whole-product':
      return rule.within === 'frame'
        ? 'The whole product is in the picture'
        : 'The whole product is in the square of the thumbnail';
    case 'has-transparency':
      return 'The background is transparent';
  }
}

const percent = (share: number) => `${Math.round(share * 100)} %`;
const count = (value: number) => value.toLocaleString('en-US');
