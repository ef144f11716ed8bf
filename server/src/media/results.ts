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
 * Checks a provider's file. PNG and MP4 stay unchanged, other pictures become PNG; `readGiven` reads the uploads.
 * @throws InvalidResultError if it is unreadable, truncated, empty, an unchanged upload, or a still video
 */
export async function checkResult(
  content: Buffer,
  type: FileType,
  readGiven: () => Promise<Iterable<Buffer>>,
): Promise<CheckedResult> {
  const { look, ...checked } = await orInvalid(async () =>
    type === 'mp4' ? checkVideo(content) : checkPicture(content),
  );
  if (look !== undefined) {
    const given = await readGiven();
    await orInvalid(() => refuseUnchanged({ ...checked, look }, given));
  }
  return { ...checked, contentType: contentTypes[type] };
}

async function orInvalid<Result>(look: () => Promise<Result>): Promise<Result> {
  try {
    return await look();
  } catch (cause) {
    throw new InvalidResultError('the result cannot be used', { cause });
  }
}

type Checked = Pick<CheckedResult, 'content' | 'width' | 'height'>;
/** A small copy of a picture, RGBA. */
type Look = { data: Buffer; info: OutputInfo };
/** `look`: set for an opaque picture, which could be one of the uploads. */
type Looked = Checked & { look?: Look };

// Most frames of a still clip say "as before": their median is at most 43 bytes at 1280x720 (x264, three qualities),
// that of the slowest visible zoom 159.
const STILL_BYTES = 40;
const STILL_BYTES_PER_MACROBLOCK = 1 / 200;
const MACROBLOCK_PX = 16 * 16;
// A shorter clip cannot be distinguished from one that is about to move.
const FEWEST_FRAMES_TO_JUDGE = 12;

function checkVideo(content: Buffer): Looked {
  const { width, height, frameBytes } = readMp4(content);
  const most = STILL_BYTES + ((width * height) / MACROBLOCK_PX) * STILL_BYTES_PER_MACROBLOCK;
  const median = frameBytes.toSorted((a, b) => a - b)[Math.floor(frameBytes.length / 2)] ?? 0;
  if (frameBytes.length >= FEWEST_FRAMES_TO_JUDGE && median <= most) throw new Error('the video stands still');
  return { content, width, height };
}

const KNOWN = new Set(['png', 'jpeg', 'webp']);
const OPTIONS = { failOn: 'error', limitInputPixels: IMAGE_MAX_PIXELS } as const satisfies SharpOptions;

async function checkPicture(content: Buffer): Promise<Looked> {
  const { format, orientation = 1, width, height } = await sharp(content, OPTIONS).metadata();
  if (!KNOWN.has(format)) throw new Error(`a ${format} file`);
  const picture = format === 'png' && orientation === 1 ? { content, width, height } : await toPng(content);
  const look = await lookAt(picture.content);
  const [colours, cover] = [findRange(look, [0, 1, 2]), findRange(look, [3])];
  if (cover.most < FAINTEST) throw new Error('a picture with nothing on it');
  // A black product has this colour; without a product the picture is empty.
  if (cover.least === 255 && colours.most < DARKEST) throw new Error('a black picture');
  return cover.least === 255 ? { ...picture, look } : picture;
}

async function toPng(content: Buffer): Promise<Checked> {
  const { data, info } = await sharp(content, OPTIONS).autoOrient().png().toBuffer({ resolveWithObject: true });
  return { content: data, width: info.width, height: info.height };
}

const LOOK_SIDE_PX = 512;
// Of 255, in the small copy, whose pixels are means of many.
const FAINTEST = 4;
const DARKEST = 8;

/** Decodes the whole file, which detects truncation; keeps only a small copy. */
function lookAt(content: Buffer): Promise<Look> {
  return sharp(content, { ...OPTIONS, sequentialRead: true })
    .toColourspace('srgb')
    .ensureAlpha()
    .resize({ width: LOOK_SIDE_PX, height: LOOK_SIDE_PX, fit: 'inside', kernel: 'linear', withoutEnlargement: true })
    .raw({ depth: 'uchar' })
    .toBuffer({ resolveWithObject: true });
}

function findRange({ data }: Look, channels: readonly number[]): { least: number; most: number } {
  let [least, most] = [255, 0];
  for (let at = 0; at < data.length; at += 4)
    for (const channel of channels) {
      const value = data[at + channel] ?? 0;
      if (value < least) least = value;
      if (value > most) most = value;
    }
  return { least, most };
}

async function refuseUnchanged(picture: Checked & { look: Look }, given: Iterable<Buffer>): Promise<void> {
  for (const upload of given) if (await isSamePicture(picture, upload)) throw new Error('the upload, unchanged');
}

const COMPARED_SIDE_PX = 64;
// At this size, two JPEG encodings of one picture differ by less.
const MOST_DIFFERENCE = 12;

async function isSamePicture(picture: Checked & { look: Look }, upload: Buffer): Promise<boolean> {
  const { width, height } = await sharp(upload, OPTIONS).metadata();
  if (width !== picture.width || height !== picture.height) return false;
  const [one, other] = [await shrink(picture.look), await shrink(await lookAt(upload))];
  return one.every((value, at) => Math.abs(value - (other[at] ?? 0)) <= MOST_DIFFERENCE);
}

function shrink({ data, info: { width, height } }: Look): Promise<Buffer> {
  return sharp(data, { raw: { width, height, channels: 4 } })
    .flatten({ background: '#ffffff' })
    .resize(COMPARED_SIDE_PX, COMPARED_SIDE_PX, { fit: 'fill' })
    .raw()
    .toBuffer();
}
