import type { Sharp } from 'sharp';
import { fromRaster, type Raster, toRaster } from './raster.ts';

type Size = { width: number; height: number };

/** Of the frame's long side: blur of the extension, and the distance over which it sets in. */
const BLUR_SHARE = 0.012;
const SEAM_SHARE = 0.02;

/** Centres the picture at `size` in a larger frame; beyond its edges it is mirrored and blurred. */
export async function continueEdges(picture: Sharp, size: Size, frame: Size): Promise<Raster> {
  const width = Math.min(frame.width, Math.round(size.width));
  const height = Math.min(frame.height, Math.round(size.height));
  const resized = await toRaster(picture.resize(width, height, { fit: 'fill' }).removeAlpha());
  if (width === frame.width && height === frame.height) return resized;
  const left = Math.floor((frame.width - width) / 2);
  const top = Math.floor((frame.height - height) / 2);
  const mirrored = await toRaster(
    fromRaster(resized).extend({
      left,
      right: frame.width - width - left,
      top,
      bottom: frame.height - height - top,
      extendWith: 'mirror',
    }),
  );
  const longer = Math.max(frame.width, frame.height);
  const blurred = await toRaster(fromRaster(mirrored).blur(Math.max(0.5, longer * BLUR_SHARE)));
  blend(mirrored, blurred, { left, top, right: left + width, bottom: top + height }, longer * SEAM_SHARE);
  return mirrored;
}

/** Keeps the inside and blurs the outside, blending over `seam` pixels. */
function blend(
  picture: Raster,
  blurred: Raster,
  inside: { left: number; top: number; right: number; bottom: number },
  seam: number,
): void {
  const { data, width, height } = picture;
  for (let y = 0, at = 0; y < height; y += 1) {
    const distanceY = Math.max(inside.top - y, y - inside.bottom + 1, 0);
    for (let x = 0; x < width; x += 1, at += 3) {
      const distance = Math.max(distanceY, inside.left - x, x - inside.right + 1);
      if (distance <= 0) continue;
      const share = Math.min(1, distance / seam);
      for (let c = 0; c < 3; c += 1) {
        data[at + c] = Math.round((data[at + c] ?? 0) * (1 - share) + (blurred.data[at + c] ?? 0) * share);
      }
    }
  }
}
