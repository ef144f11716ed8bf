import { readFile } from 'node:fs/promises';
import type { ImageField } from '@plinth/contract/tool';
import type { Abilities } from '@plinth/contract/tool-fields';
import {
  IMAGE_MAX_PIXELS,
  IMAGE_MAX_SIDE_PX,
  IMAGE_MIN_SIDE_PX,
  MEBIBYTE,
  SQUARE_JPEG_QUALITY,
  SQUARE_SIDE_PX,
} from '@plinth/contract/limits';
import { fileTypeFromFile } from 'file-type';
import sharp, { type Metadata, type Sharp } from 'sharp';
import { AppError, fieldError } from '../platform/errors.ts';
import { decode } from './decoding.ts';
import type { FormFile, PictureForm } from './form.ts';
import { normalisePngColours } from './png-colours.ts';
import { countScans, stripJpeg } from './jpeg.ts';

/** A sanitised upload: upright, sRGB, 8 bit, decoded once, without metadata. Sizes in bytes and pixels. */
export type Picture = {
  content: Buffer;
  contentType: 'image/jpeg' | 'image/png';
  width: number;
  height: number;
  /** The uploaded file's name, if meaningful. */
  filename?: string;
};

sharp.cache(false);

/** The engine accepts 20 MiB; an upload of 12 MB can exceed that when it is re-encoded. */
const PICTURE_MAX_BYTES = 19 * MEBIBYTE;

/** A field's content types and its own sentences, if any. */
type AcceptedTypes = { accept: readonly string[] } & Partial<Pick<ImageField, 'missing' | 'wrongType'>>;

/** Checks the declared type; returns the real one, by the bytes, if known. @throws AppError unsupported_image_type */
export async function refuseWrongType(name: string, field: AcceptedTypes, file: FormFile) {
  const accepts = (type: string) => field.accept.includes(type);
  const declared = normaliseType(file.declaredType.toLowerCase());
  const detected = await sniff(file);
  const isOtherImage = detected?.startsWith('image/') === true && !accepts(detected);
  if ((declared !== '' && !accepts(declared)) || isOtherImage)
    throw fieldError(name, 'unsupported_image_type', field.wrongType);
  return detected;
}

/** Detects the type by the bytes; undefined if unknown. */
async function sniff({ path }: FormFile): Promise<string | undefined> {
  const found = await fileTypeFromFile(path);
  return found && normaliseType(found.mime);
}

/** Treats an animated PNG as a PNG. */
const normaliseType = (type: string): string =>
  type.replace('image/jpg', 'image/jpeg').replace(/^image\/(vnd\.mozilla\.)?apng$/, 'image/png');

/**
 * Decodes a picture within the limits and re-encodes it unless only its metadata has to go (decision 024).
 * @throws AppError image_read_failed if it is empty, image_unreadable if it cannot be used
 */
export async function preparePicture(
  name: string,
  field: ImageField,
  file: FormFile,
  limits: PictureLimits,
): Promise<Picture> {
  if (file.bytes === 0) throw fieldError(name, 'image_read_failed');
  const detected = await sniff(file);
  if (!field.accept.some((type) => type === detected)) throw fieldError(name, 'image_unreadable');
  try {
    const options = { failOn: 'error', limitInputPixels: IMAGE_MAX_PIXELS, pages: 1 } as const;
    const metadata = await sharp(file.path, options).metadata();
    refuseSize(name, metadata, limits);
    if (detected === 'image/jpeg') await refuseManyScans(name, file);
    const picture = await decode('upload', metadata.width * metadata.height, async () => {
      const source = detected === 'image/png' ? await normalisePngColours(file.path) : file.path;
      const open = () => sharp(source, options);
      if (metadata.hasAlpha && limits.framesProduct) await refuseTransparent(name, open());
      if (field.prepare === 'square' && limits.framesProduct !== true) return makeSquare(open());
      return (await tryStripMetadata(file, metadata)) ?? reencode(open, metadata);
    });
    return { ...picture, filename: toFilename(file.filename) };
  } catch (cause) {
    if (cause instanceof AppError) throw cause;
    throw Object.assign(fieldError(name, 'image_unreadable'), { cause });
  }
}

type PictureLimits = Pick<Abilities, 'minSide' | 'maxSide' | 'maxRatio' | 'framesProduct'>;

function refuseSize(name: string, { width, height, pageHeight = height }: Metadata, limits: PictureLimits): void {
  const [short, long] = [Math.min(width, pageHeight), Math.max(width, pageHeight)];
  const refuse = (detail?: string) => {
    throw fieldError(name, 'image_unreadable', detail);
  };
  if (short < limits.minSide) refuse(`Use a picture of at least ${limits.minSide} pixels on each side.`);
  if (long > limits.maxSide || long > limits.maxRatio * short || short * long > IMAGE_MAX_PIXELS) refuse();
}

/** Encoders write about ten. Each one takes another pass over the whole picture, however few its bytes. */
const MAX_SCANS = 100;

async function refuseManyScans(name: string, { path }: FormFile): Promise<void> {
  if (countScans(await readFile(path)) > MAX_SCANS) throw fieldError(name, 'image_unreadable');
}

/** The built-in engine would find no product in it, after the debit. */
async function refuseTransparent(name: string, picture: Sharp): Promise<void> {
  const alpha = await picture.extractChannel('alpha').raw().toBuffer(); // a fifth of the time of stats()
  if (!alpha.some((value) => value > 0))
    throw fieldError(name, 'image_unreadable', 'This picture is fully transparent. Please try another file.');
}

