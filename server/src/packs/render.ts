import { hash } from 'node:crypto';
import { type LookShown, PACKSHOT_PREVIEW_PX, type Shadow } from '@plinth/contract/looks';
import type { PackRefusal } from '@plinth/contract/pack-names';
import {
  fitPack,
  type Frame,
  PACK_PREVIEW_WIDTH,
  type PackFigures,
  type PackSubject,
  TRIM_MARGIN,
} from '@plinth/contract/packs';
import sharp, { type Sharp } from 'sharp';
import { setPngXmp } from '../media/png.ts';
import { isModelMade, readSourceType } from '@plinth/contract/source-type';
import { type LookOptions, isBorderless, NO_LOOK, NO_MIN_FRAME, placeIn, type Plan, planPack } from './arrange.ts';
import { cropBorder } from './border.ts';
import { drawOnTransparency, drawOnWhite, needsBackground, fillBackground } from './canvas.ts';
import { continueEdges } from './edges.ts';
import { encodeJpeg } from './jpeg.ts';
import { type Cutout, findCutout } from './cutout.ts';
import { type Box, fromRaster, open, type Raster, toRaster } from './raster.ts';

/** Renders a pack's file. Runs in a worker thread (`thread.ts`), because it examines every pixel of whole pictures. */

/** `enlarged`: scale factor of the content, at most 1 if it did not grow. `look`: how much of the look is applied. */
type Rendered = { content: Uint8Array<ArrayBuffer>; enlarged: number; look: LookShown } | { refusal: PackRefusal };

/** `shadowImage`: the shadow; `spareBytes`: bytes of the pack's limit reserved for the manifest. */
export type RenderOptions = LookOptions & { shadowImage?: Uint8Array | undefined; spareBytes?: number };

/** Renders a pack's file, or (null) a packshot by its look, or returns why that is impossible. Deterministic. */
export async function renderPack(
  content: Uint8Array,
  pack: PackFigures | null,
  options: RenderOptions = NO_LOOK,
): Promise<Rendered> {
  const result = await draw(content, await findProduct(content), pack, options);
  if ('refusal' in result) return result;
  const { drawn, enlarged, look } = result;
  // Keeps metadata about the picture's making, such as IPTC DigitalSourceType.
  const { xmp } = await sharp(content).metadata();
  const maxBytes = (pack?.picture.maxBytes ?? Infinity) - (options.spareBytes ?? 0);
  const isOpaque = drawn.channels === 3;
  const file = isOpaque
    ? await encodeJpeg(drawn, maxBytes, xmp && withRequiredSourceType(xmp, pack))
    : await toPng(drawn, xmp);
  return { content: file, enlarged, look };
}

/** Enough pixels for a soft shadow, and more than a preview shows. */
const SMALL_SIDE_PX = 768;

/** A small copy of the product at its position, on transparency, to make its shadow; undefined if it gets none. */
export async function renderShadowCaster(
  content: Uint8Array,
  pack: PackFigures | null,
  options: RenderOptions,
): Promise<{ content: Uint8Array<ArrayBuffer>; shadow: Exclude<Shadow, 'none'> } | undefined> {
  const product = await findSmallProduct(content);
  if (product === undefined) return undefined;
  const plan = planPack(product.size, pack, options);
  if (plan === undefined || plan.shadow === 'none') return undefined;
  const small = Math.min(1, SMALL_SIDE_PX / Math.max(plan.fitted.width, plan.fitted.height));
  const fitted = {
    ...plan.fitted,
    width: Math.round(plan.fitted.width * small),
    height: Math.round(plan.fitted.height * small),
  };
  const drawn = await drawPlanned(product.drawn, { ...plan, fitted, canvas: 'transparent' }, undefined);
  return {
    content: new Uint8Array(await fromRaster(drawn).png({ compressionLevel: 2 }).toBuffer()),
    shadow: plan.shadow,
  };
}

/** The source type that the marketplace requires if a model was involved. */
function withRequiredSourceType(xmp: Buffer, pack: PackFigures | null): Buffer {
  const sourceType = readSourceType(xmp.toString());
  if (pack?.sourceTypeWord === undefined || sourceType === null || !isModelMade(sourceType)) return xmp;
  return Buffer.from(xmp.toString().replace(sourceType, pack.sourceTypeWord));
}

/** Renders a small preview of the file, for pictures of any size. @returns a WebP */
export async function previewPack(
  content: Uint8Array,
  pack: PackFigures | null,
  options: RenderOptions = NO_LOOK,
): Promise<Rendered> {
  const small = shrinkFrame(pack);
  const result = await draw(content, await findSmallProduct(content), pack, options, small);
  if ('refusal' in result) return result;
  const { drawn, ...rest } = result;
  const preview = fromRaster(drawn).resize({ ...small, fit: 'inside', withoutEnlargement: true });
  return { ...rest, content: new Uint8Array(await preview.webp({ quality: 82 }).toBuffer()) };
}

function shrinkFrame(pack: PackFigures | null): Frame {
  if (pack === null) return { width: PACKSHOT_PREVIEW_PX, height: PACKSHOT_PREVIEW_PX };
  const { width, height } = pack.picture;
  const ratio = width === null ? 1 : height / width;
  return { width: PACK_PREVIEW_WIDTH, height: Math.round(PACK_PREVIEW_WIDTH * ratio) };
}

/** Measures a picture's subject: enough to know which files are possible. */
export async function measureSubject(content: Uint8Array): Promise<PackSubject> {
  const cutout = await findCutout(content);
  if (cutout !== undefined) return { product: sizeOf(cutout.box) };
  const [whole, inner] = [await openWhole(content), await cropBorder(content)];
  return { whole: sizeOf(whole.box), inner: sizeOf(inner.box) };
}

