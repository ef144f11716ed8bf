import {
  fitPack,
  type Frame,
  isTooSmall,
  type PackFigures,
  packIds,
  type PackRefusal,
  packs,
  type RefusedPacks,
  TRIM_MARGIN,
} from '@plinth/contract/packs';
import sharp, { type Sharp } from 'sharp';
import { setPngXmp } from '../media/png.ts';
import { isOfModel, readSourceType } from '../media/source-type.ts';
import { cropBorder } from './border.ts';
import { continueEdges } from './edges.ts';
import { encodeJpeg } from './jpeg.ts';
import { type Cutout, findCutout } from './cutout.ts';
import { type Box, LEAST_ALPHA, open, type Raster, toRaster } from './opened.ts';
import { clearShine, clearStray } from './product.ts';

/** Makes a pack's file. Runs in a thread of its own (`thread.ts`): it holds whole pictures and looks at every pixel. */

/** `enlarged`: how many times its own size what is shown has become; 1 and less where it was not. */
export type Rendered = { content: Uint8Array<ArrayBuffer>; enlarged: number } | { refusal: PackRefusal };

/** A picture as packs are made of it: what it shows of a product is looked for once, however many files are made. */
export type Source = { content: Uint8Array; cutout: Cutout | undefined };

type Shown = { frame: Frame; fill: number };

/** The file of a pack, or why there is none. Same bytes, same figures: same file. */
export async function renderPack(content: Uint8Array, pack: PackFigures): Promise<Rendered> {
  return renderSource(await readSource(content), pack);
}

export async function readSource(content: Uint8Array): Promise<Source> {
  return { content, cutout: await findCutout(content) };
}

/** As `renderPack`. */
export async function renderSource(source: Source, pack: PackFigures): Promise<Rendered> {
  const { picture } = pack;
  if (source.cutout === undefined && pack.needs === 'cutout') return { refusal: 'cutout_needed' };
  const box = source.cutout?.box ?? (await openShown(source.content, pack)).box;
  const fitted = fitPack(box, source.cutout !== undefined, pack);
  if (fitted === undefined) return { refusal: 'picture_too_small' };
  const drawn = await draw(source, pack, fitted);
  const { xmp } = await sharp(source.content).metadata();
  const { enlarged } = fitted;
  // What the picture says of its making goes along (IPTC DigitalSourceType, for one).
  if (picture.width === null) return { content: await toPng(drawn, xmp), enlarged };
  return { content: await encodeJpeg(drawn, picture.maxBytes, xmp && sayAsAsked(xmp, pack)), enlarged };
}

/** In the word that the marketplace asks for, where a model took part. */
function sayAsAsked(xmp: Buffer, { sourceTypeWord }: PackFigures): Buffer {
  const stated = readSourceType(xmp);
  if (sourceTypeWord === undefined || stated === null || !isOfModel(stated)) return xmp;
  return Buffer.from(xmp.toString().replace(stated, sourceTypeWord));
}

/** The same in small, for a card: nothing is too small to be shown. @returns a WebP */
export async function previewPack(content: Uint8Array, pack: PackFigures, widthPx: number): Promise<Rendered> {
  const { width, height } = pack.picture;
  const frame = { width: widthPx, height: width === null ? widthPx : Math.round((widthPx * height) / width) };
  const source = await readSource(content);
  if (source.cutout === undefined && pack.needs === 'cutout') return { refusal: 'cutout_needed' };
  const drawn = await draw(source, pack, frame);
  const small = fromRaster(drawn).resize({ ...frame, fit: 'inside', withoutEnlargement: true });
  return { content: new Uint8Array(await small.webp({ quality: 82 }).toBuffer()), enlarged: 1 };
}

/** The packs that would make no file of this picture, without making any. */
export async function findRefusedPacks(content: Uint8Array): Promise<RefusedPacks> {
  const cutout = await findCutout(content);
  if (cutout !== undefined) return toRefused((pack) => refuseSize(cutout.box, true, pack));
  const [whole, inner] = [(await openWhole(content)).box, (await cropBorder(content)).box];
  return toRefused((pack) =>
    pack.needs === 'cutout' ? 'cutout_needed' : refuseSize(isBorderless(pack) ? inner : whole, false, pack),
  );
}

function toRefused(refuse: (pack: PackFigures) => PackRefusal | undefined): RefusedPacks {
  const refused: RefusedPacks = {};
  for (const id of packIds) {
    const refusal = refuse(packs[id]);
    if (refusal !== undefined) refused[id] = refusal;
  }
  return refused;
}

function refuseSize(source: Frame, isCutout: boolean, pack: PackFigures): PackRefusal | undefined {
  return isTooSmall(source, isCutout, pack) ? 'picture_too_small' : undefined;
}

function draw({ content, cutout }: Source, pack: PackFigures, frame: Frame): Promise<Raster> {
  const { picture } = pack;
  if (cutout === undefined) return layOut(content, pack, frame);
  return picture.width === null ? trim(cutout) : placeProduct(cutout, { frame, fill: picture.fill });
}

/** The product in the middle of white, its longer side filling its share of the frame. */
async function placeProduct({ picture, box }: Cutout, { frame, fill }: Shown): Promise<Raster> {
  const scale = fill * Math.min(frame.width / box.width, frame.height / box.height);
  const width = Math.max(1, Math.round(box.width * scale));
  const height = Math.max(1, Math.round(box.height * scale));
  const left = Math.floor((frame.width - width) / 2);
  const top = Math.floor((frame.height - height) / 2);
  const product = await toRaster(fromRaster(picture).extract(box).resize(width, height, { fit: 'fill' }));
  return drawOnWhite(product, frame, left, top);
}

/** Haze is left out, so that white is white right up to the product. */
function drawOnWhite({ data, width, height }: Raster, frame: Frame, left: number, top: number): Raster {
  const drawn = new Uint8Array(frame.width * frame.height * 3).fill(255);
  for (let y = 0; y < height; y += 1) {
    let from = y * width * 4;
    let to = ((y + top) * frame.width + left) * 3;
    for (let x = 0; x < width; x += 1, from += 4, to += 3) {
      const alpha = data[from + 3] ?? 0;
      if (alpha < LEAST_ALPHA) continue;
      if (alpha === 255) {
        drawn[to] = data[from] ?? 0;
        drawn[to + 1] = data[from + 1] ?? 0;
        drawn[to + 2] = data[from + 2] ?? 0;
        continue;
      }
      const white = 255 * (255 - alpha);
      for (let c = 0; c < 3; c += 1) drawn[to + c] = Math.round(((data[from + c] ?? 0) * alpha + white) / 255);
    }
  }
  const shown = { data: drawn, width: frame.width, height: frame.height, channels: 3 };
  clearShine(shown, clearStray(shown));
  return shown;
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

const isBorderless = ({ rules }: PackFigures): boolean => rules.some(({ id }) => id === 'no-border');

async function openWhole(content: Uint8Array): Promise<{ box: Box; picture: () => Sharp }> {
  const { autoOrient: size } = await sharp(content).metadata();
  return { box: { left: 0, top: 0, ...size }, picture: () => open(content) };
}

/** The product with a margin, as large as it is. */
async function trim({ picture, box }: Cutout): Promise<Raster> {
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

const fromRaster = ({ data, width, height, channels }: Raster): Sharp =>
  sharp(data, { raw: { width, height, channels: channels as 3 | 4 } });
