import sharp, { type OutputInfo, type SharpOptions } from 'sharp';
import { IMAGE_MAX_PIXELS } from '@plinth/contract/limits';
import { contentTypes, type FileType, type ResultContentType } from '@plinth/contract/tool';
import { readMp4 } from './mp4.ts';

/** A finished file that was decoded completely. Sizes in bytes and pixels. */
export type CheckedResult = { content: Buffer; contentType: ResultContentType; width: number; height: number };

/** A result that contains how and when it was made. */
export type LabelledResult = CheckedResult & { sha256: string; createdAt: Date };

export class InvalidResultError extends Error {}

/**
 * Checks a provider's file. PNG and MP4 stay unchanged, other pictures become PNG; `readUploads` reads the uploads.
 * @throws InvalidResultError if it is unreadable, truncated, empty, an unchanged upload, or a still video
 */
export async function checkResult(
  content: Buffer,
  type: FileType,
  readUploads: () => Promise<Iterable<Buffer>>,
): Promise<CheckedResult> {
  const { thumbnail, ...checked } = await asInvalidResult(async () =>
    type === 'mp4' ? checkVideo(content) : checkPicture(content),
  );
  if (thumbnail !== undefined) {
    const uploads = await readUploads();
    await asInvalidResult(() => refuseUnchanged({ ...checked, thumbnail }, uploads));
  }
  return { ...checked, contentType: contentTypes[type] };
}

async function asInvalidResult<Result>(check: () => Promise<Result>): Promise<Result> {
  try {
    return await check();
  } catch (cause) {
    throw new InvalidResultError('the result cannot be used', { cause });
  }
}

type Checked = Pick<CheckedResult, 'content' | 'width' | 'height'>;
/** A small copy of a picture, RGBA. */
type Thumbnail = { data: Buffer; info: OutputInfo };
/** `thumbnail`: set for an opaque picture, which could be one of the uploads. */
type CheckedPicture = Checked & { thumbnail?: Thumbnail };

// Most frames of a still clip say "as before": their median is at most 43 bytes at 1280x720 (x264, three qualities),
// that of the slowest visible zoom 159.
const STILL_BYTES = 40;
const STILL_BYTES_PER_MACROBLOCK = 1 / 200;
const MACROBLOCK_PX = 16 * 16;
// A shorter clip cannot be distinguished from one that is about to move.
const MIN_JUDGED_FRAMES = 12;

function checkVideo(content: Buffer): CheckedPicture {
  const { width, height, frameBytes } = readMp4(content);
  const maxStillBytes = STILL_BYTES + ((width * height) / MACROBLOCK_PX) * STILL_BYTES_PER_MACROBLOCK;
  const median = frameBytes.toSorted((a, b) => a - b)[Math.floor(frameBytes.length / 2)] ?? 0;
  if (frameBytes.length >= MIN_JUDGED_FRAMES && median <= maxStillBytes) throw new Error('the video stands still');
  return { content, width, height };
}

const INPUT_FORMATS = new Set(['png', 'jpeg', 'webp']);
const OPTIONS = { failOn: 'error', limitInputPixels: IMAGE_MAX_PIXELS } as const satisfies SharpOptions;

async function checkPicture(content: Buffer): Promise<CheckedPicture> {
  const { format, orientation = 1, width, height } = await sharp(content, OPTIONS).metadata();
  if (!INPUT_FORMATS.has(format)) throw new Error(`a ${format} file`);
  const picture = format === 'png' && orientation === 1 ? { content, width, height } : await toPng(content);
  const thumbnail = await makeThumbnail(picture.content);
  const { isOpaque, channels } = await openThumbnail(thumbnail).stats();
  const [red, green, blue, alpha] = channels.map(({ max }) => max) as [number, number, number, number];
  if (alpha < MIN_ALPHA) throw new Error('a picture with nothing on it');
  // A black product has this colour; without a product the picture is empty.
  if (isOpaque && Math.max(red, green, blue) < MIN_BRIGHTNESS) throw new Error('a black picture');
  return isOpaque ? { ...picture, thumbnail } : picture;
}

async function toPng(content: Buffer): Promise<Checked> {
  const { data, info } = await sharp(content, OPTIONS).autoOrient().png().toBuffer({ resolveWithObject: true });
  return { content: data, width: info.width, height: info.height };
}

const THUMBNAIL_SIDE_PX = 512;
// Of 255, in the small copy, whose pixels are means of many.
const MIN_ALPHA = 4;
const MIN_BRIGHTNESS = 8;

/** Decodes the whole file, which detects truncation; keeps only a small copy. */
function makeThumbnail(content: Buffer): Promise<Thumbnail> {
  return sharp(content, { ...OPTIONS, sequentialRead: true })
    .toColourspace('srgb')
    .ensureAlpha()
    .resize({
      width: THUMBNAIL_SIDE_PX,
      height: THUMBNAIL_SIDE_PX,
      fit: 'inside',
      kernel: 'linear',
      withoutEnlargement: true,
    })
    .raw({ depth: 'uchar' })
    .toBuffer({ resolveWithObject: true });
}

const openThumbnail = ({ data, info }: Thumbnail) => sharp(data, { raw: info });

async function refuseUnchanged(picture: Checked & { thumbnail: Thumbnail }, uploads: Iterable<Buffer>): Promise<void> {
  for (const upload of uploads) if (await isSamePicture(picture, upload)) throw new Error('the upload, unchanged');
}

const COMPARED_SIDE_PX = 64;
// At this size, two JPEG encodings of one picture differ by less.
const MAX_DIFFERENCE = 12;

async function isSamePicture(picture: Checked & { thumbnail: Thumbnail }, upload: Buffer): Promise<boolean> {
  const { width, height } = await sharp(upload, OPTIONS).metadata();
  if (width !== picture.width || height !== picture.height) return false;
  const [one, other] = [await shrink(picture.thumbnail), await shrink(await makeThumbnail(upload))];
  return one.every((value, at) => Math.abs(value - (other[at] ?? 0)) <= MAX_DIFFERENCE);
}

function shrink(thumbnail: Thumbnail): Promise<Buffer> {
  return openThumbnail(thumbnail)
    .flatten({ background: '#ffffff' })
    .resize(COMPARED_SIDE_PX, COMPARED_SIDE_PX, { fit: 'fill' })
    .raw()
    .toBuffer();
}
