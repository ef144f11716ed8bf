import { hash } from 'node:crypto';
import { type LookSettings, type LookShown, PACKSHOT_PREVIEW_PX, type Shadow } from '@plinth/contract/looks';
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
import { isOfModel, readSourceType } from '@plinth/contract/source-type';
import { NO_LEAST, placeIn, type Plan, planPack, planPackshot } from './arrange.ts';
import { cropBorder } from './border.ts';
import { drawOnNothing, drawOnWhite, hasGround, layUnder } from './canvas.ts';
import { continueEdges } from './edges.ts';
import { encodeJpeg } from './jpeg.ts';
import { type Cutout, findCutout } from './cutout.ts';
import { type Box, fromRaster, open, type Raster, toRaster } from './opened.ts';
import { type Asked, isBorderless, NOTHING } from './subject.ts';

/** Makes a pack's file. Runs in a thread of its own (`thread.ts`): it holds whole pictures and looks at every pixel. */

/** `enlarged`: factor by which the content grew, at most 1 if it did not. `look`: how much of the look shows. */
export type Rendered =
  | { content: Uint8Array<ArrayBuffer>; enlarged: number; look: LookShown }
  | { refusal: PackRefusal };

/** `under`: what lies under the product; `spareBytes`: bytes of the pack's limit that are left to the manifest. */
export type Wish = Asked & { under?: Uint8Array | undefined; spareBytes?: number };

/** The file of a pack, or why there is none. Same bytes, same figures, same wish: same file. */
export async function renderPack(content: Uint8Array, pack: PackFigures, wish: Wish = NOTHING): Promise<Rendered> {
  const made = await draw(content, await findProduct(content), pack, wish);
  if ('refusal' in made) return made;
  const { drawn, enlarged, look } = made;
  const { xmp } = await sharp(content).metadata();
  // What the picture says of its making goes along (IPTC DigitalSourceType, for one).
  const { maxBytes } = pack.picture;
  const file =
    maxBytes === null
      ? await toPng(drawn, xmp)
      : await encodeJpeg(drawn, maxBytes - (wish.spareBytes ?? 0), xmp && sayAsAsked(xmp, pack));
  return { content: file, enlarged, look };
}

/** A cut-out by a look: a PNG on nothing, else a JPEG. */
export async function renderPackshot(content: Uint8Array, look: LookSettings, wish: Wish): Promise<Rendered> {
  const cutout = await findCutout(content);
  if (cutout === undefined) return { refusal: 'cutout_needed' };
  const plan = planPackshot(cutout.box, look);
  const drawn = await drawPlanned(cutout, plan, wish.under);
  const { xmp } = await sharp(content).metadata();
  const made = plan.canvas === 'transparent' ? await toPng(drawn, xmp) : await encodeJpeg(drawn, Infinity, xmp);
  return { content: made, enlarged: plan.fitted.enlarged, look: plan.look };
}

/** As many pixels as a soft shadow needs, and more than a preview shows. */
const SMALL_SIDE_PX = 768;