const PROBE_SHRINK = 2;

/**
 * Keeps a JPEG, without metadata, if it need not be rotated or converted. Validates it by decoding at half size, which
 * takes a quarter of the memory and still detects damage (an eighth does not). Any flaw leads to re-encoding.
 */
async function tryStripMetadata({ path }: FormFile, metadata: Metadata): Promise<Picture | undefined> {
  const { format, space, orientation = 1, icc, width, height } = metadata;
  if (format !== 'jpeg' || space !== 'srgb' || orientation !== 1 || icc !== undefined) return undefined;
  const content = stripJpeg(await readFile(path));
  if (content === undefined || !(await isDecodable(content, { width, height }))) return undefined;
  return { content, contentType: 'image/jpeg', width, height };
}

async function isDecodable(content: Buffer, { width, height }: { width: number; height: number }): Promise<boolean> {
  const [halfWidth, halfHeight] = [width, height].map((side) => Math.ceil(side / PROBE_SHRINK));
  const probe = sharp(content, { failOn: 'warning', limitInputPixels: IMAGE_MAX_PIXELS })
    .resize(halfWidth, halfHeight, { fit: 'fill', kernel: 'nearest' })
    .raw();
  return probe.toBuffer().then(
    () => true,
    () => false,
  );
}

/** Re-encodes at its own size, or smaller if the bytes exceed the limit. */
async function reencode(open: () => Sharp, metadata: Metadata): Promise<Picture> {
  const isLossless = metadata.format === 'png' || metadata.hasAlpha;
  const encode = isLossless ? encodePng : encodeJpeg(metadata.chromaSubsampling);
  let { data, info } = await encode(open());
  while (data.byteLength > PICTURE_MAX_BYTES) {
    const side = Math.floor(Math.max(info.width, info.height) * Math.sqrt(PICTURE_MAX_BYTES / data.byteLength) * 0.97);
    ({ data, info } = await encode(open().resize(side, side, { fit: 'inside' })));
  }
  return {
    content: data,
    contentType: isLossless ? 'image/png' : 'image/jpeg',
    width: info.width,
    height: info.height,
  };
}

const makeUpright = (picture: Sharp) => picture.autoOrient().toColourspace('srgb');

const encodePng = (picture: Sharp) =>
  makeUpright(picture).png({ compressionLevel: 6 }).toBuffer({ resolveWithObject: true });

/** Chroma subsampling of the upload, as phones use it: a third fewer bytes without loss. */
const encodeJpeg = (chromaSubsampling: string | undefined) => (picture: Sharp) =>
  makeUpright(picture)
    .jpeg({
      quality: 95,
      chromaSubsampling: chromaSubsampling === '4:2:0' ? '4:2:0' : '4:4:4',
      // Optimised tables keep the whole picture in memory: 1 000 MB instead of 270 at 64 megapixels.
      optimiseCoding: false,
    })
    .toBuffer({ resolveWithObject: true });

/** Crops the centre square at the video's size, on white if the upload is transparent. */
async function makeSquare(picture: Sharp): Promise<Picture> {
  const content = await makeUpright(picture)
    .resize(SQUARE_SIDE_PX, SQUARE_SIDE_PX, { fit: 'cover' })
    .flatten({ background: '#ffffff' })
    .jpeg({ quality: SQUARE_JPEG_QUALITY * 100, chromaSubsampling: '4:4:4' })
    .toBuffer();
  return { content, contentType: 'image/jpeg', width: SQUARE_SIDE_PX, height: SQUARE_SIDE_PX };
}

const FILENAME_MAX_LENGTH = 200;

/** Cleans the uploaded name: no folders or invisible characters. Forms encode a quotation mark as %22 (HTML). */
export function toFilename(uploadedName = ''): string {
  const name = uploadedName.replaceAll('%22', '"').split(/[\\/]/).at(-1) ?? '';
  const clean = name.replace(/[\p{C}\p{Zl}\p{Zp}]/gu, '').trim();
  return [...clean].slice(0, FILENAME_MAX_LENGTH).join('') || 'photo';
}

/** Reads the only file of a form: a picture within the limits, or a clip. @throws AppError with its field */
export async function readSingleFile(
  { texts, files }: PictureForm,
  name: string,
  field: AcceptedTypes,
): Promise<Buffer> {
  const file = files.get(name);
  const detected = file && (await refuseWrongType(name, field, file));
  const unknown = [...texts.keys(), ...files.keys()].find((one) => one !== name);
  if (unknown !== undefined) throw fieldError(unknown, 'unknown_field');
  if (file === undefined) throw fieldError(name, 'image_required', field.missing);
  if (file.bytes === 0) throw fieldError(name, 'image_read_failed');
  if (detected === undefined || !field.accept.includes(detected)) throw fieldError(name, 'image_unreadable');
  if (detected.startsWith('image/')) await refuseUnreadable(name, file);
  if (detected === 'image/jpeg') await refuseManyScans(name, file);
  return readFile(file.path);
}

const ANY_SIZE = { minSide: IMAGE_MIN_SIDE_PX, maxSide: IMAGE_MAX_SIDE_PX, maxRatio: Infinity };

async function refuseUnreadable(name: string, { path }: FormFile): Promise<void> {
  try {
    refuseSize(name, await sharp(path, { limitInputPixels: IMAGE_MAX_PIXELS, pages: 1 }).metadata(), ANY_SIZE);
  } catch (cause) {
    throw cause instanceof AppError ? cause : Object.assign(fieldError(name, 'image_unreadable'), { cause });
  }
}
