import { imageSize } from 'image-size';
import type { Size } from '../pixels/plane.ts';

/**
 * Size as stored (before any EXIF turn) of a JPEG or PNG, from its first bytes alone; undefined for anything else. This
 * process never decodes what others send.
 */
export function readPictureSize(bytes: Uint8Array): Size | undefined {
  const isJpeg = bytes[0] === 0xff && bytes[1] === 0xd8;
  const isPng = bytes[0] === 0x89 && bytes[1] === 0x50;
  if (!isJpeg && !isPng) return undefined;
  try {
    const { width, height } = imageSize(bytes);
    return { width, height };
  } catch {
    return undefined; // whatever is wrong with it, it is no picture of a known size
  }
}