const sizeOf = ({ width, height }: Box): Frame => ({ width, height });

type Drawn = { drawn: Raster; enlarged: number; look: LookShown } | { refusal: PackRefusal };

/** A cut-out's drawn part and its size. */
type Product = { drawn: Pick<Cutout, 'picture' | 'box'>; size: Box };

async function findProduct(content: Uint8Array): Promise<Product | undefined> {
  const cutout = await findCutout(content);
  return cutout && { drawn: cutout, size: cutout.box };
}

/** Caches the latest: previews of all packs are requested together, and finding the product takes most of the time. */
let latest: { sha256: string; product: Promise<Product | undefined> } | undefined;

/** The product with at most `SMALL_SIDE_PX`. */
async function findSmallProduct(content: Uint8Array): Promise<Product | undefined> {
  const sha256 = hash('sha256', content);
  const product = latest?.sha256 === sha256 ? latest.product : findProduct(content).then(shrink);
  latest = { sha256, product };
  return product.catch((error: unknown) => {
    latest = undefined;
    throw error;
  });
}

async function shrink(product: Product | undefined): Promise<Product | undefined> {
  if (product === undefined) return undefined;
  const { picture, box } = product.drawn;
  const bounds = { width: SMALL_SIDE_PX, height: SMALL_SIDE_PX, fit: 'inside', withoutEnlargement: true } as const;
  const small = await toRaster(fromRaster(picture).extract(box).resize(bounds));
  const { width, height } = small;
  return { size: product.size, drawn: { picture: small, box: { left: 0, top: 0, width, height } } };
}

/** @param small for a preview, in which nothing is too small */
async function draw(
  content: Uint8Array,
  product: Product | undefined,
  pack: PackFigures | null,
  options: RenderOptions,
  small?: Frame,
): Promise<Drawn> {
  const look = options.look === null ? 'full' : 'partly';
  if (product === undefined) {
    if (pack === null || pack.needs === 'cutout') return { refusal: 'cutout_needed' };
    const fitted = fitPack((await openVisible(content, pack)).box, false, pack);
    const frame = small ?? fitted;
    if (frame === undefined) return { refusal: 'picture_too_small' };
    return { drawn: await fitOpaque(content, pack, frame), enlarged: fitted?.enlarged ?? 1, look };
  }
  if (pack?.picture.width === null) return { drawn: await trim(product.drawn), enlarged: 1, look };
  const plan = planPack(product.size, small && pack ? { ...pack, least: NO_MIN_FRAME } : pack, options);
  if (plan === undefined) return { refusal: 'picture_too_small' };
  const fitted = small ? { ...small, enlarged: 1 } : plan.fitted;
  const drawn = await drawPlanned(product.drawn, { ...plan, fitted }, options.shadowImage);
  return { drawn, enlarged: plan.fitted.enlarged, look: plan.look };
}

/** Draws the product in its frame, with its shadow. @param shadowImage a PNG of the frame's shape */
async function drawPlanned(
  { picture, box }: Product['drawn'],
  { fitted, arrangement, canvas }: Plan,
  shadowImage: Uint8Array | undefined,
): Promise<Raster> {
  const place = placeIn(box, fitted, arrangement);
  const { width, height } = place;
  const product = await toRaster(fromRaster(picture).extract(box).resize(width, height, { fit: 'fill' }));
  const shadow =
    shadowImage &&
    (await toRaster(sharp(shadowImage).resize(fitted.width, fitted.height, { fit: 'fill' }).ensureAlpha()));
  if (canvas === 'transparent') return drawOnTransparency(product, fitted, place, shadow);
  const drawn = drawOnWhite(product, fitted, place.left, place.top);
  if (needsBackground(canvas, shadow)) fillBackground(drawn, product, place, canvas, shadow);
  return drawn;
}

/** Fits an opaque picture into the frame by the pack's rule. */
async function fitOpaque(content: Uint8Array, pack: PackFigures, frame: Frame): Promise<Raster> {
  const { box, picture } = await openVisible(content, pack);
  const opaque = picture().flatten({ background: '#ffffff' }).toColourspace('srgb');
  if (pack.fit === 'crop') return toRaster(opaque.resize(frame.width, frame.height, { fit: 'cover' }));
  const scale = Math.min(frame.width / box.width, frame.height / box.height);
  return continueEdges(opaque, { width: box.width * scale, height: box.height * scale }, frame);
}

/** The part that a pack shows: without a border if the marketplace forbids one. */
const openVisible = (content: Uint8Array, pack: PackFigures) => (isBorderless(pack) ? cropBorder : openWhole)(content);

async function openWhole(content: Uint8Array): Promise<{ box: Box; picture: () => Sharp }> {
  const { autoOrient: size } = await sharp(content).metadata();
  return { box: { left: 0, top: 0, ...size }, picture: () => open(content) };
}

async function trim({ picture, box }: Product['drawn']): Promise<Raster> {
  const margin = Math.round(Math.max(box.width, box.height) * TRIM_MARGIN);
  const background = { r: 0, g: 0, b: 0, alpha: 0 };
  const around = { top: margin, bottom: margin, left: margin, right: margin };
  return toRaster(
    fromRaster(picture)
      .extract(box)
      .extend({ ...around, background }),
  );
}

async function toPng(drawn: Raster, xmp: Buffer | undefined): Promise<Uint8Array<ArrayBuffer>> {
  const png = await fromRaster(drawn).png({ compressionLevel: 6 }).withIccProfile('srgb').toBuffer();
  return new Uint8Array(xmp === undefined ? png : setPngXmp(png, xmp));
}
