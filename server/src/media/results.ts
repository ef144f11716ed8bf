import sharp, { type SharpOptions } from 'sharp';
import { IMAGE_MAX_PIXELS } from '@plinth/contract/limits';
import type { RefusedPacks } from '@plinth/contract/packs';
import { contentTypes, type FileType, type ResultContentType } from '@plinth/contract/tool';
import { readMp4 } from './mp4.ts';

/** A finished file that was decoded and found whole. Sizes in bytes and pixels. */
export type CheckedResult = {
  content: Buffer;
  contentType: ResultContentType;
  width: number;
  height: number;
  /** The packs that make no file of it; null where nobody asked. */
  refusedPacks: RefusedPacks | null;
};

export class InvalidResultError extends Error {}

/**
 * Looks a provider's file through before it is called a success; `readGiven` brings the pictures it was made from, and
 * is asked only for a picture that could be one of them. A PNG or MP4 stays byte for byte as it is, another picture, or
 * one that is to be turned, becomes a PNG.
 * @throws InvalidResultError when it is unreadable, cut off, too large, wholly transparent, an unchanged upload, or a
 * video that stands still; and what `readGiven` throws
 */
export async function checkResult(
  content: Buffer,
  type: FileType,
  readGiven: () => Promise<Iterable<Buffer>>,
): Promise<CheckedResult> {
  const { isOpaque, ...checked } = await orInvalid(async () =>
    type === 'mp4' ? checkVideo(content) : checkPicture(content),
  );
  if (isOpaque) {
    const given = await readGiven();
    await orInvalid(() => refuseUnchanged(checked, given));
  }
  return { ...checked, contentType: contentTypes[type], refusedPacks: null };
}

async function orInvalid<Result>(look: () => Promise<Result>): Promise<Result> {
  try {
    return await look();
  } catch (cause) {
    throw new InvalidResultError('the result cannot be used', { cause });
  }
}

type Checked = Pick<CheckedResult, 'content' | 'width' | 'height'>;
/** Opaque is a picture without a transparent pixel. */
type Looked = Checked & { isOpaque: boolean };

// In a clip that stands still (or is black) most frames say only "as before". Measured with x264 at three qualities:
// the median of such frames is at most 43 bytes at 1280x720, that of the slowest zoom we could see 159.
const STILL_BYTES = 40;
const STILL_BYTES_PER_MACROBLOCK = 1 / 200;
const MACROBLOCK_PX = 16 * 16;
// A shorter clip cannot be told from one that is about to move.
const FEWEST_FRAMES_TO_JUDGE = 12;

function checkVideo(content: Buffer): Looked {
  const { width, height, frameBytes } = readMp4(content);
  const most = STILL_BYTES + ((width * height) / MACROBLOCK_PX) * STILL_BYTES_PER_MACROBLOCK;
  const median = frameBytes.toSorted((a, b) => a - b)[Math.floor(frameBytes.length / 2)] ?? 0;
  if (frameBytes.length >= FEWEST_FRAMES_TO_JUDGE && median <= most) throw new Error('the video stands still');
  return { content, width, height, isOpaque: false };
}

const KNOWN = new Set(['png', 'jpeg', 'webp']);
const OPTIONS = { failOn: 'error', limitInputPixels: IMAGE_MAX_PIXELS } as const satisfies SharpOptions;

async function checkPicture(content: Buffer): Promise<Looked> {
  const { format, hasAlpha, orientation = 1 } = await sharp(content, OPTIONS).metadata();
  if (!KNOWN.has(format)) throw new Error(`a ${format} file`);
  const picture = format === 'png' && orientation === 1 ? await decodeWhole(content) : await toPng(content);
  const opaque = hasAlpha ? await readOpacity(picture.content) : 'all';
  if (opaque === 'none') throw new Error('a picture with nothing on it');
  return { ...picture, isOpaque: opaque === 'all' };
}

async function refuseUnchanged(picture: Checked, given: Iterable<Buffer>): Promise<void> {
  for (const upload of given) if (await isSamePicture(picture, upload)) throw new Error('the upload, unchanged');
}

async function decodeWhole(content: Buffer): Promise<Checked> {
  const { info } = await sharp(content, OPTIONS).raw().toBuffer({ resolveWithObject: true });
  return { content, width: info.width, height: info.height };
}

async function toPng(content: Buffer): Promise<Checked> {
  const { data, info } = await sharp(content, OPTIONS).autoOrient().png().toBuffer({ resolveWithObject: true });
  return { content: data, width: info.width, height: info.height };
}

async function readOpacity(content: Buffer): Promise<'all' | 'some' | 'none'> {
  const { channels } = await sharp(content, OPTIONS).stats();
  const alpha = channels.at(-1);
  if (alpha === undefined || alpha.min === 255) return 'all';
  return alpha.max === 0 ? 'none' : 'some';
}

const COMPARED_SIDE_PX = 64;
// Two JPEG passes over one picture differ by less, once it is this small.
const MOST_DIFFERENCE = 12;

async function isSamePicture(picture: Checked, upload: Buffer): Promise<boolean> {
  const { width, height } = await sharp(upload, OPTIONS).metadata();
  if (width !== picture.width || height !== picture.height) return false;
  const [one, other] = await Promise.all([picture.content, upload].map(shrink));
  return (
    one !== undefined &&
    other !== undefined &&
    one.every((value, at) => Math.abs(value - (other[at] ?? 0)) <= MOST_DIFFERENCE)
  );
}

function shrink(content: Buffer): Promise<Buffer> {
  return sharp(content, OPTIONS)
    .flatten({ background: '#ffffff' })
    .toColourspace('srgb')
    .resize(COMPARED_SIDE_PX, COMPARED_SIDE_PX, { fit: 'fill' })
    .raw()
    .toBuffer();
}
