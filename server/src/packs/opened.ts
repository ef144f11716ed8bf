import sharp, { type Sharp, type SharpOptions } from 'sharp';
import { IMAGE_MAX_PIXELS } from '@plinth/contract/limits';

export type Box = { left: number; top: number; width: number; height: number };

/** One plane or several of 8 bits, row by row. */
export type Raster = { data: Uint8Array; width: number; height: number; channels: number };

const OPTIONS = { failOn: 'error', limitInputPixels: IMAGE_MAX_PIXELS, pages: 1 } as const satisfies SharpOptions;
/** What is fainter than this (of 255) is haze, not product. */
export const LEAST_ALPHA = 8;

/** The picture upright; decoded again at each use. */
export const open = (content: Uint8Array): Sharp => sharp(content, OPTIONS).autoOrient();

export async function toRaster(picture: Sharp): Promise<Raster> {
  const { data, info } = await picture.raw({ depth: 'uchar' }).toBuffer({ resolveWithObject: true });
  return { data, width: info.width, height: info.height, channels: info.channels };
}

export const fromRaster = ({ data, width, height, channels }: Raster): Sharp =>
  sharp(data, { raw: { width, height, channels: channels as 3 | 4 } });

/** The least box around everything that shows at all. */
export function findBox({ data, width, height }: Raster): Box | undefined {
  const isBlank = (y: number) => {
    for (let at = y * width; at < (y + 1) * width; at += 1) if ((data[at] ?? 0) >= LEAST_ALPHA) return false;
    return true;
  };
  let top = 0;
  while (top < height && isBlank(top)) top += 1;
  if (top === height) return undefined;
  let bottom = height - 1;
  while (isBlank(bottom)) bottom -= 1;
  let left = width;
  let right = -1;
  for (let y = top; y <= bottom; y += 1) {
    const row = y * width;
    for (let x = 0; x < left; x += 1) if ((data[row + x] ?? 0) >= LEAST_ALPHA) left = x;
    for (let x = width - 1; x > right; x -= 1) if ((data[row + x] ?? 0) >= LEAST_ALPHA) right = x;
  }
  return { left, top, width: right - left + 1, height: bottom - top + 1 };
}
