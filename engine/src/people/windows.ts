// Cutting a window out of a picture and reading it at places between its pixels.
import sharp from 'sharp';
import type { Picture } from '../pixels/decode.ts';
import type { Box, Point } from './faces.ts';

export interface Window {
  picture: Picture;
  /** Pixels of the whole picture to pixels of the window. */
  place: (point: Point) => Point;
  left: number;
  top: number;
}

/**
 * The part of the picture under `box` (cut at the picture's edge), resized by `scale` with Lanczos; what is enlarged much is sharpened
 * a little, because it stands beside sharp pixels later.
 */
export async function cutWindow(picture: Picture, box: Box, scale = 1): Promise<Window> {
  const left = Math.min(picture.width - 2, Math.max(0, Math.floor(box.left)));
  const top = Math.min(picture.height - 2, Math.max(0, Math.floor(box.top)));
  const width = Math.max(2, Math.min(picture.width, Math.ceil(box.left + box.width)) - left);
  const height = Math.max(2, Math.min(picture.height, Math.ceil(box.top + box.height)) - top);
  const toWidth = Math.max(2, Math.round(width * scale));
  const toHeight = Math.max(2, Math.round(height * scale));
  const raw = { raw: { width: picture.width, height: picture.height, channels: 3 as const } };
  let cut = sharp(picture.rgb, raw).extract({ left, top, width, height });
  if (toWidth !== width || toHeight !== height)
    cut = cut.resize(toWidth, toHeight, { fit: 'fill', kernel: 'lanczos3' });
  if (scale > MUCH) cut = cut.sharpen({ sigma: 0.6 * scale, m1: 0.5, m2: 1.2 });
  const rgb = await cut.raw().toBuffer();
  const place = ({ x, y }: Point) => ({ x: ((x - left) * toWidth) / width, y: ((y - top) * toHeight) / height });
  return { picture: { width: toWidth, height: toHeight, rgb }, place, left, top };
}

const MUCH = 1.4;

/** The box with `share` of its larger side added on every side. */
export function growBox(box: Box, share: number): Box {
  const margin = share * Math.max(box.width, box.height);
  return {
    left: box.left - margin,
    top: box.top - margin,
    width: box.width + 2 * margin,
    height: box.height + 2 * margin,
  };
}

/**
 * Reads a plane bilinearly at every place of a map; places outside give the edge's value.
 * @param stride, offset address one channel of interleaved colours
 */
export function readAt(
  plane: ArrayLike<number>,
  size: { width: number; height: number },
  places: { x: Float32Array; y: Float32Array },
  stride = 1,
  offset = 0,
): Float32Array {
  const { width, height } = size;
  const out = new Float32Array(places.x.length);
  for (let i = 0; i < out.length; i += 1) {
    const x = Math.min(width - 1, Math.max(0, places.x[i]!));
    const y = Math.min(height - 1, Math.max(0, places.y[i]!));
    const left = Math.floor(x);
    const top = Math.floor(y);
    const right = Math.min(width - 1, left + 1);
    const bottom = Math.min(height - 1, top + 1);
    const fx = x - left;
    const fy = y - top;
    const at = (row: number, column: number) => plane[(row * width + column) * stride + offset]!;
    out[i] =
      (at(top, left) * (1 - fx) + at(top, right) * fx) * (1 - fy) +
      (at(bottom, left) * (1 - fx) + at(bottom, right) * fx) * fy;
  }
  return out;
}
