import sharp from 'sharp';
import type { ColourSpace, FileKind, PackSubject } from '@plinth/contract/packs';
import { readSourceType } from '@plinth/contract/source-type';
import { findBorder, findInner, type Side } from './border.ts';
import { countAlpha, countCells, type Flipped, type Grid } from './cells.ts';
import { readColourSpace } from './colour-space.ts';
import { type Cutout, findCutout } from './cutout.ts';
import { countLetterLines, LETTERS_SIDE_PX } from './letters.ts';
import { type Box, fromRaster, open, type Raster, toRaster } from './raster.ts';
import { countBackground, findProduct, type Product } from './product.ts';
import { countObjects, findCutSides, markMain } from './objects.ts';

/** Measures a picture. Runs in a worker thread (`thread.ts`), because it examines every pixel of whole pictures. */

/** Input of the rules: sizes in pixels, the file's `bytes`, the product's box in the upright picture. */
export type Measures = {
  width: number;
  height: number;
  bytes: number;
  kind: FileKind;
  subject: PackSubject;
  /** Null if no product was found. */
  product: Box | null;
  background: { pixels: number; notWhite: number; transparent: boolean };
  /** Share of fully transparent pixels; 0 for a picture that is no cut-out. */
  transparentShare: number;
  /** Thickness of the thickest side in pixels; 0 without a border. */
  borderPx: number;
  colours: ColourSpace;
  /** The last part of the file's IPTC digital source type; null if it has none. */
  sourceType: string | null;
  letterLines: number;
  /** Separate products that are not a pair or set. */
  objects: number;
  cutSides: Side[];
};

/** The copy of an opaque picture for the built-in engine; null if the alpha shows the product. */
type EngineCopy = { content: Uint8Array<ArrayBuffer> | null } | 'unreadable';

// More than the network uses, and enough for edges, which are judged in cells of 8 pixels.
const MAX_COPY_SIDE_PX = 1280;
// The engine rejects narrower pictures.
const MIN_COPY_SIDE_PX = 64;

export async function makeEngineCopy(content: Uint8Array): Promise<EngineCopy> {
  const small = await shrink(content);
  if (typeof small === 'string') return small;
  if (small === null) return { content: null };
  const scale = Math.max(1, MIN_COPY_SIDE_PX / Math.min(small.width, small.height));
  const resized = fromRaster(small).resize(Math.ceil(small.width * scale), Math.ceil(small.height * scale));
  return { content: new Uint8Array(await resized.jpeg({ quality: 92, chromaSubsampling: '4:4:4' }).toBuffer()) };
}

/** Decodes the whole file, which detects truncation. */
async function shrink(content: Uint8Array): Promise<Raster | null | 'unreadable'> {
  try {
    if ((await findCutout(content)) !== undefined) return null;
    const small = open(content)
      .flatten({ background: '#ffffff' })
      .toColourspace('srgb')
      .resize(MAX_COPY_SIDE_PX, MAX_COPY_SIDE_PX, { fit: 'inside', withoutEnlargement: true });
    return await toRaster(small.removeAlpha());
  } catch {
    return 'unreadable';
  }
}

/** Measures a picture. `mask`: the engine's cut-out, of any size; undefined without a product or if not called. */
export async function measurePicture(content: Uint8Array, mask: Uint8Array | undefined): Promise<Measures> {
  const metadata = await sharp(content).metadata();
  const { format, space, orientation } = metadata;
  const file = {
    bytes: content.byteLength,
    kind: KINDS[format] ?? 'JPEG',
    colours: readColourSpace(metadata),
    sourceType: readSourceType(metadata.xmp?.toString()),
  };
  const cutout = await findCutout(content);
  if (cutout !== undefined) return { ...file, ...measureCutout(cutout) };
  // Ignores the colour profile, as marketplaces do: 255 in the file counts as 255.
  const source = sharp(content, { failOn: 'error', pages: 1, ignoreIcc: space !== 'cmyk' }).autoOrient();
  const picture = await toRaster(source.flatten({ background: '#ffffff' }).toColourspace('srgb').removeAlpha());
  const { width, height } = picture;
  const maskRaster = mask && (await readMask(mask, picture));
  const grid = countCells(picture, maskRaster, format === 'jpeg' ? toFlipped(orientation) : UPRIGHT);
  const product = findProduct(picture, maskRaster, grid);
  const border = findBorder(picture);
  return {
    ...file,
    width,
    height,
    subject: { whole: { width, height }, inner: findInner(picture) },
    product: product?.box ?? null,
    background: { ...countBackground(picture, product, grid), transparent: false },
    transparentShare: 0,
    borderPx: border === undefined || isProductItself(border, product) ? 0 : thicknessOf(border, picture),
    ...(await measureSurroundings(picture, product, grid)),
  };
}

