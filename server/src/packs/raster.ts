import sharp, { type Sharp, type SharpOptions } from 'sharp';
import { IMAGE_MAX_PIXELS } from '@plinth/contract/limits';

export type Box = { left: number; top: number; width: number; height: number };

/** 8-bit pixels, row by row, with one or more interleaved channels. */
export type Raster = { data: Uint8Array; width: number; height: number; channels: number };

const OPTIONS = { failOn: 'error', limitInputPixels: IMAGE_MAX_PIXELS, pages: 1 } as const satisfies SharpOptions;
/** Of 255: lower alpha is haze, not product. */
export const MIN_ALPHA = 8;

/** Opens a picture, rotated upright; decoded at each use. */
export const open = (content: Uint8Array): Sharp => sharp(content, OPTIONS).autoOrient();

export async function toRaster(picture: Sharp): Promise<Raster> {
  const { data, info } = await picture.raw({ depth: 'uchar' }).toBuffer({ resolveWithObject: true });
  return { data, width: info.width, height: info.height, channels: info.channels };
}

export const fromRaster = ({ data, width, height, channels }: Raster): Sharp =>
  sharp(data, { raw: { width, height, channels: channels as 3 | 4 } });

/** The bounding box of all visible pixels. */
export function findBox({ data, width, height }: Raster): Box | undefined {
  let [left, top, right, bottom] = [width, height, -1, -1];
  for (let y = 0; y < height; y += 1) {
    const row = data.subarray(y * width, (y + 1) * width);
    let [first, last] = [0, width - 1];
    while (first < width && row[first]! < MIN_ALPHA) first += 1;
    if (first === width) continue;
    while (row[last]! < MIN_ALPHA) last -= 1;
    [left, right] = [Math.min(left, first), Math.max(right, last)];
    [top, bottom] = [Math.min(top, y), y];
  }
  return bottom === -1 ? undefined : { left, top, width: right - left + 1, height: bottom - top + 1 };
}
