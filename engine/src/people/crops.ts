/** Cutting a crop out of a picture, and putting it back. */
import sharp from 'sharp';
import type { Box, Point, Rgb } from '../pixels/plane.ts';

export type Crop = {
  picture: Rgb;
  /** Pixels of the whole picture to pixels of the crop. */
  place: (point: Point) => Point;
  /** What was cut, in whole pixels of the whole picture. */
  box: Box;
};

/**
 * The part of the picture under `box` (cut at the picture's edge), resized by `scale` with Lanczos; what is enlarged
 * much is sharpened a little, because it stands beside sharp pixels later.
 */
export async function cutCrop(picture: Rgb, box: Box, scale = 1): Promise<Crop> {
  const left = Math.min(picture.width - 2, Math.max(0, Math.floor(box.left)));
  const top = Math.min(picture.height - 2, Math.max(0, Math.floor(box.top)));
  const width = Math.max(2, Math.min(picture.width, Math.ceil(box.left + box.width)) - left);
  const height = Math.max(2, Math.min(picture.height, Math.ceil(box.top + box.height)) - top);
  const toWidth = Math.max(2, Math.round(width * scale));
  const toHeight = Math.max(2, Math.round(height * scale));
  const raw = { raw: { width: picture.width, height: picture.height, channels: 3 as const } };
  let cut = sharp(picture.data, raw).extract({ left, top, width, height });
  if (toWidth !== width || toHeight !== height)
    cut = cut.resize(toWidth, toHeight, { fit: 'fill', kernel: 'lanczos3' });
  if (scale > MUCH) cut = cut.sharpen({ sigma: 0.6 * scale, m1: 0.5, m2: 1.2 });
  const data = await cut.raw().toBuffer();
  const place = ({ x, y }: Point) => ({ x: ((x - left) * toWidth) / width, y: ((y - top) * toHeight) / height });
  return { picture: { width: toWidth, height: toHeight, data }, place, box: { left, top, width, height } };
}

const MUCH = 1.4;