/** The product in small where it will stand, on nothing, for whoever makes its shadow; undefined where it gets none. */
export async function standProduct(
  content: Uint8Array,
  pack: PackFigures | null,
  { look, share }: Wish,
): Promise<{ content: Uint8Array<ArrayBuffer>; shadow: Exclude<Shadow, 'none'> } | undefined> {
  const product = await findSmallProduct(content);
  if (product === undefined || look === null) return undefined;
  const plan = pack === null ? planPackshot(product.size, look) : planPack(product.size, pack, look, share);
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

/** In the word that the marketplace asks for, where a model took part. */
function sayAsAsked(xmp: Buffer, { sourceTypeWord }: PackFigures): Buffer {
  const stated = readSourceType(xmp.toString());
  if (sourceTypeWord === undefined || stated === null || !isOfModel(stated)) return xmp;
  return Buffer.from(xmp.toString().replace(stated, sourceTypeWord));
}

/** The same in small, for a card: nothing is too small to be shown. @returns a WebP */
export async function previewPack(content: Uint8Array, pack: PackFigures, wish: Wish = NOTHING): Promise<Rendered> {
  const { width, height } = pack.picture;
  const widthPx = PACK_PREVIEW_WIDTH;
  const frame = { width: widthPx, height: width === null ? widthPx : Math.round((widthPx * height) / width) };
  const made = await draw(content, await findSmallProduct(content), pack, wish, frame);
  if ('refusal' in made) return made;
  const small = fromRaster(made.drawn).resize({ ...frame, fit: 'inside', withoutEnlargement: true });
  return { ...made, content: await toWebp(small) };
}

/** A packshot in small, while its look is chosen. @returns a WebP */
export async function previewPackshot(content: Uint8Array, look: LookSettings, wish: Wish): Promise<Rendered> {
  const product = await findSmallProduct(content);
  if (product === undefined) return { refusal: 'cutout_needed' };
  const plan = planPackshot(product.size, { ...look, size: PACKSHOT_PREVIEW_PX });
  const drawn = await drawPlanned(product.drawn, plan, wish.under);
  return { content: await toWebp(fromRaster(drawn)), enlarged: plan.fitted.enlarged, look: plan.look };
}

const toWebp = async (picture: Sharp) => new Uint8Array(await picture.webp({ quality: 82 }).toBuffer());

/** What files would be made of in this picture: enough to say which there are, without making any. */
export async function measureSubject(content: Uint8Array): Promise<PackSubject> {
  const cutout = await findCutout(content);
  if (cutout !== undefined) return { product: sizeOf(cutout.box) };
  const [whole, inner] = [await openWhole(content), await cropBorder(content)];
  return { whole: sizeOf(whole.box), inner: sizeOf(inner.box) };
}

const sizeOf = ({ width, height }: Box): Frame => ({ width, height });

type Drawn = { drawn: Raster; enlarged: number; look: LookShown } | { refusal: PackRefusal };

/** What is drawn of a cut-out, and how large it is there. */
type Product = { drawn: Pick<Cutout, 'picture' | 'box'>; size: Box };

async function findProduct(content: Uint8Array): Promise<Product | undefined> {
  const cutout = await findCutout(content);
  return cutout && { drawn: cutout, size: cutout.box };
}

/** The latest: previews of all packs are asked for one picture, and finding its product takes most of their time. */
let latest: { sha256: string; product: Promise<Product | undefined> } | undefined;

/** The product with `SMALL_SIDE_PX` at most. */
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
  const room = { width: SMALL_SIDE_PX, height: SMALL_SIDE_PX, fit: 'inside', withoutEnlargement: true } as const;
  const small = await toRaster(fromRaster(picture).extract(box).resize(room));
  const { width, height } = small;
  return { size: product.size, drawn: { picture: small, box: { left: 0, top: 0, width, height } } };
}

/** @param small a frame in which nothing is too small */
async function draw(
  content: Uint8Array,
  product: Product | undefined,
  pack: PackFigures,
  wish: Wish,
  small?: Frame,
): Promise<Drawn> {
  const { picture } = pack;
  const look = wish.look === null ? 'full' : 'partly';
  if (product === undefined) {
    if (pack.needs === 'cutout') return { refusal: 'cutout_needed' };
    const fitted = fitPack((await openShown(content, pack)).box, false, pack);
    if (fitted === undefined && small === undefined) return { refusal: 'picture_too_small' };
    const frame = small ?? fitted ?? picture;
    return { drawn: await layOut(content, pack, frame as Frame), enlarged: fitted?.enlarged ?? 1, look };
  }
  if (picture.width === null) return { drawn: await trim(product.drawn), enlarged: 1, look };
  const plan = planPack(product.size, small ? { ...pack, least: NO_LEAST } : pack, wish.look, wish.share);
  if (plan === undefined) return { refusal: 'picture_too_small' };
  const fitted = small ? { ...small, enlarged: 1 } : plan.fitted;
  const drawn = await drawPlanned(product.drawn, { ...plan, fitted }, wish.under);
  return { drawn, enlarged: plan.fitted.enlarged, look: plan.look };
}

/** The product as it stands in its frame, and whatever lies under it. @param under a PNG of the frame's shape */
async function drawPlanned(
  { picture, box }: Product['drawn'],
  { fitted, arrangement, canvas }: Plan,
  under: Uint8Array | undefined,
): Promise<Raster> {
  const place = placeIn(box, fitted, arrangement);
  const { width, height } = place;
  const product = await toRaster(fromRaster(picture).extract(box).resize(width, height, { fit: 'fill' }));
  const ground =
    under && (await toRaster(sharp(under).resize(fitted.width, fitted.height, { fit: 'fill' }).ensureAlpha()));
  if (canvas === 'transparent') return drawOnNothing(product, fitted, place, ground);
  const drawn = drawOnWhite(product, fitted, place.left, place.top);
  if (hasGround(canvas, ground)) layUnder(drawn, product, place, canvas, ground);
  return drawn;
}

/** A picture in which everything shows, brought to the frame as the pack says. */
async function layOut(content: Uint8Array, pack: PackFigures, frame: Frame): Promise<Raster> {
  const { box, picture } = await openShown(content, pack);
  const opaque = picture().flatten({ background: '#ffffff' }).toColourspace('srgb');
  if (pack.fit === 'crop') return toRaster(opaque.resize(frame.width, frame.height, { fit: 'cover' }));
  const scale = Math.min(frame.width / box.width, frame.height / box.height);
  return continueEdges(opaque, { width: box.width * scale, height: box.height * scale }, frame);
}

/** What a pack shows of it: a border is left out where the marketplace takes none. */
const openShown = (content: Uint8Array, pack: PackFigures) => (isBorderless(pack) ? cropBorder : openWhole)(content);

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