type Surroundings = Pick<Measures, 'letterLines' | 'objects' | 'cutSides'>;

async function measureSurroundings(picture: Raster, product: Product | undefined, grid: Grid): Promise<Surroundings> {
  if (product === undefined) return { letterLines: 0, objects: 0, cutSides: [] };
  const mainCells = markMain(product.cells, grid);
  const { width, height } = picture;
  const small = await toRaster(
    fromRaster(picture)
      .resize(LETTERS_SIDE_PX, LETTERS_SIDE_PX, { fit: 'inside', withoutEnlargement: true })
      .greyscale(),
  );
  const isMain = new Uint8Array(small.width * small.height);
  for (let at = 0; at < isMain.length; at += 1) {
    const x = Math.floor((((at % small.width) + 0.5) * width) / small.width);
    const y = Math.floor(((Math.floor(at / small.width) + 0.5) * height) / small.height);
    isMain[at] = mainCells[grid.at(x, y)] ?? 0;
  }
  return {
    letterLines: await countLetterLines(small, isMain),
    objects: countObjects(picture, mainCells, grid),
    cutSides: findCutSides(product.shown, product.box),
  };
}

type OfFile = 'bytes' | 'kind' | 'colours' | 'sourceType';

function measureCutout({ picture, alpha, box }: Cutout): Omit<Measures, OfFile> {
  const { data, width, height } = alpha;
  const clear = data.reduce((zeros, value) => zeros + (value === 0 ? 1 : 0), 0);
  const background = { pixels: clear, notWhite: clear, transparent: true };
  const grid = countAlpha(alpha);
  const mainCells = markMain(grid.strong, grid);
  return {
    width,
    height,
    subject: { product: box },
    product: box,
    background,
    transparentShare: clear / data.length,
    borderPx: 0,
    // A cut-out has nothing beside its product.
    letterLines: 0,
    objects: countObjects(picture, mainCells, grid),
    cutSides: findCutSides(alpha, box),
  };
}

const KINDS: Record<string, FileKind> = { jpeg: 'JPEG', png: 'PNG', webp: 'WebP' };
const UPRIGHT: Flipped = { x: false, y: false };
/** EXIF orientations that flip each axis. */
const FLIPPED_X = [2, 3, 6, 7];
const FLIPPED_Y = [3, 4, 7, 8];
const toFlipped = (orientation = 1): Flipped => ({
  x: FLIPPED_X.includes(orientation),
  y: FLIPPED_Y.includes(orientation),
});

/** Of 255: alpha below it is uncertain. */
const MASK_THRESHOLD = 96;

async function readMask(cutout: Uint8Array, { width, height }: Raster): Promise<Raster> {
  const alpha = sharp(cutout).ensureAlpha().extractChannel('alpha');
  return toRaster(alpha.resize(width, height, { fit: 'fill', kernel: 'linear' }).threshold(MASK_THRESHOLD));
}

/** True if the area inside the border is the product itself: a box on white looks like a picture in a white frame. */
function isProductItself(inner: Box, product: Product | undefined): boolean {
  if (product === undefined) return false;
  const { box } = product;
  const tolerance = 0.02 * Math.max(inner.width, inner.height);
  const [left, top] = [box.left - inner.left, box.top - inner.top];
  const [right, bottom] = [left + box.width - inner.width, top + box.height - inner.height];
  return [left, top, right, bottom].every((difference) => Math.abs(difference) <= tolerance);
}

const thicknessOf = (inner: Box, { width, height }: Raster) =>
  Math.max(inner.left, inner.top, width - inner.left - inner.width, height - inner.top - inner.height);
