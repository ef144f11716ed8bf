import { createHash } from 'node:crypto';
import sharp, { type SharpOptions } from 'sharp';
import { IMAGE_MAX_PIXELS } from '@plinth/contract/limits';

/** A finished file that was decoded and found whole. Sizes in bytes and pixels. */
export type CheckedResult = {
  content: Buffer;
  contentType: 'image/png';
  width: number;
  height: number;
  sha256: string;
};

export class InvalidResultError extends Error {}

const KNOWN = new Set(['png', 'jpeg', 'webp']);

/**
 * Decodes a provider's picture completely and returns it as a PNG; a PNG stays byte for byte as it is.
 * @throws InvalidResultError when it is no picture, cut off or too large
 */
export async function checkResult(content: Buffer): Promise<CheckedResult> {
  try {
    const options = { failOn: 'error', limitInputPixels: IMAGE_MAX_PIXELS } as const;
    const metadata = await sharp(content, options).metadata();
    if (!KNOWN.has(metadata.format)) throw new Error(`a ${metadata.format} file`);
    const png = metadata.format === 'png' ? await decodeWhole(content, options) : await toPng(content, options);
    return { ...png, contentType: 'image/png', sha256: createHash('sha256').update(png.content).digest('hex') };
  } catch (cause) {
    throw new InvalidResultError('the result is not a whole picture', { cause });
  }
}

type Decoded = Pick<CheckedResult, 'content' | 'width' | 'height'>;

async function decodeWhole(content: Buffer, options: SharpOptions): Promise<Decoded> {
  const { info } = await sharp(content, options).raw().toBuffer({ resolveWithObject: true });
  return { content, width: info.width, height: info.height };
}

async function toPng(content: Buffer, options: SharpOptions): Promise<Decoded> {
  const { data, info } = await sharp(content, options).autoOrient().png().toBuffer({ resolveWithObject: true });
  return { content: data, width: info.width, height: info.height };
}
