import sharp, { type Stats } from 'sharp';
import type { PictureFile } from '../pixels/encode.ts';

/**
 * The last look at the pictures of a result: what fails here is a broken job, refunded and never shown as a success.
 */

/** A result that no customer may be given. */
function defective(reason: string, options?: ErrorOptions): Error {
  return new Error(`defective result: ${reason}`, options);
}

const DARKEST = 8; // of 255: a picture with nothing brighter is a black rectangle
const FAINTEST = 8; // of 255: less cover than this is nothing
const THUMBNAIL = 48;
const SAME_AT_A_GLANCE = 3; // mean of 255: further apart, two pictures need no second look

/**
 * Throws unless every picture file named in `result` can be read, is what its entry says, shows
 * something, and is not one of the inputs again. `pictures` are the paths of the inputs by field. Videos are checked
 * where they are made.
 */
export async function checkPictures(
  result: Record<string, unknown>,
  pictures: Readonly<Record<string, string>>,
): Promise<void> {
  for (const file of findPictures(result)) {
    const isCutout = await checkFile(file);
    if (isCutout) continue; // an input that came without its background is rightly kept
    for (const input of Object.values(pictures)) {
      if (await isSamePicture(file.local_path, input)) throw defective('it is the unchanged input');
    }
  }
}

function findPictures(value: unknown): PictureFile[] {
  if (Array.isArray(value)) return value.flatMap(findPictures);
  if (typeof value !== 'object' || value === null) return [];
  return isPictureFile(value) ? [value] : Object.values(value).flatMap(findPictures);
}

function isPictureFile(value: object): value is PictureFile {
  return 'local_path' in value && 'content_type' in value && String(value.content_type).startsWith('image/');
}

/** Whether some of the picture is transparent. */
async function checkFile({ local_path: path, content_type: type, width, height }: PictureFile): Promise<boolean> {
  const [metadata, stats] = await Promise.all([sharp(path).metadata(), readStats(path)]).catch((error: unknown) => {
    throw defective('it cannot be read', { cause: error });
  });
  if (`image/${metadata.format}` !== type) throw defective(`${metadata.format} instead of ${type}`);
  if (metadata.width !== width || metadata.height !== height) {
    throw defective(`${metadata.width}x${metadata.height} instead of ${width}x${height}`);
  }
  const cover = metadata.hasAlpha ? stats.channels.at(-1) : undefined;
  if (cover && cover.max < FAINTEST) throw defective('it is fully transparent');
  const colours = cover ? stats.channels.slice(0, -1) : stats.channels;
  if (colours.every(({ max }) => max < DARKEST)) throw defective('it is black');
  return cover !== undefined && cover.min < 255;
}

const LOOK_AT_SIDE = 4096; // pixels: the statistics of a larger picture would take all of it into memory at once

async function readStats(path: string): Promise<Stats> {
  const { width, height } = await sharp(path).metadata();
  if (Math.max(width, height) <= LOOK_AT_SIDE) return sharp(path).stats();
  const sized = sharp(path, { sequentialRead: true }).resize(LOOK_AT_SIDE / 2, LOOK_AT_SIDE / 2, {
    fit: 'inside',
    kernel: 'nearest',
  });
  const { data, info } = await sized.raw({ depth: 'uchar' }).toBuffer({ resolveWithObject: true });
  return sharp(data, { raw: { width: info.width, height: info.height, channels: info.channels } }).stats();
}

async function isSamePicture(path: string, input: string): Promise<boolean> {
  const [mine, theirs] = await Promise.all([shrink(path), shrink(input)]);
  if (meanDifference(mine, theirs) > SAME_AT_A_GLANCE) return false;
  const [one, other] = [await readRaw(path), await readRaw(input)];
  return one.info.width === other.info.width && one.info.height === other.info.height && one.data.equals(other.data);
}

function shrink(path: string): Promise<Buffer> {
  const fit = { fit: 'fill', kernel: 'linear' } as const;
  return upright(path).resize(THUMBNAIL, THUMBNAIL, fit).raw({ depth: 'uchar' }).toBuffer();
}

function readRaw(path: string) {
  return upright(path).raw({ depth: 'uchar' }).toBuffer({ resolveWithObject: true });
}

/** Four channels, so that an opaque input and a cut-out of it can be compared. */
function upright(path: string) {
  return sharp(path).rotate().toColourspace('srgb').ensureAlpha();
}

function meanDifference(one: Buffer, other: Buffer): number {
  let sum = 0;
  for (let i = 0; i < one.length; i += 1) sum += Math.abs(one[i]! - other[i]!);
  return sum / one.length;
}
